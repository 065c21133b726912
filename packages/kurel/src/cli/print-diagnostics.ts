import { formatDiagnostics, summarise, toJson, toJunit, toSarif } from '../diagnostics/index.ts';
import type { CheckedSubject, ProblemSummary } from '../diagnostics/index.ts';
import { hostProblems } from '../host/index.ts';
import { loadProblemDefinitions, locateInYaml } from '../index.ts';
import { bugProblems } from './describe-failure.ts';
import type { Environment } from './environment.ts';
import { kurelVersion } from './kurel-version.ts';
import { cliProblems } from './problems.ts';
import type { SourcedFindings } from './sourced-findings.ts';
import { spellFindings, spellSummary } from './spell-findings.ts';
import { terminalWidth, useColor } from './terminal.ts';
import { usageProblems } from './usage-error.ts';

type MachineFormat = 'json' | 'sarif' | 'junit';

export interface PrintOptions {
  readonly 'message-format'?: 'text' | MachineFormat | undefined;
  readonly color?: 'auto' | 'always' | 'never' | undefined;
}

/** Writes findings to stderr. JSON and SARIF are written even if there are none; text only if some were reported or accepted. */
export async function printDiagnostics(
  findings: SourcedFindings,
  { 'message-format': format, color }: PrintOptions,
  environment: Environment,
): Promise<void> {
  const { diagnostics, sources, accepted = [] } = spellFindings(findings);
  if (format !== undefined && format !== 'text') {
    return environment.writeStderr(await formatForMachines({ diagnostics, sources, accepted }, format));
  }
  const text = formatDiagnostics(diagnostics, {
    sources,
    locate: locateInYaml,
    color: useColor(color, environment),
    width: terminalWidth(environment),
  });
  // A package can contain its own acceptances, so even a build without findings prints how many there are.
  const summary = summarise(diagnostics, accepted);
  return environment.writeStderr(`${text === '' ? '' : `${text}\n`}${summary}\n`);
}

export async function formatForMachines(
  findings: SourcedFindings & { readonly subjects?: readonly CheckedSubject[] },
  format: MachineFormat,
): Promise<string> {
  const { diagnostics, sources, accepted, subjects = [] } = spellFindings(findings);
  const options = { sources, locate: locateInYaml, accepted };
  if (format === 'junit') return toJunit(diagnostics, { ...options, subjects });
  if (format === 'json') return toJson(diagnostics, options);
  return toSarif(diagnostics, { ...options, toolVersion: kurelVersion, definitions: await loadDefinitions() });
}

/** The definitions of all findings of the program, by code. */
export async function loadDefinitions(): Promise<Readonly<Record<string, ReturnType<typeof spellSummary>>>> {
  const definitions: Readonly<Record<string, ProblemSummary>> = {
    ...(await loadProblemDefinitions()),
    ...hostProblems.definitions,
    ...cliProblems.definitions,
    ...usageProblems.definitions,
    ...bugProblems.definitions,
  };
  return Object.fromEntries(Object.entries(definitions).map(([code, summary]) => [code, spellSummary(summary)]));
}
