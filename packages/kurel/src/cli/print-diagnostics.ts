import { formatDiagnostics, summarise, toJson, toSarif } from '../diagnostics/index.ts';
import type { ProblemSummary } from '../diagnostics/index.ts';
import { hostProblems } from '../host/index.ts';
import { loadProblemDefinitions, locateInYaml } from '../index.ts';
import type { AcceptedFinding, Diagnostic, Location, SourceFile } from '../model/index.ts';
import type { Environment } from './environment.ts';
import { kurelVersion } from './kurel-version.ts';
import { cliProblems } from './problems.ts';
import { terminalWidth, useColor } from './terminal.ts';

/** Findings with the texts that they point into. */
export interface SourcedFindings {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: readonly SourceFile[];
  readonly accepted?: readonly AcceptedFinding[] | undefined;
}

export interface PrintOptions {
  readonly 'message-format'?: 'text' | 'json' | 'sarif' | undefined;
  readonly color?: 'auto' | 'always' | 'never' | undefined;
}

/** Writes findings to stderr. JSON and SARIF are written even if there are none. */
export async function printDiagnostics(
  { diagnostics, sources, accepted = [] }: SourcedFindings,
  { 'message-format': format, color }: PrintOptions,
  environment: Environment,
): Promise<void> {
  if (format === 'json' || format === 'sarif') {
    return environment.writeStderr(await formatForMachines({ diagnostics, sources, accepted }, format));
  }
  if (diagnostics.length === 0) {
    // A package can contain its own acceptances, so even a build without findings prints how many there are.
    return accepted.length === 0 ? undefined : environment.writeStderr(`${summarise([], accepted)}\n`);
  }
  const width = terminalWidth(environment);
  const text = formatDiagnostics(diagnostics, {
    sources,
    locate: locateInYaml,
    color: useColor(color, environment),
    width,
  });
  return environment.writeStderr(`${text}\n${summarise(diagnostics, accepted)}\n`);
}

export async function formatForMachines(
  { diagnostics, sources, accepted }: SourcedFindings,
  format: 'json' | 'sarif',
): Promise<string> {
  const options = { sources, locate: locateInYaml, accepted };
  if (format === 'json') return toJson(diagnostics, options);
  return toSarif(diagnostics, { ...options, toolVersion: kurelVersion, definitions: await loadDefinitions() });
}

/** The definitions of all findings of the program, by code. */
export async function loadDefinitions(): Promise<Readonly<Record<string, ProblemSummary>>> {
  return { ...(await loadProblemDefinitions()), ...hostProblems.definitions, ...cliProblems.definitions };
}

export function asErrors(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) =>
    diagnostic.severity === 'warning' ? { ...diagnostic, severity: 'error' } : diagnostic,
  );
}

/** The findings with all their locations moved, such as to paths as the user sees them. */
export function moveFindings(
  diagnostics: readonly Diagnostic[],
  move: (location: Location) => Location,
): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => ({
    ...diagnostic,
    ...(diagnostic.location === undefined ? {} : { location: move(diagnostic.location) }),
    ...(diagnostic.related === undefined
      ? {}
      : { related: diagnostic.related.map((other) => ({ ...other, location: move(other.location) })) }),
  }));
}
