import { countNoun, escapeControls } from '../../diagnostics/index.ts';
import type { ObjectDifference, ObjectsDifference } from '../../index.ts';
import { countOperations, linesOfDifference, markOf, nameWithMove, objectOf, operationNames } from './change-lines.ts';
import type { ChangeLine } from './change-lines.ts';
import { createEffort } from '../unified-diff.ts';
import type { DiffEffort } from '../unified-diff.ts';

export interface ComparedNames {
  readonly a: string;
  readonly b: string;
}

/** A comment on GitHub holds 65,536 characters. */
const mostText = 60_000;
const mostTable = 20_000;

/** For a comment on a pull request: a table of the objects, with the differences of each in a collapsed section. */
export function formatMarkdown(difference: ObjectsDifference, { a, b }: ComparedNames): string {
  const { objects, same } = difference;
  const rest = same === 0 ? '' : `; ${countNoun(same, 'object is', 'objects are')} the same`;
  const title = objects.length === 0 ? 'No differences' : countOperations(objects);
  const start = `### ${title}\n\nFrom ${code(a)} to ${code(b)}${rest}.\n`;
  if (objects.length === 0) return start;
  const table = `\n${formatTable(objects)}`;
  const effort = createEffort();
  const texts = objects.map((difference) => formatDetails(difference, effort));
  const details = fit(texts, mostText - start.length - table.length);
  const left = objects.length - details.length;
  const more = `\nWhat differs in ${countNoun(left, 'more object')} is too long for a comment.\n`;
  return `${start}${table}${details.join('')}${left === 0 ? '' : more}`;
}

/** Those that fit, in order; one that is too long does not exclude shorter ones after it. */
export function fit(parts: readonly string[], room: number): readonly string[] {
  let left = room;
  return parts.filter((part) => {
    const fits = part.length <= left;
    if (fits) left -= part.length;
    return fits;
  });
}

function formatTable(objects: readonly ObjectDifference[]): string {
  const rows = fit(objects.map(formatRow), mostTable);
  const left = objects.length - rows.length;
  const rest = left === 0 ? '' : `| … | ${left} more | | |\n`;
  return `| | object | type | what |\n|---|---|---|---|\n${rows.join('')}${rest}`;
}

function formatRow(difference: ObjectDifference): string {
  const { apiVersion, kind } = objectOf(difference);
  const cells = [code(markOf(difference)), code(nameWithMove(difference)), code(`${apiVersion} ${kind}`)];
  return `| ${[...cells, describe(difference)].map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |\n`;
}

function describe(difference: ObjectDifference): string {
  if (difference.operation !== 'change') return operationNames[difference.operation];
  return countNoun(difference.changes.length, 'field');
}

function formatDetails(difference: ObjectDifference, effort: DiffEffort): string {
  const lines = linesOfDifference(difference, { inline: false, effort }).map(formatLine);
  const text = lines.join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  const title = escapeHtml(shorten(escapeControls(`${markOf(difference)} ${nameWithMove(difference)}`)));
  return `\n<details><summary><code>${title}</code></summary>\n\n${fence}diff\n${text}\n${fence}\n\n</details>\n`;
}

/** The marks that GitHub colours. */
function formatLine({ mark, text }: ChangeLine): string {
  if (mark === '!') return `! ⚠️ ${text}`;
  if (mark === '@') return `@@ ${text.trim().replaceAll('@@', '').trim()} @@`;
  return `${mark === '~' ? '!' : mark} ${text}`.trimEnd();
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Inline code, with a fence that is longer than any run of backticks in it. */
export function code(text: string): string {
  const shown = shorten(escapeControls(text));
  const fence = '`'.repeat(longestRun(shown) + 1);
  const pad = /^`|`$|^ .* $/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

const longestName = 300;

function shorten(text: string): string {
  return text.length <= longestName ? text : `${text.slice(0, longestName)}…`;
}
