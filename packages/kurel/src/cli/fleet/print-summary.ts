import { escapeControls } from '../../diagnostics/index.ts';
import { paint } from '../terminal.ts';
import type { TargetAction } from './build-target.ts';
import type { TargetResult } from './collect-outcomes.ts';

export interface SummaryOptions {
  readonly color: boolean;
  readonly accepted: number;
  readonly action: TargetAction;
  /** How many outputs of removed targets were removed. */
  readonly pruned: number;
  /** Whether to list the targets that took longest. */
  readonly showsTimes: boolean;
}

const mostRows = 50;
const mostSlow = 3;
/** Targets that take less are not worth listing. */
const slowMs = 1000;

/** A table of the targets that failed, and one line for all of them. */
export function formatSummary(results: readonly TargetResult[], options: SummaryOptions): string {
  const failed = results.filter(({ state }) => state === 'failed');
  const table = failed.length === 0 ? '' : `\n${formatTable(failed, options.color)}\n`;
  return `${table}${options.showsTimes ? formatSlowest(results) : ''}${formatLine(results, options)}\n`;
}

function formatTable(failed: readonly TargetResult[], color: boolean): string {
  const shown = failed.slice(0, mostRows);
  const width = shown.reduce((most, { name }) => Math.max(most, name.length), 'TARGET'.length);
  const rows = shown.map(({ name, errors, warnings }) => {
    const counts = [
      errors === 0 ? '' : `${errors} ${errors === 1 ? 'error' : 'errors'}`,
      warnings === 0 ? '' : `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`,
    ];
    const words = counts.filter((word) => word !== '').join(', ');
    return `${escapeControls(name).padEnd(width)}  ${paint('31', 'failed', color)}  ${words}`.trimEnd();
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
function formatLine(results: readonly TargetResult[], { accepted, action, pruned }: SummaryOptions): string {
  const number = (state: TargetResult['state']): number => results.filter((one) => one.state === state).length;
  const failed = number('failed');
  const parts: readonly (readonly [count: number, words: string])[] =
    action === 'build'
      ? [
          [failed, 'failed'],
          [number('built'), 'built'],
          [number('unchanged'), 'built without changes'],
          [number('up to date'), 'up to date'],
        ]
      : [
          [failed, 'failed'],
          [results.length - failed, action === 'validate' ? 'valid' : 'up to date'],
        ];
  const words = parts.filter(([count]) => count > 0).map(([count, word]) => `${count.toLocaleString('en-US')} ${word}`);
  const cached = results.filter(({ isCached }) => isCached === true).length;
  const remarks = [
    ...(cached === 0 ? [] : [`${cached.toLocaleString('en-US')} from the cache`]),
    ...(accepted === 0 ? [] : [`${countNouns(accepted, 'finding')} accepted`]),
    ...(pruned === 0 ? [] : [`${countNouns(pruned, 'output')} removed`]),
  ];
  const counts = words.length === 0 ? '' : `: ${words.join(', ')}`;
  return [`${countNouns(results.length, 'target')}${counts}`, ...remarks].join('; ');
}

function countNouns(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
