import { posix } from 'node:path';

import { escapeControls, formatDiagnostics, hideSecrets } from '../../diagnostics/index.ts';
import { locateInYaml } from '../../index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { defineCommand, formatFlag, switchFlag } from '../command.ts';
import type { CommandCall, CommandResult, ExitCode, FlagDefinitions } from '../command.ts';
import { inputFlags, validationFlags, watchFlag } from '../input-flags.ts';
import { fleetLimitFlags } from '../limits.ts';
import { openInput } from '../open-input.ts';
import { openDisk, readStdinOnce } from '../open-world.ts';
import type { OpenedInput } from '../open-input.ts';
import { formatForMachines } from '../print-diagnostics.ts';
import { spellFindings } from '../spell-findings.ts';
import { formatReport } from '../report/format-report.ts';
import { styleOfStdout } from '../terminal.ts';
import { exitCodeOf, refuseFlags, UsageError } from '../usage-error.ts';
import { checkDocumentUsage, readOwnDocument, validateInput } from '../validate-input.ts';
import type { DocumentValidation, InputValidation } from '../validate-input.ts';
import { settingsOf } from '../setting-flags.ts';

const flags = {
  ...inputFlags,
  ...validationFlags,
  ...watchFlag,
  ...fleetLimitFlags,
  verbose: switchFlag('Patch package: list all checks that passed, and show notes.', {
    short: 'v',
    section: 'package',
  }),
  format: {
    ...formatFlag(['text', 'json', 'sarif', 'junit'], 'Output format: text (the default), json, sarif or junit.'),
    section: 'output',
  },
} as const satisfies FlagDefinitions;

export const validate = defineCommand({
  name: 'validate',
  description:
    'Runs the checks of kurel build without writing anything, with the same flags. CustomResourceDefinitions come from the build, from ' +
    'schemas/crds in PATH, from --crds, and from the bundled ones. Several paths are validated one after the other; json, sarif and junit ' +
    'print one report for all of them. Exits 1 on errors; with --strict, warnings are errors. Notes never are.',
  arguments: [
    {
      name: 'PATH',
      summary:
        'any input of kurel build, a kurel document that is not built, such as a ClusterProfile or kurel.yaml, or a .kpatch file',
      completes: 'path',
      inRegistry: 'content',
      repeats: true,
    },
  ],
  flags,
  examples: [
    { says: 'a directory of manifests', line: 'kurel validate deploy/' },
    { says: 'for a cluster with Kubernetes 1.33', line: 'kurel validate deploy/ --kubernetes-version 1.33' },
    { says: 'a patch package with production values', line: 'kurel validate shop.kurel --values production.yaml' },
    { says: 'an application package for one cluster', line: 'kurel validate shop --profile cluster.yaml' },
    { says: 'several directories and packages', line: 'kurel validate deploy/ shop.kurel' },
    { says: 'a profile by itself', line: 'kurel validate cluster.yaml' },
    { says: 'the declaration of a package by itself', line: 'kurel validate shop/kurel.yaml' },
    { says: 'a report for CI', line: 'kurel validate deploy/ --format junit > report.xml' },
  ],
  isReport: true,
  run: runValidate,
});

type Call = CommandCall<typeof flags>;

/** A path, opened, and the findings if it is a document. */
interface Input {
  readonly path: string;
  readonly opened: OpenedInput;
  readonly document: DocumentValidation | undefined;
}

/** Nothing is printed before everything is checked, so that wrong usage prints nothing else. */
async function runValidate({ positionals, flags, environment: outer }: Call): Promise<CommandResult> {
  const environment = readStdinOnce(outer);
  const inputs: Input[] = [];
  for (const path of listPaths(positionals)) inputs.push(await open(path, { positionals, flags, environment }));
  checkUsage(inputs, flags);
  const forms = inputs.flatMap(({ opened, document }) => (document === undefined ? [opened.form] : []));
  const validations: NamedValidation[] = [];
  for (const { path, opened, document } of inputs) {
    const validation = document ?? (await validateInput(opened, { settings: settingsOf(flags), environment, forms }));
    validations.push({ path, ...spellFindings(validation) });
  }
  const built = validations.filter((_, index) => inputs[index]!.document === undefined);
  const own = dropUsedElsewhere(validations, built);
  const exitCode = own
    .map(({ diagnostics }) => exitCodeOf(diagnostics))
    .reduce((worst, code): ExitCode => (code > worst ? code : worst), 0);
  return { stdout: await formatValidations(own, { flags, environment }), exitCode, conclusion: { result: 'checked' } };
}

/** A duplicate path is checked once. */
function listPaths(positionals: readonly string[]): readonly string[] {
  if (positionals.filter((path) => path === '-').length > 1) {
    throw new UsageError('stdin can be read only once', 'use - once');
  }
  const places = positionals.map((path) => posix.normalize(path).replace(/(?<=.)\/+$/, ''));
  return positionals.filter((_, index) => places.indexOf(places[index]!) === index);
}

async function open(path: string, { flags, environment }: Call): Promise<Input> {
  const opened = await openInput(path, settingsOf(flags), environment);
  // An explicit form builds the package of a declaration.
  const source = flags.as === undefined ? await readOwnDocument(path, openDisk(environment)) : undefined;
  if (source === undefined) return { path, opened, document: undefined };
  // Loaded on demand: documents are those of application packages and fleets.
  const { validateDocument } = await import('../validate-document.ts');
  return { path, opened, document: await validateDocument(source, flags, environment) };
}

function checkUsage(inputs: readonly Input[], flags: Call['flags']): void {
  const [first] = inputs;
  if (inputs.every(({ document }) => document?.kind !== 'Fleet')) {
    refuseFlags(flags, ['max-fleet-steps'], { owner: 'fleet files', hint: 'remove it, or validate a fleet file' });
  }
  if (first?.document !== undefined && inputs.every(({ document }) => document !== undefined)) {
    return checkDocumentUsage(flags, { path: first.path, kind: first.document.kind });
  }
  if (inputs.some(({ opened }) => opened.form.hasParameterSchema === true)) return;
  const hint = 'remove it, or validate a directory with parameters.yaml';
  refuseFlags(flags, ['schema', 'verbose'], { owner: 'patch packages', hint });
}

/** A flag without effect on one input is a finding only if no other input uses it. */
function dropUsedElsewhere(
  validations: readonly NamedValidation[],
  built: readonly NamedValidation[],
): readonly NamedValidation[] {
  const isKept = (diagnostic: Diagnostic): boolean => {
    const flag = unusedFlagOf(diagnostic);
    if (flag === undefined) return true;
    return built.every(({ diagnostics }) => diagnostics.some((other) => unusedFlagOf(other) === flag));
  };
  return validations.map((validation) => ({ ...validation, diagnostics: validation.diagnostics.filter(isKept) }));
}

function unusedFlagOf({ code, message, location }: Diagnostic): string | undefined {
  if (code === 'input-takes-no-values') return code;
  // With a location, it is about a file of the input.
  return code === 'acceptance-unused' && location === undefined ? message : undefined;
}

type Print = Pick<Call, 'flags' | 'environment'>;

interface NamedValidation extends InputValidation {
  readonly path: string;
}

/** Several inputs: as text one report after the other, otherwise one list. Each finding is printed once. */
async function formatValidations(validations: readonly NamedValidation[], print: Print): Promise<string> {
  const { format = 'text' } = print.flags;
  const isSingle = validations.length === 1;
  if (format === 'text') {
    const isNew = isSingle ? () => true : createNews();
    const reports = validations.map((validation) => {
      const title = isSingle ? '' : `${escapeControls(validation.path)}:\n`;
      return `${title}${formatText(validation, print, isNew)}`;
    });
    return reports.join('\n');
  }
  const { report, diagnostics, sources } = validations[0]!;
  const isOfPackage = isSingle && format === 'json' && report !== undefined;
  if (isOfPackage) {
    const { reportToJson } = await import('../report/package-report.ts');
    return reportToJson(report, diagnostics, { sources, locate: locateInYaml });
  }
  return formatForMachines(isSingle ? validations[0]! : join(validations), format);
}

/** Whether a finding is new: inputs can share files, and have all flags in common. */
function createNews(): (diagnostic: Diagnostic) => boolean {
  const seen = new Set<string>();
  return ({ severity, message, location, object }) => {
    const key = JSON.stringify([severity, message, location, object]);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  };
}

function join(validations: readonly InputValidation[]): Omit<InputValidation, 'describe'> {
  const takeNew = createNews();
  const takeAccepted = createNews();
  const subjects = validations.flatMap((validation) => validation.subjects);
  return {
    diagnostics: validations.flatMap((validation) => validation.diagnostics).filter(takeNew),
    sources: validations.flatMap((validation) => validation.sources),
    accepted: validations
      .flatMap((validation) => validation.accepted ?? [])
      .filter(({ diagnostic }) => takeAccepted(diagnostic)),
    subjects: [...new Map(subjects.map((subject) => [JSON.stringify(subject), subject])).values()],
  };
}

/** Findings that are not new are only counted. */
function formatText(
  validation: InputValidation,
  { flags, environment }: Print,
  isNew: (diagnostic: Diagnostic) => boolean,
): string {
  const { sources, diagnostics } = validation;
  const { color, width } = styleOfStdout(flags, environment);
  const places = { sources, locate: locateInYaml };
  const report = validation.describe(hideSecrets(diagnostics, places), flags.verbose);
  const ofResources = new Set(report.ofResources);
  // Findings that the report shows with the resources are not printed twice.
  const fresh = diagnostics.filter(isNew).filter((diagnostic) => !ofResources.has(diagnostic));
  const repeated = diagnostics.length - ofResources.size - fresh.length;
  const note = `${report.note ?? ''}${repeated === 0 ? '' : ` (${repeated} reported above)`}`;
  const findings = formatDiagnostics(fresh, { ...places, color, width, isReport: true });
  return formatReport({ ...report, note }, findings, color);
}
