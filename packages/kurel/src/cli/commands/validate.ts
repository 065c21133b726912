import {
  escapeControls,
  formatDiagnostics,
  hideSecrets,
  quote,
  summarise,
  toJson,
  toJunit,
  toSarif,
} from '../../diagnostics/index.ts';
import { checkDocument, createCatalog, describeObject, locateInYaml } from '../../index.ts';
import type { BuildResult } from '../../index.ts';
import { FileAccessError } from '../../model/index.ts';
import type { Diagnostic, FileSystem, SourceFile } from '../../model/index.ts';
import { buildValidated } from '../build-validated.ts';
import { defineCommand } from '../command.ts';
import type { CommandCall, ExitCode, FlagDefinitions } from '../command.ts';
import { fileProblemWithHint } from '../file-problem.ts';
import { findGiven, UsageError } from '../usage-error.ts';
import { inputFlags, watchFlag } from '../input-flags.ts';
import { openDisk } from '../open-world.ts';
import { openInput } from '../open-input.ts';
import { terminalWidth } from '../terminal-width.ts';
import { describeTool, useColor } from '../print-diagnostics.ts';
import type { Findings } from '../print-diagnostics.ts';
import { readRequest } from '../read-request.ts';
import { formatReport } from '../report/format-report.ts';
import { reportToJson } from '../report/report-to-json.ts';
import { runWatched } from '../run-watched.ts';
import type { PackageValidation } from '../validate-package.ts';
import { validationFlags } from '../validation-flags.ts';

type DocumentCall = CommandCall<ValidateFlags>;

/** Checks a profile, a policy or the like by itself; `undefined` when the path names no file that holds one. */
async function runValidateDocument(call: DocumentCall): Promise<ExitCode | undefined> {
  const { positionals, flags, environment } = call;
  const path = positionals[0]!;
  const fileSystem = openDisk(environment);
  const source = await readDocument(path, fileSystem);
  if (source === undefined) return undefined;
  const found: Diagnostic[] = [];
  const definitions = await readDefinitions(flags['capability-def'], fileSystem, found);
  const kind = checkDocument(source, {
    catalog: createCatalog(),
    definitions,
    report: (diagnostic) => void found.push(diagnostic),
  });
  if (kind === undefined) return undefined;
  checkDocumentUsage(call, kind);
  const diagnostics = flags.strict ? found.map(makeStrict) : found;
  const verdict = summarise(diagnostics);
  const named = escapeControls(path);
  await printFindings({ diagnostics, sources: [source, ...definitions] }, [{ name: kind, file: path }], {
    ...call,
    summary: verdict === '' ? `${named} is a good ${kind}` : `${named} (${kind}): ${verdict}`,
  });
  return diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0;
}

/** A file that cannot be read is left to the build, which says why. */
async function readDocument(path: string, fileSystem: FileSystem): Promise<SourceFile | undefined> {
  try {
    if (path === '-' || (await fileSystem.kindOf(path)) !== 'file') return undefined;
    const text = await fileSystem.readText(path);
    return text.includes('launcher.gokure.dev/') ? { path, text } : undefined;
  } catch (error) {
    if (!(error instanceof FileAccessError)) throw error;
    return undefined;
  }
}

async function readDefinitions(
  paths: readonly string[],
  fileSystem: FileSystem,
  found: Diagnostic[],
): Promise<readonly SourceFile[]> {
  const sources: SourceFile[] = [];
  for (const path of paths) {
    try {
      sources.push({ path, text: await fileSystem.readText(path) });
    } catch (error) {
      found.push(await fileProblemWithHint(error, fileSystem));
    }
  }
  return sources;
}

const used: ReadonlySet<string> = new Set([
  'capability-def',
  'strict',
  'max-file-size',
  'format',
  'watch',
  'color',
  'help',
]);

function checkDocumentUsage({ positionals, flags }: DocumentCall, kind: string): void {
  const stranger = findGiven(
    flags,
    Object.keys(flags).filter((name) => !used.has(name)),
  );
  if (stranger === undefined) return;
  throw new UsageError(
    `--${stranger} is for what can be built`,
    `${quote(positionals[0]!)} is a ${kind}, which is checked by itself`,
  );
}

function makeStrict(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.severity === 'warning' ? { ...diagnostic, severity: 'error' } : diagnostic;
}

const flags = {
  ...inputFlags,
  ...validationFlags,
  ...watchFlag,
  verbose: {
    type: 'switch',
    short: 'v',
    section: 'package',
    summary: 'Patch package: name all checks that passed, and show notes.',
  },
  format: {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['text', 'json', 'sarif', 'junit'],
    summary: 'How the findings are printed: text (the default), json, sarif or junit.',
  },
} as const satisfies FlagDefinitions;

export type ValidateFlags = typeof flags;

export const validate = defineCommand({
  name: 'validate',
  summary: 'Validate a build, or a profile, policy or package file.',
  description:
    'PATH is whatever kurel build can build, an application package for a platform with --profile and --policy; or a file with a ' +
    'ClusterProfile, a Policy, a CapabilityDefinition or a Package, which is then checked by itself. Fields, types, names and references are checked, as kurel build does, ' +
    'and nothing is written. CustomResourceDefinitions are taken from what is built, from schemas/crds in PATH, from --crds, and from those that ' +
    'kurel ships. Of a patch package, parameters, references, patches and their dependencies are checked as well, and the report says which ' +
    'patches are enabled and what they give; findings with their excerpts go to standard error then. Exit code 1 means that there are errors; with --strict warnings are errors. Notes never are.',
  arguments: [{ name: 'PATH', summary: 'what to check', required: true, completes: 'path' }],
  flags,
  examples: [
    { says: 'a directory of manifests', line: 'kurel validate deploy/' },
    { says: 'for the cluster that is still on 1.33', line: 'kurel validate deploy/ --kubernetes-version 1.33' },
    { says: 'a patch package as production has it', line: 'kurel validate shop.kurel --values production.yaml' },
    { says: 'an application package on a platform', line: 'kurel validate shop --profile cluster.yaml' },
    { says: 'the profile of the platform by itself', line: 'kurel validate cluster.yaml' },
    { says: 'a report for continuous integration', line: 'kurel validate deploy/ --format junit > report.xml' },
  ],
  async run(call) {
    if (!call.flags.watch) return runValidate(call);
    return runWatched(call, 'checked', runValidate);
  },
});

type Call = CommandCall<ValidateFlags>;

async function runValidate(call: Call): Promise<ExitCode> {
  const { positionals, flags, environment } = call;
  const path = positionals[0]!;
  const input = await openInput(path, flags, environment);
  const { form } = input;
  if (form.values === 'plain' && flags.as === undefined) {
    const exitCode = await runValidateDocument(call);
    if (exitCode !== undefined) return exitCode;
  }
  if (form.hasParameterSchema !== true) checkUsage(flags);
  const given = await readRequest(input, flags, environment);
  const validated = await buildValidated(given, { form, flags, environment });
  const { ok, failure, report, result, kubernetesVersion, ...findings } = validated;
  if (report !== undefined) {
    const news = { ...report, findings: report.findings.filter(({ diagnostic }) => isNews(diagnostic)) };
    await printReport({ report: news, result, sources: findings.sources, accepted: findings.accepted ?? [] }, call);
    return ok ? 0 : failure;
  }
  if (result === undefined) {
    await printFindings(findings, [], { flags, environment, summary: '' });
    return failure;
  }
  const checkedCount = result.isChecked ? result.rendering.objects.length : 0;
  const count = checkedCount === 1 ? '1 object' : `${checkedCount} objects`;
  const verdict = summarise(findings.diagnostics, findings.accepted);
  const checked = `${count} checked against Kubernetes ${kubernetesVersion}: ${verdict === '' ? 'nothing found' : verdict}`;
  // What cannot be built is not checked against anything.
  const summary = checkedCount === 0 && !ok ? verdict : checked;
  await printFindings(findings, subjectsOf(result), { flags, environment, summary });
  return ok ? 0 : failure;
}

/** The report lists the patches that others require, and nothing is printed that could be applied. */
function isNews({ code }: Diagnostic): boolean {
  return code !== 'patch-required' && code !== 'definition-in-stream';
}

function checkUsage(flags: Call['flags']): void {
  const stranger = flags.schema === undefined ? (flags.verbose ? 'verbose' : undefined) : 'schema';
  if (stranger === undefined) return;
  throw new UsageError(`--${stranger} is for patch packages`, 'PATH is none: it has no parameters.yaml');
}

/** The objects that were checked, for a report that lists them. */
function subjectsOf({ isChecked, rendering }: BuildResult) {
  const { origins } = rendering.provenance;
  return (isChecked ? rendering.objects : []).map((object) => {
    const origin = origins.get(object);
    const text = origin?.text;
    const name = describeObject(object);
    if (text === undefined) return { name, file: origin?.file ?? origin?.source ?? 'kurel' };
    return { name, file: text.source.path, document: text.document };
  });
}

interface Print extends Pick<Call, 'flags' | 'environment'> {
  readonly summary: string;
}

/** Writes them to standard output in the form that was asked for; a text ends with the summary. */
export async function printFindings(
  findings: Findings,
  subjects: ReturnType<typeof subjectsOf>,
  how: Print,
): Promise<void> {
  const { flags, environment, summary } = how;
  const { format = 'text' } = flags;
  environment.writeStdout(
    format === 'text' ? text(findings.diagnostics) : await formatForMachines(findings, { format, subjects }),
  );

  function text(diagnostics: readonly Diagnostic[]): string {
    const color = useColor(flags.color, environment, environment.stdoutIsTerminal);
    const width = terminalWidth(environment, environment.stdoutIsTerminal);
    const formatted = formatDiagnostics(diagnostics, { sources: findings.sources, locate: locateInYaml, color, width });
    const last = summary === '' ? summarise(diagnostics) : summary;
    return formatted === '' ? `${last}\n` : `${formatted}\n${last}\n`;
  }
}

interface MachineFormat {
  readonly format: 'json' | 'sarif' | 'junit';
  readonly subjects: ReturnType<typeof subjectsOf>;
}

async function formatForMachines(
  { diagnostics, sources, accepted }: Findings,
  { format, subjects }: MachineFormat,
): Promise<string> {
  const options = { sources, locate: locateInYaml };
  if (format === 'json') return toJson(diagnostics, { ...options, accepted });
  if (format === 'junit') return toJunit(diagnostics, { ...options, subjects });
  return toSarif(diagnostics, { ...options, accepted, ...(await describeTool()) });
}

type ReportCall = CommandCall<ValidateFlags>;

/** The report goes to standard output; for people, the findings with their excerpts go to standard error. */
async function printReport(
  { report, sources, result, accepted }: PackageValidation,
  { flags, environment }: ReportCall,
): Promise<void> {
  const diagnostics = report.findings.map(({ diagnostic }) => diagnostic);
  const { format = 'text', color, verbose } = flags;
  const places = { sources, locate: locateInYaml };
  if (format === 'json') return environment.writeStdout(reportToJson(report, places));
  if (format !== 'text') {
    const subjects = result === undefined ? [] : subjectsOf(result);
    return environment.writeStdout(await formatForMachines({ diagnostics, sources, accepted }, { format, subjects }));
  }
  const details = formatDiagnostics(diagnostics, {
    ...places,
    color: useColor(color, environment),
    width: terminalWidth(environment),
  });
  // On a terminal the report follows the details, so that the last line is the summary.
  if (details !== '') environment.writeStderr(`${details}\n`);
  const colored = useColor(color, environment, environment.stdoutIsTerminal);
  const shown = hideSecrets(diagnostics, places);
  const findings = report.findings.map((finding, index) => ({ ...finding, diagnostic: shown[index]! }));
  const isTold = environment.stdoutIsTerminal && environment.stderrIsTerminal;
  return environment.writeStdout(formatReport({ ...report, findings }, { verbose, color: colored, isTold }));
}
