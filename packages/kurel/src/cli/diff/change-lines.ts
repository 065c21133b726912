import { countNoun, escapeControls, quote } from '../../diagnostics/index.ts';
import {
  formatChangedField,
  formatObject,
  hiddenText,
  nameOf,
  namespaceOf,
  riskOfChange,
  riskOfObject,
  riskWords,
  writeYaml,
} from '../../index.ts';
import type { FieldChange, ItemStep, ObjectDifference, Risk } from '../../index.ts';
import { textAt } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, KubeObject } from '../../model/index.ts';
import { diffLines } from '../unified-diff.ts';
import type { DiffEffort } from '../unified-diff.ts';

/** A line of a report and its meaning: added, removed, changed, unchanged, a position in a text, or a risk of the change. */
export interface ChangeLine {
  readonly mark: '+' | '-' | '~' | ' ' | '@' | '!';
  readonly text: string;
}

interface LineOptions {
  /** Short values are printed on one line: `2 → 3`. */
  readonly inline: boolean;
  readonly effort: DiffEffort;
}

const mostLinesOfObjects = 400;

/** The differences of an object, or the whole object if it was added or removed. */
export function linesOfDifference(difference: ObjectDifference, options: LineOptions): readonly ChangeLine[] {
  if (difference.operation === 'change') {
    return difference.changes.flatMap((change) => {
      const lines = linesOfChange(change, options);
      const risk = findRisk(difference, change);
      return risk === undefined ? lines : lines.concat(lineOfRisk(risk));
    });
  }
  const mark = difference.operation === 'add' ? '+' : '-';
  const risk = findRisk(difference);
  const lines = showValue(objectOf(difference), mostLinesOfObjects).below.map((text): ChangeLine => ({ mark, text }));
  return risk === undefined ? lines : [lineOfRisk(risk), ...lines];
}

/** Why to look twice at an object that was added or removed, or at a field. */
export function findRisk(difference: ObjectDifference, change?: FieldChange): Risk | undefined {
  const risk = change === undefined ? riskOfObject(difference) : riskOfChange(objectOf(difference), change);
  // The heading names both namespaces of an object that is compared across them.
  return change !== undefined && risk === 'namespace' ? undefined : risk;
}

function lineOfRisk(risk: Risk): ChangeLine {
  return { mark: '!', text: riskWords[risk] };
}

export function objectOf(difference: ObjectDifference): KubeObject {
  return difference.operation === 'remove' ? difference.before : difference.after;
}

function linesOfChange(change: FieldChange, options: LineOptions): readonly ChangeLine[] {
  const { operation, path, before, after, hidden } = change;
  const field = formatChangedField(path);
  if (operation === 'move') {
    const { before: from = 0, after: to = 0 } = path.at(-1) as ItemStep;
    return [{ mark: '~', text: `${field}: place ${from + 1} → ${to + 1}` }];
  }
  if (hidden === true) {
    const mark = { add: '+', remove: '-', change: '~' }[operation] as ChangeLine['mark'];
    return [{ mark, text: `${field}: ${operation === 'change' ? `changed ${hiddenText}` : hiddenText}` }];
  }
  if (operation === 'add') return linesOfValue('+', field, after!);
  if (operation === 'remove') return linesOfValue('-', field, before!);
  return linesOfPair(field, [before!, after!], options);
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
    return [
      { mark: '-', text: `${field}: ${from}` },
      { mark: '+', text: `${field}: ${to}` },
    ];
  }
  if (typeof before === 'string' && typeof after === 'string') {
    return [{ mark: '~', text: `${field}:` }, ...linesOfTexts(before, after, effort)];
  }
  return [...linesOfValue('-', field, before), ...linesOfValue('+', field, after)];
}

function linesOfValue(mark: '+' | '-', field: string, value: Json): readonly ChangeLine[] {
  const { head, below } = showValue(value);
  const first = { mark, text: head === '' ? `${field}:` : `${field}: ${head}` };
  // Lines of a text keep their indentation.
  const pad = head === '' ? '  ' : '';
  return [first, ...below.map((line) => ({ mark, text: `${pad}${line}` }))];
}

/** Only the lines that differ, and a few around them. */
function linesOfTexts(before: string, after: string, effort: DiffEffort): readonly ChangeLine[] {
  // A missing final newline is mentioned only if the texts differ in it.
  const end = before.endsWith('\n') || after.endsWith('\n') ? '' : '\n';
  return clipLines(diffLines(`${before}${end}`, `${after}${end}`, effort)).map((line): ChangeLine => {
    const first = line[0];
    if (first === '+' || first === '-' || first === ' ') return { mark: first, text: `  ${line.slice(1)}` };
    return { mark: '@', text: `  ${line}` };
  });
}

const widestLine = 160;
const widestText = 80;
const mostLines = 100;

/** A value as YAML: the part after its key, and a limited number of lines below. */
function showValue(value: Json, most = mostLines): { readonly head: string; readonly below: readonly string[] } {
  const text = writeYaml(value).replace(/\n$/, '');
  if (isFilled(value)) return { head: '', below: clipLines(text.split('\n'), most) };
  const [head = '', ...below] = text.split('\n');
  return { head: clipLine(head), below: clipLines(below, most) };
}

function isFilled(value: Json): boolean {
  if (isJsonArray(value)) return value.length > 0;
  return isJsonObject(value) && Object.keys(value).length > 0;
}

/** Lines of user text, with control characters escaped. */
function clipLines(lines: readonly string[], most = mostLines): readonly string[] {
  const shown = lines.slice(0, most).map(clipLine);
  const left = lines.length - shown.length;
  return left === 0 ? shown : [...shown, `… ${countNoun(left, 'more line')}`];
}

function clipLine(line: string): string {
  if (line.length <= widestLine) return escapeControls(line);
  const start = cutText(line, 0, widestLine - 40);
  return `${escapeControls(start)}… (${line.length - start.length} more characters)`;
}

/** Two values that fit on one line; of long texts, the parts where they begin to differ. */
function showPair(before: Json, after: Json): readonly [string, string] | undefined {
  if ([before, after].some((value) => isFilled(value) || (typeof value === 'string' && value.includes('\n')))) {
    return undefined;
  }
  if (typeof before !== 'string' || typeof after !== 'string' || Math.max(before.length, after.length) <= widestText) {
    return [showValue(before).head, showValue(after).head];
  }
  let shared = 0;
  while (shared < before.length && before[shared] === after[shared]) shared += 1;
  const start = shared > widestText / 2 ? shared - 20 : 0;
  const [from, to] = [before, after].map((text) =>
    quote(`${start === 0 ? '' : '…'}${cutText(text, start, text.length)}`),
  );
  return [from!, to!];
}

/** Never between the halves of a surrogate pair. */
function cutText(text: string, start: number, end: number): string {
  const isHalf = (at: number): boolean => /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1));
  return text.slice(isHalf(start) ? start + 1 : start, isHalf(end) ? end - 1 : end);
}

export const operationNames = { change: 'changed', add: 'added', remove: 'removed', move: 'moved' } as const;

/** `2 changed, 1 added`; empty when nothing differs. */
export function countOperations(list: readonly { readonly operation: keyof typeof operationNames }[]): string {
  return (Object.keys(operationNames) as (keyof typeof operationNames)[])
    .map((name) => [list.filter(({ operation }) => operation === name).length, operationNames[name]] as const)
    .filter(([count]) => count > 0)
    .map((words) => words.join(' '))
    .join(', ');
}

export function markOf({ operation }: ObjectDifference): '+' | '-' | '~' {
  return operation === 'add' ? '+' : operation === 'remove' ? '-' : '~';
}

/** `shop/deployment.web`, as `explain` accepts it; for an object with `generateName`, the prefix. */
export function nameDifference(difference: ObjectDifference): string {
  const object = objectOf(difference);
  const prefix = nameOf(object) === '' ? textAt(object['metadata'], 'generateName') : undefined;
  return prefix === undefined ? formatObject(object) : `${formatObject(object)}${prefix}*`;
}

/** The namespace of an object in A, if it was matched across namespaces. */
export function oldNamespaceOf(difference: ObjectDifference): string | undefined {
  if (difference.operation !== 'change') return undefined;
  const [from, to] = [namespaceOf(difference.before), namespaceOf(difference.after)];
  return from === to ? undefined : from;
}

/** `shop/deployment.web (from namespace staging)` */
export function nameWithMove(difference: ObjectDifference): string {
  const from = oldNamespaceOf(difference);
  const name = nameDifference(difference);
  if (from === undefined) return name;
  return from === '' ? `${name} (had no namespace)` : `${name} (from namespace ${from})`;
}
