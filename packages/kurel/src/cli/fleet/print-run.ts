import { createBudget, listFindings } from '../../budget/index.ts';
import { countNoun, escapeControls } from '../../diagnostics/index.ts';
import type { Diagnostic, SourceFile } from '../../model/index.ts';
import { filesOf } from '../../reads/index.ts';
import type { CommandResult, ExitCode } from '../command.ts';
import type { Environment } from '../environment.ts';
import { openDisk } from '../open-world.ts';
import { isRemotePath } from '../packages/mount-packages.ts';
import { columnWidth, paint, useColor } from '../terminal.ts';
import { asErrors } from '../sourced-findings.ts';
import type { PrintOptions } from '../print-diagnostics.ts';
import type { SourcedFindings } from '../sourced-findings.ts';
import { hasErrors } from '../usage-error.ts';
import type { TargetAction } from './build-target.ts';
import { reportUnused } from './collect-outcomes.ts';
import type { AcceptanceUse, TargetResult } from './collect-outcomes.ts';
import { relocate } from './open-fleet.ts';
import type { FleetPlace } from './open-fleet.ts';

/** The result of a run, or of several shards together. Paths are as the user sees them. */
export interface FinishedRun {
  readonly action: TargetAction;
  readonly file: string;
  readonly results: readonly TargetResult[];
  /** Findings about the fleet file and the outputs of removed targets. */
  readonly own: readonly Diagnostic[];
  /** Findings of targets, identical ones once. */
  readonly found: readonly Diagnostic[];
  readonly sources: readonly SourceFile[];
  readonly accepted: number;
  readonly acceptances: readonly AcceptanceUse[];
  /** Whether the run processed the whole fleet, so that it can say what nothing uses. */
  readonly isWhole: boolean;
  /** How many outputs of removed targets were removed. */
  readonly pruned: number;
}

interface RunPrinting extends PrintOptions {
  readonly strict: boolean;
}

/** One report. Exits 1 if a target failed or something is an error. */
export function reportRun(run: FinishedRun, options: RunPrinting, environment: Environment): CommandResult {
  const { action, results, sources } = run;
  // The report is the output of a validation, as it is for single inputs.
  const isReport = action === 'validate';
  const isTerminal = isReport ? environment.stdoutIsTerminal : environment.stderrIsTerminal;
  const failed = results.filter(({ state }) => state === 'failed');
  const unused = run.isWhole && failed.length === 0 ? reportUnused(run.acceptances, run.file) : [];
  const all = [...run.own, ...limitGroups([...run.found, ...unused], environment)];
  const diagnostics = options.strict ? asErrors(all) : all;
  const color = useColor(options.color, environment, isTerminal);
  const table = failed.length === 0 ? '' : `\n${formatTable(failed, color)}\n`;
  const slowest = isTerminal ? formatSlowest(results) : '';
  const exitCode = failed.length > 0 || hasErrors(diagnostics) ? 1 : 0;
  return {
    stdout: results.map(({ stdout }) => stdout).join(''),
    diagnostics,
    sources,
    remark: `${table}${slowest}${formatLine(run)}\n`,
    isReport,
    exitCode,
  };
}

/** The limit of a single command applies to the whole run. */
function limitGroups(
  diagnostics: readonly Diagnostic[],
  { budget = createBudget() }: Environment,
): readonly Diagnostic[] {
  // Each target has a budget of its own.
  const { report, all } = listFindings(budget, budget.findings);
  diagnostics.forEach(report);
  return all();
}

/** The findings of the fleet file, and others after them, with paths as the user sees them. */
export function reportFleet(
  { diagnostics, sources }: SourcedFindings,
  { strict = false, ...place }: FleetPlace & { readonly strict?: boolean },
): SourcedFindings & { readonly exitCode: ExitCode } {
  const { opened } = place;
  const all = [...opened.diagnostics, ...limitGroups(diagnostics, opened.environment)];
  const findings = { diagnostics: strict ? asErrors(all) : all, sources: [...opened.sources, ...sources] };
  return { ...relocate(findings, place), exitCode: hasErrors(findings.diagnostics) ? 1 : 0 };
}

/** Findings of targets that were not built again point into files that this run has not read; some of them are in packages of registries. */
export async function addTexts(
  run: FinishedRun,
  environment: Environment,
  readPackaged: (path: string) => Promise<string | undefined>,
): Promise<FinishedRun> {
  const paths = new Set(run.sources.map(({ path }) => path));
  const disk = openDisk({ ...environment, watched: undefined });
  const sources = [...run.sources];
  for (const file of filesOf([...run.own, ...run.found])) {
    if (paths.has(file)) continue;
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

const mostRows = 50;
const mostSlow = 3;
/** Targets that take less are not worth listing. */
const slowMs = 1000;

function formatTable(failed: readonly TargetResult[], color: boolean): string {
  const shown = failed.slice(0, mostRows);
  const names = shown.map(({ name }) => escapeControls(name));
  const width = columnWidth(names, 'TARGET'.length);
  const rows = shown.map(({ errors, warnings }, index) => {
    const counts = [
      ...(errors === 0 ? [] : [countNoun(errors, 'error')]),
      ...(warnings === 0 ? [] : [countNoun(warnings, 'warning')]),
    ];
    return `${names[index]!.padEnd(width)}  ${paint('31', 'failed', color)}  ${counts.join(', ')}`.trimEnd();
  });
  const rest = failed.length - shown.length;
  const more = rest === 0 ? [] : [`… and ${rest} more`];
  return [paint('1', `${'TARGET'.padEnd(width)}  RESULT`, color), ...rows, ...more].map((line) => `${line}\n`).join('');
}

function formatSlowest(results: readonly TargetResult[]): string {
  const slow = results
    .filter(({ milliseconds }) => milliseconds >= slowMs)
    .toSorted((a, b) => b.milliseconds - a.milliseconds)
    .slice(0, mostSlow);
  if (slow.length === 0) return '';
  const words = slow.map(({ name, milliseconds }) => `${escapeControls(name)} ${(milliseconds / 1000).toFixed(1)} s`);
  return `slowest targets: ${words.join(', ')}\n`;
}

/** `96 targets: 2 failed, 12 built, 4 built without changes, 78 up to date; 3 findings accepted` */
function formatLine({ results, accepted, action, pruned }: FinishedRun): string {
  const number = (state: TargetResult['state']): number => results.filter((result) => result.state === state).length;
  const failed = number('failed');
  const counts = joinCounts(
    action === 'build'
      ? {
          failed,
          built: number('built'),
          'built without changes': number('unchanged'),
          'up to date': number('up to date'),
        }
      : { failed, [action === 'validate' ? 'valid' : 'up to date']: results.length - failed },
  );
  const cached = results.filter(({ isCached }) => isCached === true).length;
  const remarks = [
    ...(cached === 0 ? [] : [`${formatCount(cached)} from the cache`]),
    ...(accepted === 0 ? [] : [`${formatCount(accepted, 'finding')} accepted`]),
    ...(pruned === 0 ? [] : [`${formatCount(pruned, 'output')} removed`]),
  ];
  return [`${formatCount(results.length, 'target')}${counts === '' ? '' : `: ${counts}`}`, ...remarks].join('; ');
}

/** `1 added, 2 updated`, without those that there are none of. */
export function joinCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${formatCount(count)} ${word}`)
    .join(', ');
}

/** `1 target`, `1,000 targets` */
export function formatCount(count: number, noun?: string): string {
  const text = count.toLocaleString('en-US');
  return noun === undefined ? text : `${text} ${noun}${count === 1 ? '' : 's'}`;
}
