import { DiagnosticError, countNoun, quote, sentence, setting } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject, TreeEdits } from '../model/index.ts';
import type { Diagnostic, Json, Path, Range, SourceFile, Values } from '../model/index.ts';
import { exactInteger } from './exact-integer.ts';
import { parameterProblems } from './problems.ts';
import { deepest } from './substitute.ts';

export interface Assignment {
  readonly path: Path;
  readonly value: Json;
  /** The text from the command line, for messages. */
  readonly source: SourceFile;
  /** The value is a string, whatever it looks like. */
  readonly isText?: boolean | undefined;
}

export interface AssignmentOptions {
  /** Leaves it to the caller whether `a=1,b=2` is one assignment. */
  readonly keepsSeveral?: boolean | undefined;
}

/** `a.b[0].c=value` → a path and a value. Throws `DiagnosticError` that points into the text. */
export function parseAssignment(
  source: SourceFile,
  type: 'typed' | 'text',
  { keepsSeveral = false }: AssignmentOptions = {},
): Assignment {
  const { text } = source;
  const path: (string | number)[] = [];
  let offset = readKey(source, 0, path);
  while (text[offset] !== '=') {
    const next = text[offset];
    if (next === '[') offset = readIndex(source, offset, path);
    else if (next === '.') offset = readKey(source, offset + 1, path);
    else if (next === undefined) throw syntax(source, '"=" is missing', { start: offset, end: offset });
    else {
      const reason = `expected ".", "[" or "=" after an index, got ${quote(next)}`;
      throw syntax(source, reason, { start: offset, end: offset + 1 });
    }
  }
  if (path.length > deepest) throw syntax(source, `the path has more than ${deepest} steps`, { start: 0, end: offset });
  const value = text.slice(offset + 1);
  if (type === 'text') return { path, value, source, isText: true };
  const list = readBraces(value);
  if (list !== undefined) return { path, value: readList(list), source };
  // helm reads several assignments here; taking them for text would change a chart without a word.
  const parts = keepsSeveral ? [] : splitAssignments(text);
  if (parts.length > 1) throw new DiagnosticError([createSeveral(source, parts)]);
  return { path, value: typedValue(value), source };
}

/** What helm reads as several assignments, `a=1,b=2`, at the keys that count. A list in braces is one value. */
export function splitAssignments(text: string, isKey: (key: string) => boolean = () => true): readonly string[] {
  const start = text.indexOf('=') + 1;
  if (readBraces(text.slice(start)) !== undefined) return [text];
  const parts: string[] = [];
  let from = 0;
  for (const match of text.slice(start).matchAll(/,([^,=]+)=/g)) {
    if (!isKey(match[1]!.trim())) continue;
    parts.push(text.slice(from, start + match.index));
    from = start + match.index + 1;
  }
  return [...parts, text.slice(from)];
}

/** Says how to give several assignments. */
export function createSeveral(source: SourceFile, parts: readonly string[]): Diagnostic {
  const start = parts[0]!.length;
  const args = {
    text: source.text,
    reason: sentence`it holds several assignments; give ${setting('set')} once for each`,
    parts,
  };
  return parameterProblems.create('set-syntax', args, {
    location: { file: source.path, range: { start, end: start + 1 } },
  });
}

/** What is between the braces around a value, unless they are those of two values. */
function readBraces(value: string): string | undefined {
  return /\},[^,=]+=/.test(value) ? undefined : /^\{(.*)\}$/s.exec(value)?.[1];
}

/** `{a,b}` is a list, as in helm. */
function readList(text: string): Json {
  return text === '' ? [] : text.split(',').map((item) => typedValue(item.trim()));
}

/**
 * Words with the same meaning in every YAML version and integers have a type; everything else stays a string, so that a
 * version such as 1.10 does not become 1.1.
 */
function typedValue(text: string): Json {
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (text === 'null') return null;
  if (!/^(?:0|-?[1-9][0-9]*)$/.test(text)) return text;
  return exactInteger(text) ?? text;
}

function readKey(source: SourceFile, start: number, path: (string | number)[]): number {
  const { text } = source;
  let key = '';
  let offset = start;
  for (; offset < text.length; offset += 1) {
    const character = text[offset]!;
    if (character === '.' || character === '=' || character === '[') break;
    if (character === '\\' && offset + 1 < text.length) offset += 1;
    key += text[offset]!;
  }
  const range = { start, end: Math.max(offset, start + 1) };
  if (key === '') throw syntax(source, 'a key is missing', range);
  if (key === '__proto__') throw syntax(source, 'the key "__proto__" is not allowed', range);
  path.push(key);
  return offset;
}

function readIndex(source: SourceFile, start: number, path: (string | number)[]): number {
  const match = /^\[([0-9]+)\]/.exec(source.text.slice(start));
  if (match === null) throw syntax(source, '"[" must be followed by an index, as in [0]', { start, end: start + 1 });
  path.push(Number(match[1]));
  return start + match[0].length;
}

function syntax(source: SourceFile, reason: string, range: Range): DiagnosticError {
  const location = { file: source.path, range };
  return parameterProblems.error('set-syntax', { text: source.text, reason }, { location });
}

/** New values with one path set; everything else is shared with the old values. */
export function applyAssignment(values: Values, assignment: Assignment): Values {
  return placeAssignment(values, assignment, new TreeEdits());
}

/** The same for many assignments: parts that earlier ones have copied are changed in place. */
export function placeAssignment(values: Values, assignment: Assignment, edits: TreeEdits): Values {
  return place(values, 0, { assignment, edits }) as Values;
}

/** The scalars and lists of scalars in a value, with their paths as assignments have them. */
export function leavesOf(value: Json, path = ''): readonly (readonly [path: string, leaf: Json])[] {
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([key, inner]) => {
      const step = key.replaceAll(/[\\.=[]/g, String.raw`\$&`);
      return leavesOf(inner, path === '' ? step : `${path}.${step}`);
    });
  }
  return isJsonArray(value) && !value.every(isLeaf) ? [] : [[path, value]];
}

function isLeaf(value: Json): boolean {
  return value !== null && typeof value !== 'object';
}

interface Placing {
  readonly assignment: Assignment;
  readonly edits: TreeEdits;
}

function place(current: Json | undefined, depth: number, { assignment, edits }: Placing): Json {
  const step = assignment.path[depth];
  if (step === undefined) return assignment.value;
  if (typeof step === 'string') {
    if (current !== undefined && current !== null && !isJsonObject(current)) {
      throw conflict(assignment, `${before(assignment, depth)} is not an object`);
    }
    const mapping = current ?? {};
    const inner = Object.hasOwn(mapping, step) ? mapping[step] : undefined;
    return edits.putField(mapping, step, place(inner, depth + 1, { assignment, edits }));
  }
  const list = current ?? [];
  if (!isJsonArray(list)) throw conflict(assignment, `${before(assignment, depth)} is not a list`);
  if (step > list.length) {
    const size = countNoun(list.length, 'item');
    throw conflict(assignment, `index ${step} would leave a gap in ${before(assignment, depth)}, which has ${size}`);
  }
  return edits.putItem(list, step, place(list[step], depth + 1, { assignment, edits }));
}

function before({ path }: Assignment, depth: number): string {
  if (depth === 0) return 'the values';
  const steps = path.slice(0, depth).map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return quote(steps.join('').slice(1));
}

function conflict(assignment: Assignment, reason: string): DiagnosticError {
  const { source } = assignment;
  const location = { file: source.path, range: { start: 0, end: source.text.length } };
  return parameterProblems.error('set-conflict', { text: source.text, reason }, { location });
}
