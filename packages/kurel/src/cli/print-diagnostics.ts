import { terminalWidth } from './terminal-width.ts';
import { formatDiagnostics, shouldUseColor, summarise, toJson, toSarif } from '../diagnostics/index.ts';
import { hostProblems } from '../host/index.ts';
import { loadProblemDefinitions, locateInYaml } from '../index.ts';
import type { AcceptedFinding, Diagnostic, SourceFile } from '../model/index.ts';
import type { FlagDefinitions } from './command.ts';
import type { Environment } from './environment.ts';
import { kurelVersion } from './kurel-version.ts';
import { cliProblems } from './problems.ts';

export interface Findings {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: readonly SourceFile[];
  readonly accepted?: readonly AcceptedFinding[] | undefined;
}

export interface PrintOptions {
  readonly format: 'text' | 'json' | 'sarif' | undefined;
  readonly color: 'auto' | 'always' | 'never' | undefined;
}

/** Writes findings to standard error in the form that was asked for. JSON and SARIF are written even when nothing was found. */
export async function printDiagnostics(
  { diagnostics, sources, accepted = [] }: Findings,
  { format, color }: PrintOptions,
  environment: Environment,
): Promise<void> {
  const options = { sources, locate: locateInYaml };
  if (format === 'json') return environment.writeStderr(toJson(diagnostics, { ...options, accepted }));
  if (format === 'sarif') {
    return environment.writeStderr(toSarif(diagnostics, { ...options, accepted, ...(await describeTool()) }));
  }
  if (diagnostics.length === 0) {
    // A package can bring its own acceptances, so that even a build without findings says how many there are.
    return accepted.length === 0 ? undefined : environment.writeStderr(`${summarise([], accepted)}\n`);
  }
  const width = terminalWidth(environment);
  const text = formatDiagnostics(diagnostics, { ...options, color: useColor(color, environment), width });
  return environment.writeStderr(`${text}\n${summarise(diagnostics, accepted)}\n`);
}

/** What a SARIF log says about kurel.  */
export async function describeTool() {
  const definitions = { ...(await loadProblemDefinitions()), ...hostProblems.definitions, ...cliProblems.definitions };
  return { toolVersion: kurelVersion, definitions };
}

export function useColor(
  flag: PrintOptions['color'],
  environment: Environment,
  isTerminal = environment.stderrIsTerminal,
): boolean {
  if (flag === 'always') return true;
  if (flag === 'never') return false;
  return shouldUseColor({ isTerminal, environment: environment.variables });
}

/** Of commands whose own output is something else than findings. */
export const messageFormatFlag = {
  'message-format': {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['text', 'json', 'sarif'],
    summary: 'How findings are written to standard error: text (the default), json or sarif.',
  },
} as const satisfies FlagDefinitions;
