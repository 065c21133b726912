import { isJsonArray } from '../model/index.ts';
import type { Json, JsonArray, JsonObject } from '../model/index.ts';
import {
  DEEPEST,
  refuseData,
  HAS_BREAK,
  textTraits,
  writeDoubleQuoted,
  writeLiteral,
  writeString,
} from './write-string.ts';
import type { LiteralPlace } from './write-string.ts';

/** Indentation of children relative to their parents. */
export interface BlockLayout {
  /** Columns from a key to the keys of its object. */
  readonly step: number;
  /** Columns from a key to the dashes of its list. */
  readonly dash: number;
  /** Columns from a dash to its item. */
  readonly item: number;
}

/** The layout of `kubectl get -o yaml`. */
export const KUBECTL_LAYOUT: BlockLayout = { step: 2, dash: 0, item: 2 };

interface BlockPlace {
  /** Column of the keys or dashes. */
  readonly column: number;
  readonly layout: BlockLayout;
}

// Readers look for the colon only in the 1,024 characters after the start of a key; some count the quotes, too.
const LONGEST_SIMPLE_KEY = 1000;

/** One document in block style; the same data always gives the same text, and YAML 1.1 and 1.2 readers agree on it. */
export function writeYaml(data: Json): string {
  if (typeof data === 'string') return writeText(data, { parent: -1, column: 2, keep: false });
  return isFilled(data) ? writeBlock(data, { column: 0, layout: KUBECTL_LAYOUT }) : `${writeScalar(data)}\n`;
}

/** The lines of a non-empty collection; nothing may depend on line breaks after the last. */
export function writeBlock(data: JsonObject | JsonArray, { column, layout }: BlockPlace): string {
  try {
    const lines = writeCollection(data, { column, layout, isInline: true, last: true, depth: 1 });
    return makeFlat(`${' '.repeat(column)}${lines}\n`);
  } catch (error) {
    // Only the path to the value helps the user find it; the fast path does not track it.
    return refuseData(data, error);
  }
}

/**
 * The JavaScript engine keeps a concatenation as a tree of its pieces until a character is read. The trees of thousands
 * of documents cost several times as much as writing them, so the last character of each, a line break, is read.
 */
function makeFlat(lines: string): string {
  return lines.charCodeAt(lines.length - 1) === 0x0a ? lines : `${lines}\n`;
}

/** Whether the data needs its own lines in block style. */
export function isFilled(data: Json): data is JsonObject | JsonArray {
  if (typeof data !== 'object' || data === null) return false;
  if (isJsonArray(data)) return data.length > 0;
  for (const key in data) if (Object.hasOwn(data, key)) return true;
  return false;
}

/** A scalar or an empty collection on one line. */
export function writeScalar(value: Json): string {
  switch (typeof value) {
    case 'string':
      return writeString(value);
    case 'number':
      if (!Number.isFinite(value)) break;
      return writeNumber(value);
    case 'bigint':
      return writeNumber(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? '[]' : '{}';
  }
  return refuseData(value);
}

/** A string after its key or dash, with the line break that ends it. */
export function writeText(text: string, place: LiteralPlace): string {
  const traits = textTraits(text);
  if ((traits & HAS_BREAK) === 0) return `${writeString(text, 'block', traits)}\n`;
  return writeLiteral(text, traits, place) ?? `${writeDoubleQuoted(text)}\n`;
}

interface Lines extends BlockPlace {
  /** Whether the first key or dash follows on the current line. */
  readonly isInline: boolean;
  /** Whether nothing follows in the document. */
  readonly last: boolean;
  readonly depth: number;
}

/** Without the last line break: each line brings the one before it, so that it can be written together with the indentation. */
function writeCollection(data: JsonObject | JsonArray, lines: Lines): string {
  if (lines.depth > DEEPEST) return refuseData(data);
  return Array.isArray(data) ? writeItems(data, lines) : writeEntries(data as JsonObject, lines);
}

function writeEntries(data: JsonObject, { column, layout, isInline, last, depth }: Lines): string {
  const keys = Object.keys(data);
  let text = '';
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const value = data[key]!;
    const isLast = last && index === keys.length - 1;
    text += startEntry(key, column, isInline && index === 0);
    if (typeof value !== 'string' && isFilled(value)) {
      const isOnDash = Array.isArray(value) && !(key.length > LONGEST_KNOWN_KEY && isExplicit(writeString(key)));
      const inner = column + (isOnDash ? layout.dash : layout.step);
      text += writeCollection(value, { column: inner, layout, isInline: false, last: isLast, depth: depth + 1 });
    } else text += writeLeaf(value, { parent: column, column: column + layout.step, keep: !isLast });
  }
  return text;
}

function writeItems(data: JsonArray, { column, layout, isInline, last, depth }: Lines): string {
  const inner = column + layout.item;
  const start = `\n${' '.repeat(column)}-`;
  let text = '';
  for (let index = 0; index < data.length; index++) {
    const item = data[index]!;
    const isLast = last && index === data.length - 1;
    text += isInline && index === 0 ? '-' : start;
    if (isFilled(item)) {
      const lines = { column: inner, layout, isInline: true, last: isLast, depth: depth + 1 };
      text += ' '.repeat(layout.item - 1) + writeCollection(item, lines);
    } else {
      if (layout.item > 2) text += ' '.repeat(layout.item - 2);
      text += writeLeaf(item, { parent: column, column: inner, keep: !isLast });
    }
  }
  return text;
}

/** A scalar or an empty collection after its key or dash. */
function writeLeaf(value: Json, place: LiteralPlace): string {
  if (typeof value !== 'string') return ` ${writeScalar(value)}`;
  const traits = textTraits(value);
  return ` ${(traits & HAS_BREAK) === 0 ? writeString(value, 'block', traits) : writeText(value, place).slice(0, -1)}`;
}

/** Keys are short and the same in thousands of objects, so that these are written once for each column. */
const knownKeys = new Map<string, string[]>();
const MOST_KNOWN_KEYS = 1000;
const LONGEST_KNOWN_KEY = 100;
const DEEPEST_KNOWN_COLUMN = 50;

/** The line up to the value of a key. */
function startEntry(key: string, column: number, isInline: boolean): string {
  if (key.length > LONGEST_KNOWN_KEY || column > DEEPEST_KNOWN_COLUMN) return createStart(key, column, isInline);
  let starts = knownKeys.get(key);
  if (starts === undefined) {
    starts = [];
    if (knownKeys.size < MOST_KNOWN_KEYS) knownKeys.set(key, starts);
  }
  return (starts[isInline ? 0 : column + 1] ??= createStart(key, column, isInline));
}

function createStart(key: string, column: number, isInline: boolean): string {
  const pad = ' '.repeat(column);
  const written = writeString(key);
  return (isInline ? '' : `\n${pad}`) + (isExplicit(written) ? `? ${written}\n${pad}:` : `${written}:`);
}

function isExplicit(writtenKey: string): boolean {
  return writtenKey.length > LONGEST_SIMPLE_KEY;
}

/**
 * A number in a form that every YAML reader reads as the same number. YAML 1.1 requires a point and a signed exponent in a float,
 * and integers that a double does not represent exactly must not look exact.
 */
function writeNumber(value: number | bigint): string {
  // Our reader, like kubectl's, reads `-0` as an integer, which loses the sign.
  if (!isInexact(value)) return Object.is(value, -0) ? '-0.0' : String(value);
  const text = formatInexact(value);
  // Without a point there is an exponent.
  return text.includes('.') ? text : text.replace('e', '.0e');
}

function isInexact(value: Json): value is number {
  return typeof value === 'number' && Number.isFinite(value) && !Number.isSafeInteger(value);
}

/** Plain digits would claim that an integer beyond the precision of a double is exact. */
function formatInexact(value: number): string {
  return Number.isInteger(value) ? value.toExponential() : String(value);
}

/** How a flow collection separates its parts. */
export interface FlowStyle {
  /** All keys and strings in double quotes, as in JSON. */
  readonly json: boolean;
  readonly colon: string;
  /** Between two entries; if `lines` is set, a line break and the indentation follow. */
  readonly comma: string;
  /** Indentation of nested lines; absent if everything is on one line. */
  readonly lines?: { readonly pad: string; readonly step: number };
}

/** Data in brackets and braces, without a final line break. */
export function writeFlow(data: Json, style: FlowStyle): string {
  if (style.json && style.lines !== undefined && isFilled(data)) {
    const { pad, step } = style.lines;
    const lines = writeJson(data, step);
    const indented = pad.includes('\t') ? lines.replaceAll(/^ +/gmu, (blanks) => '\t'.repeat(blanks.length)) : lines;
    return indented.replaceAll('\n', `\n${pad}`);
  }
  if (typeof data === 'string') return style.json ? writeDoubleQuoted(data) : writeString(data, 'flow');
  if (!isFilled(data)) return writeScalar(data);
  const comma = style.lines === undefined ? style.comma : ', ';
  if (Array.isArray(data)) return `[${data.map((item: Json) => writeFlow(item, style)).join(comma)}]`;
  const entries = Object.entries(data).map(([key, value]) => {
    return `${writeFlowKey(key, style)}${writeFlow(value, style)}`;
  });
  return `{${entries.join(comma)}}`;
}

/** A key and the separator between it and its value. */
export function writeFlowKey(key: string, style: FlowStyle): string {
  const written = writeFlow(key, style);
  return written.length > LONGEST_SIMPLE_KEY && !style.json ? `? ${written} : ` : `${written}${style.colon}`;
}

/** JSON without a final line break; big integers keep all their digits. `indent: 0` writes one line. */
export function writeJson(data: Json, indent = 2): string {
  try {
    // One flat list of chunks: joining nested texts would copy them once per level.
    const chunks: string[] = [];
    writeValue(data, { step: ' '.repeat(indent), pad: '', depth: 0, chunks });
    return chunks.join('');
  } catch (error) {
    return refuseData(data, error);
  }
}

interface Frame {
  readonly step: string;
  readonly pad: string;
  readonly depth: number;
  readonly chunks: string[];
}

function writeValue(value: Json, frame: Frame): void {
  if (typeof value === 'object' && value !== null) writeJsonCollection(value, frame);
  else if (typeof value === 'string') frame.chunks.push(writeDoubleQuoted(value));
  // Unlike YAML, JSON needs no point in a number with an exponent.
  else frame.chunks.push(isInexact(value) ? formatInexact(value) : writeScalar(value));
}

function writeJsonCollection(value: Json & object, frame: Frame): void {
  const { step, pad, depth, chunks } = frame;
  if (depth >= DEEPEST) return void refuseData(value);
  const inner = { step, pad: pad + step, depth: depth + 1, chunks };
  const isList = Array.isArray(value);
  const [open, close] = isList ? '[]' : '{}';
  const entries: readonly [string, Json][] = Object.entries(value);
  if (entries.length === 0) return void chunks.push(`${open}${close}`);
  const lead = step === '' ? '' : `\n${inner.pad}`;
  const colon = step === '' ? ':' : ': ';
  chunks.push(open!);
  for (const [index, [key, item]] of entries.entries()) {
    chunks.push(index === 0 ? lead : `,${lead}`);
    if (!isList) chunks.push(writeDoubleQuoted(key), colon);
    writeValue(item, inner);
  }
  chunks.push(step === '' ? close! : `\n${pad}${close}`);
}
