import { isJsonObject, type Json, type JsonObject } from '../model/index.ts';
import { isSame } from './edit-equal.ts';
import { writeYaml } from './write-yaml.ts';

export interface LinesChange {
  readonly said: JsonObject;
  readonly wanted: JsonObject;
  /** The only key of the root whose value differs. */
  readonly key: string;
}

/**
 * Adds lines to a part of the document that is written as plainly as most metadata is: above it and in it nothing but
 * comments and one `key: value` a line, each value whole on its line. Undefined for everything else.
 *
 * The document was read before, so such lines can only be entries of mappings that nest by their indentation. A line that the
 * writer makes, at the indentation of the entries it is put behind, is therefore one more entry of their mapping, and nothing
 * else changes its meaning. That is why this text alone is not read again; it costs a tenth of what reading it would.
 */
export function editLines(text: string, { said, wanted, key }: LinesChange): string | undefined {
  const section = findSection(text, key);
  const before = said[key];
  const after = wanted[key];
  if (section === undefined || !isJsonObject(before) || !isJsonObject(after)) return undefined;
  const lines = readLines(text, section);
  const additions = lines && findAdditions(lines, before, after);
  if (additions === undefined) return undefined;
  let edited = '';
  let from = 0;
  for (const { at, added } of additions) {
    edited += text.slice(from, at) + added;
    from = at;
  }
  return edited + text.slice(from);
}

interface Section {
  readonly start: number;
  readonly end: number;
}

/** The lines below `key:` at column 0, up to the next line that starts there. */
function findSection(text: string, key: string): Section | undefined {
  let at = 0;
  while (!text.startsWith(`${key}:\n`, at)) {
    const lineEnd = text.indexOf('\n', at);
    if (lineEnd === -1 || !lineAbove.test(text.slice(at, lineEnd))) return undefined;
    at = lineEnd + 1;
  }
  const start = at + key.length + 2;
  let end = start;
  while (text[end] === ' ') {
    const lineEnd = text.indexOf('\n', end);
    if (lineEnd === -1) return undefined;
    end = lineEnd + 1;
  }
  // Only the next key, or the end, closes the section for certain: a tab or another line break may go on with a value.
  return end > start && (end === text.length || /[A-Za-z]/.test(text[end]!)) ? { start, end } : undefined;
}

const lineAbove = /^(?:#.*|[A-Za-z]+: [A-Za-z0-9][A-Za-z0-9./-]*)?$/;

interface Line {
  readonly indent: number;
  readonly key: string;
  readonly isHead: boolean;
  readonly end: number;
}

// A value is a plain word or a text in quotes that has neither quotes nor escapes inside.
const plainLine =
  / +[A-Za-z0-9_][A-Za-z0-9_./-]*:(?: (?:[A-Za-z0-9/.][^\s:#"'\\]*(?::[^\s:#"'\\]+)*|"[^"\\\n]*"|'[^'\n]*'))?\n/y;

function readLines(text: string, { start, end }: Section): readonly Line[] | undefined {
  const lines: Line[] = [];
  for (let at = start; at < end;) {
    plainLine.lastIndex = at;
    if (!plainLine.test(text)) return undefined;
    const lineEnd = plainLine.lastIndex - 1;
    const colon = text.indexOf(':', at);
    let indent = 1;
    while (text[at + indent] === ' ') indent++;
    lines.push({ indent, key: text.slice(at + indent, colon), isHead: colon + 1 === lineEnd, end: lineEnd + 1 });
    at = lineEnd + 1;
  }
  return lines;
}

interface Addition {
  readonly at: number;
  readonly added: string;
}

/** What has to be added where; undefined when something else has to be done. */
function findAdditions(lines: readonly Line[], before: JsonObject, after: JsonObject): readonly Addition[] | undefined {
  if (lines[0]!.indent !== 2) return undefined;
  const additions: Addition[] = [];
  const fresh: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, key)) {
      // How lists are indented is for those to say who look around in the document.
      if (holdsList(value)) return undefined;
      fresh[key] = value;
    } else if (!isSame(before[key]!, value)) {
      const addition = findInner(lines, key, before[key]!, value);
      if (addition === undefined) return undefined;
      additions.push(addition);
    }
  }
  if (Object.keys(before).some((key) => !Object.hasOwn(after, key))) return undefined;
  if (Object.keys(fresh).length > 0) additions.push({ at: lines.at(-1)!.end, added: indent(writeYaml(fresh), 2) });
  return additions.toSorted((a, b) => a.at - b.at);
}

function findInner(lines: readonly Line[], key: string, before: Json, after: Json): Addition | undefined {
  if (!isJsonObject(before) || !isJsonObject(after)) return undefined;
  const head = lines.findIndex((line) => line.indent === 2 && line.key === key && line.isHead);
  const first = lines[head + 1];
  if (head === -1 || first === undefined || first.indent <= 2) return undefined;
  let last = head + 1;
  while ((lines[last + 1]?.indent ?? 0) > 2) last++;
  const names = Object.keys(before);
  if (names.some((name) => !Object.hasOwn(after, name) || !isSame(before[name]!, after[name]!))) return undefined;
  const fresh = Object.fromEntries(Object.entries(after).filter(([name]) => !Object.hasOwn(before, name)));
  if (holdsList(fresh)) return undefined;
  return { at: lines[last]!.end, added: indent(writeYaml(fresh), first.indent) };
}

function holdsList(value: Json): boolean {
  return isJsonObject(value) ? Object.values(value).some(holdsList) : Array.isArray(value);
}

function indent(text: string, by: number): string {
  const blanks = ' '.repeat(by);
  // One line is what there nearly always is.
  return text.indexOf('\n') === text.length - 1 ? blanks + text : text.replaceAll(/^(?=.)/gm, blanks);
}
