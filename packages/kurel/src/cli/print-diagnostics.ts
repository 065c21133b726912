import { formatDiagnostics, shouldUseColor, summarise, toJson, toSarif } from '../diagnostics/index.ts';
import { hostProblems } from '../host/index.ts';
import { locateInYaml, problemDefinitions } from '../index.ts';
import type { Diagnostic, SourceFile } from '../model/index.ts';
import type { commonFlags, FlagValues } from './command.ts';
import type { Environment } from './environment.ts';
import { kurelVersion } from './kurel-version.ts';

export interface Findings {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: readonly SourceFile[];
}

type CommonFlags = FlagValues<typeof commonFlags>;

/** Writes findings to standard error in the form that was asked for. JSON and SARIF are written even when nothing was found. */
export function printDiagnostics(
  { diagnostics, sources }: Findings,
  flags: CommonFlags,
  environment: Environment,
): void {
  const options = { sources, locate: locateInYaml };
  if (flags['message-format'] === 'json') return environment.writeStderr(toJson(diagnostics, options));
  if (flags['message-format'] === 'sarif') {
    const definitions = { ...problemDefinitions, ...hostProblems.definitions };
    return environment.writeStderr(toSarif(diagnostics, { ...options, toolVersion: kurelVersion, definitions }));
  }
  if (diagnostics.length === 0) return undefined;
  const color = useColor(flags.color, environment);
  return environment.writeStderr(
    `${formatDiagnostics(diagnostics, { ...options, color })}\n${summarise(diagnostics)}\n`,
  );
}

function useColor(flag: CommonFlags['color'], environment: Environment): boolean {
  if (flag === 'always') return true;
  if (flag === 'never') return false;
  return shouldUseColor({ isTerminal: environment.stderrIsTerminal, environment: environment.variables });
}
