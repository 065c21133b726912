import { createBudget, listFindings } from '../../budget/index.ts';
import { shouldUseColor } from '../../diagnostics/index.ts';
import type { Diagnostic, SourceFile } from '../../model/index.ts';
import type { ExitCode } from '../command.ts';
import type { Environment } from '../environment.ts';
import { openDisk } from '../open-world.ts';
import { isRemotePath } from '../packages/mount-packages.ts';
import { printDiagnostics } from '../print-diagnostics.ts';
import type { PrintOptions } from '../print-diagnostics.ts';
import { filesOf } from './build-target.ts';
import type { TargetAction } from './build-target.ts';
import { reportUnused } from './collect-outcomes.ts';
import type { AcceptanceUse, TargetResult } from './collect-outcomes.ts';
import { formatSummary } from './print-summary.ts';

/** The result of a run, or of several shards together. Paths are as the user sees them. */
export interface FinishedRun {
  readonly action: TargetAction;
  /** The fleet file. */
  readonly file: string;
  /** In the order of the fleet file. */
  readonly results: readonly TargetResult[];
  /** Findings about the fleet file and the outputs of removed targets. */
  readonly own: readonly Diagnostic[];
  /** Findings of targets, identical ones once. */
  readonly found: readonly Diagnostic[];
  /** Texts that findings point into. */
  readonly sources: readonly SourceFile[];
  readonly accepted: number;
  readonly acceptances: readonly AcceptanceUse[];
  /** Whether the run processed the whole fleet, so that it can say what nothing uses. */
  readonly isWhole: boolean;
  /** How many outputs of removed targets were removed. */
  readonly pruned: number;
}

export interface RunPrinting extends PrintOptions {
  readonly strict: boolean;
}

/** Prints one report. Exits 1 if a target failed or something is an error. */
export async function printRun(run: FinishedRun, options: RunPrinting, given: Environment): Promise<ExitCode> {
  const { action, results, accepted, pruned } = run;
  const environment = action === 'validate' ? reportToStdout(given) : given;
  const hasFailed = results.some(({ state }) => state === 'failed');
  const unused = run.isWhole && !hasFailed ? reportUnused(run.acceptances, run.file) : [];
  const diagnostics = [...run.own, ...limitGroups([...run.found, ...unused], environment)].map((one) =>
    makeStrict(one, options.strict),
  );
  environment.progress?.clear();
  environment.writeStdout(results.map(({ stdout }) => stdout).join(''));
  await printDiagnostics({ diagnostics, sources: run.sources }, options, environment);
  if ((options['message-format'] ?? 'text') === 'text') {
    const color = options.color === 'always' || (options.color !== 'never' && useStderrColor(environment));
    const showsTimes = environment.stderrIsTerminal;
    environment.writeStderr(formatSummary(results, { color, accepted, action, pruned, showsTimes }));
  }
  return hasFailed || diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0;
}

/** The report is the output of a validation, as it is for single inputs. */
function reportToStdout(environment: Environment): Environment {
  return { ...environment, writeStderr: environment.writeStdout, stderrIsTerminal: environment.stdoutIsTerminal };
}

/** The limit of a single command applies to the whole run. */
function limitGroups(diagnostics: readonly Diagnostic[], { budget }: Environment): readonly Diagnostic[] {
  const { report, all } = listFindings(budget ?? createBudget());
  diagnostics.forEach(report);
  return all();
}

export function makeStrict(diagnostic: Diagnostic, strict: boolean): Diagnostic {
  return strict && diagnostic.severity === 'warning' ? { ...diagnostic, severity: 'error' } : diagnostic;
}

function useStderrColor({ stderrIsTerminal, variables }: Environment): boolean {
  return shouldUseColor({ isTerminal: stderrIsTerminal, environment: variables });
}

/** Findings of targets that were not built again point into files that this run has not read; some of them are in packages of registries. */
export async function addTexts(
  run: FinishedRun,
  environment: Environment,
  readPackaged: (path: string) => Promise<string | undefined> = async () => undefined,
): Promise<FinishedRun> {
  const known = new Set(run.sources.map(({ path }) => path));
  const disk = openDisk({ ...environment, watched: undefined });
  const sources = [...run.sources];
  for (const file of filesOf([...run.own, ...run.found])) {
    if (known.has(file)) continue;
    try {
      const packaged = isRemotePath(file) ? await readPackaged(file) : undefined;
      sources.push({ path: file, text: packaged ?? (await disk.readText(file)) });
    } catch {
      // The finding is printed without an excerpt.
      continue;
    }
  }
  return { ...run, sources };
}
