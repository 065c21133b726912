import { formatChangedField, hiddenText } from '../../index.ts';
import type { FieldChange, ItemStep, ObjectDifference } from '../../index.ts';
import type { Json, KubeObject } from '../../model/index.ts';
import { diffLines } from '../unified-diff.ts';
import type { DiffEffort } from '../unified-diff.ts';
import { clipLines, showPair, showValue } from './show-value.ts';

/** A line of a report, and what it says: added, removed, changed, as it was, or where in a text one is. */
export interface ChangeLine {
  readonly mark: '+' | '-' | '~' | ' ' | '@';
  readonly text: string;
}

export interface LineOptions {
  /** Short values before and after stand on one line: `2 → 3`. */
  readonly inline: boolean;
  readonly effort: DiffEffort;
}

const mostLinesOfObjects = 400;

/** What differs in an object, or all of one that is new or gone. */
export function linesOfDifference(difference: ObjectDifference, options: LineOptions): readonly ChangeLine[] {
  if (difference.operation === 'change') return difference.changes.flatMap((change) => linesOfChange(change, options));
  const mark = difference.operation === 'add' ? '+' : '-';
  return showValue(objectOf(difference), mostLinesOfObjects).below.map((text): ChangeLine => ({ mark, text }));
}

export function objectOf(difference: ObjectDifference): KubeObject {
  return difference.operation === 'remove' ? difference.before : difference.after;
}

function linesOfChange(change: FieldChange, options: LineOptions): readonly ChangeLine[] {
  const { operation, path, before, after, hidden } = change;
  const field = formatChangedField(path);
  if (operation === 'move') return [{ mark: '~', text: `${field}: ${describeMove(path.at(-1) as ItemStep)}` }];
  if (hidden === true) {
    const mark = { add: '+', remove: '-', change: '~' }[operation] as ChangeLine['mark'];
    return [{ mark, text: `${field}: ${operation === 'change' ? `changed ${hiddenText}` : hiddenText}` }];
  }
  if (operation === 'add') return linesOfValue('+', field, after!);
  if (operation === 'remove') return linesOfValue('-', field, before!);
  return linesOfPair(field, [before!, after!], options);
}

/** As people count. */
function describeMove({ before = 0, after = 0 }: ItemStep): string {
  return `place ${before + 1} → ${after + 1}`;
}

function linesOfPair(
  field: string,
  [before, after]: readonly [Json, Json],
  { inline, effort }: LineOptions,
): readonly ChangeLine[] {
  const pair = showPair(before, after);
  if (pair !== undefined) {
    const [from, to] = pair;
    if (inline && from.length + to.length <= 100) return [{ mark: '~', text: `${field}: ${from} → ${to}` }];
    const lines: readonly ChangeLine[] = [
      { mark: '-', text: `${field}: ${from}` },
      { mark: '+', text: `${field}: ${to}` },
    ];
    return lines;
  }
  if (typeof before === 'string' && typeof after === 'string') {
    return [{ mark: '~', text: `${field}:` }, ...linesOfTexts(before, after, effort)];
  }
  return [...linesOfValue('-', field, before), ...linesOfValue('+', field, after)];
}

function linesOfValue(mark: '+' | '-', field: string, value: Json): readonly ChangeLine[] {
  const { head, below } = showValue(value);
  const first = { mark, text: head === '' ? `${field}:` : `${field}: ${head}` };
  // Lines of a text are indented as they are.
  const pad = head === '' ? '  ' : '';
  return [first, ...below.map((line) => ({ mark, text: `${pad}${line}` }))];
}

/** Only the lines that differ, and a few around them. */
function linesOfTexts(before: string, after: string, effort: DiffEffort): readonly ChangeLine[] {
  // That the last line has no end is worth a word only where the two are not alike in it.
  const end = before.endsWith('\n') || after.endsWith('\n') ? '' : '\n';
  return clipLines(diffLines(`${before}${end}`, `${after}${end}`, effort)).map((line): ChangeLine => {
    const first = line[0];
    if (first === '+' || first === '-' || first === ' ') return { mark: first, text: `  ${line.slice(1)}` };
    return { mark: '@', text: `  ${line}` };
  });
}
