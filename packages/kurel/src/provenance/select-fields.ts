import { getOrAdd } from '../budget/index.ts';
import { escapeControls, nearest } from '../diagnostics/index.ts';
import { isJsonArray, stepInto, valueAt } from '../model/index.ts';
import type { Diagnostic, Json, JsonArray, KubeObject, Path } from '../model/index.ts';
import { textOf } from './field-trace.ts';
import type { FieldTrace } from './field-trace.ts';
import { identifyingKeyOf, identityBy } from './find-in-document.ts';
import { formatObject } from '../kube/index.ts';
import { traceProblems } from './problems.ts';

export interface FieldQuestion {
  readonly object: KubeObject;
  /** `replicas`, `containers.name=web`: a path in patch syntax, which may start anywhere in the object. */
  readonly text: string;
}

/** Fields that match a path, and all below them; if it can start in several places, the topmost wins. */
export function selectFields(
  traces: readonly FieldTrace[],
  { object, text }: FieldQuestion,
): { readonly fields: readonly FieldTrace[] } | { readonly problem: Diagnostic } {
  const parsed = parseField(text);
  if (typeof parsed === 'string') {
    return { problem: traceProblems.create('explain-field-syntax', { text, reason: parsed }) };
  }
  const steps = parsed;
  const deepest = traces.reduce((most, { path }) => Math.max(most, path.length), 0);
  for (let start = 0; start < deepest; start += 1) {
    const fields = traces.filter(({ path }) => typeof path[start] !== 'number' && fits(path, 0, start));
    if (fields.length > 0) return { fields };
  }
  return { problem: describeMissing(traces, { object, text, steps }) };

  /** Whether the steps from a position lead along the rest of a path, or to a parent of its end. */
  function fits(path: Path, position: number, at: number): boolean {
    const step = steps[position];
    if (step === undefined) return true;
    const part = path[at];
    if (part === undefined) return false;
    if (step.type === 'all') return fits(path, position + 1, at + 1);
    if (typeof part === 'number') return fitsItem(path, position, at);
    if (step.type !== 'name') return false;
    if (step.name === part) return fits(path, position + 1, at + 1);
    // Label keys contain dots and need no quotes here.
    const length = step.quoted ? 0 : joinedLength(steps.slice(position), part);
    if (length > 0) return fits(path, position + length, at + 1);
    // `template.labels` omits `metadata`.
    const isMetadata = part === 'metadata' && (step.name === 'labels' || step.name === 'annotations') && position > 0;
    return isMetadata && fits(path, position, at + 1);
  }

  function fitsItem(path: Path, position: number, at: number): boolean {
    const step = steps[position]!;
    if (step.type === 'match') {
      const item = valueAt(object, path.slice(0, at + 1));
      return textOf(stepInto(item, step.key)) === step.value && fits(path, position + 1, at + 1);
    }
    const index = step.type === 'index' ? step.index : step.type === 'name' && indexOf(step.name);
    if (typeof index === 'number') return index === path[at] && fits(path, position + 1, at + 1);
    // A field of a list means that field of every item.
    return position > 0 && fits(path, position, at + 1);
  }
}

function indexOf(word: string): number | undefined {
  return /^[0-9]{1,9}$/.test(word) ? Number(word) : undefined;
}

/** Number of leading steps that, joined by dots, form a key. */
function joinedLength(steps: readonly FieldStep[], key: string): number {
  let joined = '';
  for (const [index, step] of steps.entries()) {
    if (step.type !== 'name' || step.quoted) return 0;
    joined += `${index === 0 ? '' : '.'}${step.name}`;
    if (joined === key) return index + 1;
    if (!key.startsWith(joined)) return 0;
  }
  return 0;
}

interface Missing extends FieldQuestion {
  readonly steps: readonly FieldStep[];
}

function describeMissing(traces: readonly FieldTrace[], { object, text, steps }: Missing): Diagnostic {
  const near = nearest(text, new Set(traces.map(({ path }) => formatField(path, object)))) ?? nearInPlace();
  return traceProblems.create('explain-field-unknown', { text, object: formatObject(object), near });

  /** The path with its last word replaced by an existing field. */
  function nearInPlace(): string | undefined {
    const last = steps.at(-1);
    if (last?.type !== 'name' || last.quoted) return undefined;
    const names = traces.flatMap(({ path }) => path.filter((step) => typeof step === 'string'));
    const meant = nearest(last.name, new Set(names));
    return meant === undefined || meant === last.name ? undefined : `${text.slice(0, -last.name.length)}${meant}`;
  }
}

/** A step of a requested field path. */
type FieldStep =
  | { readonly type: 'name'; readonly name: string; readonly quoted: boolean }
  | { readonly type: 'index'; readonly index: number }
  | { readonly type: 'match'; readonly key: string; readonly value: string }
  | { readonly type: 'all' };

const name = /[^.[\]"'=]+/y;
const quoted = /\[\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')\s*\]/y;
const index = /\[\s*([0-9]{1,9})\s*\]/y;
// Spaces are trimmed later: if two adjacent groups could match them, a long run of spaces would backtrack.
const selector = /\[([^"'=\]]+)=(?:\s*"((?:[^"\\]|\\.)*)"\s*|([^"\]]*))\]/y;
const shortSelector = /([^.[\]"'=]+)=(?:"((?:[^"\\]|\\.)*)"|([^.[\]"]+))/y;

/** Parses `containers.name=web.image` into steps, as in patches; a string explains why it is invalid. */
export function parseField(text: string): readonly FieldStep[] | string {
  const steps: FieldStep[] = [];
  let offset = text.startsWith('.') ? 1 : 0;
  if (offset === text.length) return 'the path is empty';
  while (offset < text.length) {
    const isBracket = text[offset] === '[';
    if (steps.length > 0 && !isBracket) {
      if (text[offset] !== '.') return `unexpected ${describe(text, offset)}`;
      offset += 1;
    }
    const parsed = isBracket ? readBracket(text, offset) : readName(text, offset);
    if (parsed === undefined) return explain(text, offset);
    steps.push(parsed.step);
    offset += parsed.length;
  }
  return steps;
}

interface Found {
  readonly step: FieldStep;
  readonly length: number;
}

function readBracket(text: string, offset: number): Found | undefined {
  const key = match(quoted, text, offset);
  if (key !== null) {
    const word = key[1] === undefined ? key[2]!.replaceAll("''", "'") : unescape(key[1]);
    return { step: { type: 'name', name: word, quoted: true }, length: key[0].length };
  }
  const position = match(index, text, offset);
  if (position !== null) return { step: { type: 'index', index: Number(position[1]) }, length: position[0].length };
  if (text.startsWith('[*]', offset)) return { step: { type: 'all' }, length: 3 };
  return toMatch(match(selector, text, offset));
}

function readName(text: string, offset: number): Found | undefined {
  const selected = toMatch(match(shortSelector, text, offset));
  if (selected !== undefined) return selected;
  const word = match(name, text, offset)?.[0];
  if (word === undefined) return undefined;
  return { step: word === '*' ? { type: 'all' } : { type: 'name', name: word, quoted: false }, length: word.length };
}

function toMatch(matched: RegExpExecArray | null): Found | undefined {
  if (matched === null) return undefined;
  const [whole, key, inQuotes, plain] = matched;
  const value = inQuotes === undefined ? plain!.trim() : unescape(inQuotes);
  return { step: { type: 'match', key: key!.trim(), value }, length: whole.length };
}

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1');
}

function explain(text: string, offset: number): string {
  if (offset >= text.length) return 'the path ends with a dot';
  if (text[offset] !== '[') return `unexpected ${describe(text, offset)}`;
  if (!text.includes(']', offset)) return '`[` is not closed';
  return 'brackets must contain an index, a selector such as name=web, or a quoted key';
}

function describe(text: string, offset: number): string {
  return JSON.stringify(text[offset]);
}

function match(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(text);
}

/** A path in patch syntax: `spec.containers[name=web].image`. */
export function formatField(path: Path, object: Json): string {
  let text = '';
  let value: Json | undefined = object;
  for (const step of path) {
    text += typeof step === 'number' ? formatItem(value, step) : formatKey(step, text === '');
    value = stepInto(value, step);
  }
  return escapeControls(text);
}

/** A key in a path in patch syntax. */
export function formatKey(key: string, isFirst: boolean): string {
  if (!/^[^\s.[\]"'=]+$/.test(key)) return `[${JSON.stringify(key)}]`;
  return isFirst ? key : `.${key}`;
}

// All items of a list share one key, and finding it requires looking at all of them.
const knownKeys = new WeakMap<JsonArray, { readonly key: string | undefined }>();

function keyOf(list: JsonArray): string | undefined {
  return getOrAdd(knownKeys, list, () => ({ key: identifyingKeyOf(list) })).key;
}

/** Names an item by its key if that is short enough to read. */
function formatItem(list: Json | undefined, index: number): string {
  const key = isJsonArray(list) ? keyOf(list) : undefined;
  const name = key === undefined ? undefined : identityBy(key, (list as readonly Json[])[index] ?? null);
  return name !== undefined && /^[\w./:@-]{1,60}$/.test(name) ? `[${key}=${name}]` : `[${index}]`;
}
