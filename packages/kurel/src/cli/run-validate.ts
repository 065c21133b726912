import { formatDiagnostics, summarise, toJson, toJunit, toSarif } from '../diagnostics/index.ts';
import { build, describeObject, locateInYaml } from '../index.ts';
import type { BuildResult } from '../index.ts';
import type { Diagnostic } from '../model/index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { ValidateFlags } from './commands/validate.ts';
import { createStore } from './create-store.ts';
import type { Environment } from './environment.ts';
import { openDisk } from './open-disk.ts';
import { isApplicationPath, isPackagePath, packageDirectory } from './package-path.ts';
import { describeTool, useColor } from './print-diagnostics.ts';
import type { Findings } from './print-diagnostics.ts';
import { readDefinitions } from './read-definitions.ts';
import { readRequest } from './read-request.ts';
import { terminalWidth } from './terminal-width.ts';
import { isWrongUsage, UsageError } from './usage-error.ts';

type Call = CommandCall<ValidateFlags>;

export async function runValidate(call: Call): Promise<ExitCode> {
  const { positionals, flags, environment } = call;
  const path = positionals[0]!;
  const isPackage = isPackagePath({ path, as: flags.as }, environment);
  if (!isPackage && flags.as === undefined && !isApplicationPath({ path, as: undefined }, environment)) {
    const { runValidateDocument } = await import('./run-validate-document.ts');
    const exitCode = await runValidateDocument(call);
    if (exitCode !== undefined) return exitCode;
  }
  if (!isPackage) checkUsage(flags);
  const plain = createStore(flags['kubernetes-version']);
  const given = await readRequest(path, offlineUnlessAllowed(flags), environment);
  const own = await ownDefinitions(isPackage ? packageDirectory(path) : path, environment);
  const definitions = await readDefinitions([...own, ...flags.crds], environment);
  const store = plain.with(definitions.definitions, definitions.sourceOf);
  const findings: Findings = {
    diagnostics: [...given.diagnostics, ...definitions.diagnostics],
    sources: [...given.sources, ...definitions.sources],
  };
  const ok = given.ok && definitions.ok;
  const failure = given.diagnostics.some(({ code }) => code === 'set-syntax') ? 2 : 1;
  if (isPackage) {
    const { runValidatePackage } = await import('./run-validate-package.ts');
    return runValidatePackage(call, { request: given.request, findings, store, failure: ok ? undefined : failure });
  }
  if (!ok) {
    await printFindings(findings, [], { flags, environment, summary: '' });
    return failure;
  }
  const result = await build({ ...given.request, validation: { store }, store: () => store });
  const all = {
    diagnostics: [...findings.diagnostics, ...result.diagnostics],
    sources: [...findings.sources, ...result.sources],
  };
  const count = result.checked.length === 1 ? '1 object' : `${result.checked.length} objects`;
  const verdict = summarise(all.diagnostics);
  const checked = `${count} checked against Kubernetes ${store.kubernetesVersion}: ${verdict === '' ? 'nothing found' : verdict}`;
  // What cannot be built is not checked against anything.
  const summary = result.checked.length === 0 && !result.ok ? verdict : checked;
  await printFindings(all, subjectsOf(result), { flags, environment, summary });
  return result.ok ? 0 : isWrongUsage(result.diagnostics) ? 2 : 1;
}

function checkUsage(flags: Call['flags']): void {
  const stranger = flags.schema === undefined ? (flags.verbose ? 'verbose' : undefined) : 'schema';
  if (stranger === undefined) return;
  throw new UsageError(`--${stranger} is for patch packages`, 'PATH is none: it has no parameters.yaml');
}

function offlineUnlessAllowed(flags: Call['flags']): Call['flags'] {
  if (flags['allow-network']) return flags;
  if (flags['allow-private'])
    throw new UsageError('--allow-private needs --allow-network', 'nothing is asked without it');
  return { ...flags, offline: true };
}

/** A package brings the definitions of its own kinds in `schemas/crds`. */
async function ownDefinitions(path: string, environment: Environment): Promise<readonly string[]> {
  const directory = `${path.replace(/\/+$/, '')}/schemas/crds`;
  if (path === '-' || /[*?[{]/.test(path)) return [];
  const fileSystem = openDisk(environment);
  // Below a pipe of a shell even asking fails; what is no directory is left to the build, which says why.
  if ((await fileSystem.kindOf(path)) !== 'directory') return [];
  if ((await fileSystem.kindOf(directory)) !== 'directory') return [];
  const entries = await fileSystem.list(directory);
  return entries.some(({ name, kind }) => kind === 'directory' || /\.(?:ya?ml|json)$/.test(name)) ? [directory] : [];
}

/** The objects that were checked, for a report that lists them. */
export function subjectsOf({ checked, origins }: BuildResult) {
  return checked.map((object) => {
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

export interface MachineFormat {
  readonly format: 'json' | 'sarif' | 'junit';
  readonly subjects: ReturnType<typeof subjectsOf>;
}

export async function formatForMachines(
  { diagnostics, sources }: Findings,
  { format, subjects }: MachineFormat,
): Promise<string> {
  const options = { sources, locate: locateInYaml };
  if (format === 'json') return toJson(diagnostics, options);
  if (format === 'junit') return toJunit(diagnostics, { ...options, subjects });
  return toSarif(diagnostics, { ...options, ...(await describeTool()) });
}
