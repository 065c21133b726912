import type { Range } from '../model/index.ts';

/** Names whose values must not be shown, as a regular expression. `automountServiceAccountToken` is only a boolean. */
const secretNames =
  'pass(?:word|wd|phrase)|(?<!serviceAccount)token|credentials?|(?:secret|api|access|private)[-_]?key|client[-_]?secret';

const atEnd = new RegExp(`(?:${secretNames})$`, 'i');

/** Whether a key such as `databasePassword` suggests that its value must not be shown. */
export function isSecretName(name: string): boolean {
  return atEnd.test(name);
}

// The environment variables of a container have the name in one field and the value in the next.
const variable = `\\bname["']?[ \\t]*:[ \\t]*["']?[\\w.-]*(?:${secretNames})["']?[ \\t]*(?:,\\s*|\\r?\\n[ \\t]*)["']?value["']?`;
const key = `(?:${secretNames})["']?(?:[.[][^\\s:={}]{0,100})?`;
const secretName = new RegExp(`(?:${variable}|${key})[ \\t]*(?:: *|=)`, 'gi');
// In these resources, "secretKey" is the name of a key in a Secret.
const namesKeys = /\b(?:kind["']?\s*:\s*["']?ExternalSecret\b|type["']?\s*:\s*["']?external-secret\b)/;
const harmless = /^(?:\$\{[^}]*\}|true|false|null|~|)$/;
const block = /^[|>][-+0-9]*[ \t]*(?:#.*)?$/;

/** The values of keys such as `password`. */
function findNamed(text: string): readonly Range[] {
  const isName = namesKeys.test(text) ? /^secretKey\b/ : undefined;
  const values: Range[] = [];
  let lineEnd = 0;
  let covered = 0;
  for (const { 0: name, index } of text.matchAll(secretName)) {
    const start = index + name.length;
    if (start < covered || isName?.test(name) === true) continue;
    // A line may be a whole file, with thousands of names.
    if (start > lineEnd) lineEnd = endOfLine(text, start);
    if (isStructure(name, text[start])) continue;
    covered = lineEnd;
    const value = text.slice(start, lineEnd).trim();
    if (block.test(value)) {
      covered = endBelow(text, start, columnOf(text, start));
      for (const line of linesOf(text, { start: lineEnd + 1, end: covered })) values.push(line);
    } else if (!harmless.test(value)) values.push({ start, end: lineEnd });
  }
  return values;
}

/** Credentials and tokens in braces are mostly references to where they are kept. */
function isStructure(name: string, first: string | undefined): boolean {
  return (first === '{' || first === '[') && !/^pass/i.test(name);
}

/** The column of the key whose value starts at an offset; lines indented further belong to that value. */
function columnOf(text: string, offset: number): number {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*(?:-[ \t]+)*/.exec(text.slice(start, offset))![0].length;
}

function linesOf(text: string, { start, end }: Range): readonly Range[] {
  const lines: Range[] = [];
  for (let at = start; at < end; at = endOfLine(text, at) + 1) {
    const line = text.slice(at, Math.min(end, endOfLine(text, at)));
    const blank = line.length - line.trimStart().length;
    if (blank < line.length) lines.push({ start: at + blank, end: at + line.length });
  }
  return lines;
}

/** Shown in place of a secret. */
export const hiddenText = '(hidden)';

// These match by appearance only, because messages are often about texts that cannot be parsed.
const secretTarget = /\btarget["']?\s*:\s*["']?(?:[^\s"'./]*\/)?[sS]ecrets?\b/;
const secretKind = new RegExp(`\\bkind["']?\\s*:\\s*["']?Secret\\b|${secretTarget.source}`);
const secretSection = /^\[(?:[^\]./\n]*\/)?secrets?\.[^\]\n]*\]/gim;
const secretField = /(?:^|[\s{,])(["']?)(?:data|stringData)\1[ \t]*:/g;
// Paths in patches and JSON Patch operations: only Secrets have `stringData`, but many kinds have `data`.
const secretEntry = /^[ \t]*(?:-[ \t]+)?["']?(stringData|data)[.[][^\n]*?:[ \t]+/gm;
// The same in braces, where the end of an invalid value cannot be determined.
const secretEntryInBraces = /[{,][ \t]*["']?(stringData|data)[.[][^\n:{}]*:[ \t]+/g;
const secretPointer = /["']?path["']?[ \t]*:[ \t]*["']?\/(stringData|data)\b/g;
const valueOfOperation = /(?:^|[\s{,])["']?value["']?[ \t]*:[ \t]*/;
/** The range of one operation, in characters around its path. */
const operationReach = 2000;

/**
 * The parts of a text that messages must not show, in order: contents of Secrets, values of keys such as `password`, and
 * credentials in URLs.
 */
export function findSecrets(text: string): readonly Range[] {
  const holders = secretTarget.test(text) ? ['stringData', 'data'] : ['stringData'];
  return joinRanges([
    ...(secretKind.test(text) ? findData(text) : []),
    ...findPatched(text),
    ...findEntries(text, holders),
    ...findOperations(text, holders),
    ...findNamed(text),
    ...findUsers(text),
  ]);
}

/** Sorts ranges and merges those that touch. */
export function joinRanges(ranges: readonly Range[]): readonly Range[] {
  const apart: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = apart.at(-1);
    if (last === undefined || range.start > last.end) apart.push(range);
    else apart[apart.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return apart;
}

// Only schemes that messages are about; a database URL is a string like any other.
const userOfUrl = /\b(?:https?|oci):\/\/([^\s/?#"']+)@/gi;

/** The user and password in URLs. */
function findUsers(text: string): readonly Range[] {
  return Array.from(text.matchAll(userOfUrl), ({ 0: whole, 1: user, index }) => {
    const end = index + whole.length - 1;
    return { start: end - user!.length, end };
  });
}

/** All values in patch sections that target Secrets. */
function findPatched(text: string): readonly Range[] {
  return Array.from(text.matchAll(secretSection), ({ 0: header, index }) => {
    const start = index + header.length;
    const end = text.indexOf('\n[', start);
    return valuesOfLines(text, { start, end: end === -1 ? text.length : end });
  }).flat();
}

/** The values after the colons, and below them in block scalars. A line without a colon is a mistake: its first word counts as the key. */
function valuesOfLines(text: string, { start, end }: Range): readonly Range[] {
  const values: Range[] = [];
  let block: number | undefined;
  for (let at = start; at < end; at = endOfLine(text, at) + 1) {
    const line = text.slice(at, Math.min(endOfLine(text, at), end)).trimEnd();
    const column = line.length - line.trimStart().length;
    if (line === '' || (block === undefined && line.trimStart().startsWith('#'))) continue;
    if (block !== undefined && column <= block) block = undefined;
    const lead =
      block === undefined ? (/^.*?:[ \t]+|^[ \t]*[^\s:=]+[ \t=]+/.exec(line)?.[0] ?? line) : line.slice(0, column);
    const value = line.slice(lead.length);
    if (block === undefined && /^[|>]/.test(value)) block = column;
    else if (value !== '' && !isReference(value)) values.push({ start: at + lead.length, end: at + line.length });
  }
  return values;
}

function findEntries(text: string, holders: readonly string[]): readonly Range[] {
  const values: Range[] = [];
  let covered = 0;
  for (const { 0: lead, 1: holder, index } of text.matchAll(secretEntry)) {
    if (index < covered || !holders.includes(holder!)) continue;
    const end = endBelow(text, index, lead.length - lead.trimStart().length);
    for (const value of valuesOfLines(text, { start: index, end })) values.push(value);
    covered = end;
  }
  let lineEnd = 0;
  for (const { 0: lead, 1: holder, index } of text.matchAll(secretEntryInBraces)) {
    const start = index + lead.length;
    if (start < lineEnd || !holders.includes(holder!)) continue;
    lineEnd = endOfLine(text, start);
    if (!isReference(text.slice(start, lineEnd).replace(/\}?\s*$/, ''))) values.push({ start, end: lineEnd });
  }
  return values;
}

function findOperations(text: string, holders: readonly string[]): readonly Range[] {
  return Array.from(text.matchAll(secretPointer), ({ 1: holder, index }) => {
    if (!holders.includes(holder!)) return [];
    const before = text.slice(Math.max(0, index - operationReach), index);
    const start = index - before.length + Math.max(0, before.lastIndexOf('{'), before.lastIndexOf('- '));
    const rest = text.slice(start, index + operationReach);
    const close = rest.startsWith('{') ? rest.indexOf('}', index - start) : rest.slice(1).search(/\n[ \t]*-[ \t]/) + 1;
    const operation = close > 0 ? rest.slice(0, close) : rest;
    const value = valueOfOperation.exec(operation);
    if (value === null) return [];
    const from = start + value.index + value[0].length;
    const isLast = !rest.startsWith('{') || from > index;
    return [{ start: from, end: isLast ? start + operation.trimEnd().length : index }];
  }).flat();
}

/** The values under `data` and `stringData`, in documents that contain a Secret. */
function findData(text: string): readonly Range[] {
  const secrets: Range[] = [];
  for (const document of documentsOf(text)) {
    const part = text.slice(document.start, document.end);
    if (!secretKind.test(part)) continue;
    let covered = document.start;
    for (const { 0: whole, index } of part.matchAll(secretField)) {
      const lead = /^\s*/.exec(whole)![0];
      const key = document.start + index + (lead === '' ? whole.search(/[\w"']/) : lead.length);
      if (key < covered) continue;
      const behind = document.start + index + whole.length;
      const { values, end } = valuesBehind(text, { key, behind, end: document.end });
      covered = end;
      for (const value of values) if (!isReference(text.slice(value.start, value.end))) secrets.push(value);
    }
  }
  return secrets;
}

/** The name of a parameter is not a secret. */
function isReference(value: string): boolean {
  return /^\$\{[^}]*\}$/.test(value.trim());
}

function documentsOf(text: string): readonly Range[] {
  const starts = [0, ...Array.from(text.matchAll(/^---/gm), ({ index }) => index)];
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? text.length }));
}

interface Field {
  readonly key: number;
  /** Offset after the colon. */
  readonly behind: number;
  readonly end: number;
}

interface Values {
  readonly values: readonly Range[];
  /** End of the examined text. */
  readonly end: number;
}

// Properties that may precede an object that begins on the next line.
const onlyProperties = /^(?:[&!][^\s{}[\],]*(?:[ \t]+|$))*(?:#.*)?$/;

function valuesBehind(text: string, field: Field): Values {
  const lineEnd = Math.min(endOfLine(text, field.behind), field.end);
  const rest = text.slice(field.behind, lineEnd);
  const first = rest.trimStart();
  if (first.startsWith('{')) return valuesInBraces(text, { start: lineEnd - first.length, end: field.end });
  if (onlyProperties.test(first.trimEnd())) return valuesBelow(text, { ...field, behind: lineEnd });
  return { values: [{ start: lineEnd - first.length, end: lineEnd }], end: lineEnd };
}

/** Values in the lines indented further than the key: entries, whose names are not secret, and their continuation lines. */
function valuesBelow(text: string, { key, behind, end }: Field): Values {
  const column = key - (text.lastIndexOf('\n', key - 1) + 1);
  const values: Range[] = [];
  let entryColumn: number | undefined;
  let start = behind + 1;
  for (; start < end; start = endOfLine(text, start) + 1) {
    const line = text.slice(start, Math.min(endOfLine(text, start), end));
    const blank = line.length - line.trimStart().length;
    if (blank === line.length) continue;
    if (blank <= column) break;
    entryColumn ??= blank;
    const name = blank === entryColumn ? /^\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"':]+)\s*:(?:\s+|$)/.exec(line) : null;
    const from = start + (name === null ? blank : name[0].length);
    if (from < start + line.length) values.push({ start: from, end: start + line.length });
  }
  return { values: values, end: start };
}

/** Everything after the colons between braces. */
function valuesInBraces(text: string, { start, end }: Range): Values {
  const values: Range[] = [];
  let depth = 0;
  let value: number | undefined;
  let quoted = '';
  for (let at = start; at < end; at += 1) {
    const character = text[at]!;
    if (quoted !== '') {
      if (character === '\\' && quoted === '"') at += 1;
      else if (character === quoted) quoted = '';
    } else if (character === '"' || character === "'") quoted = character;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']' || (character === ',' && depth === 1)) {
      if (character !== ',') depth -= 1;
      if (value !== undefined && depth <= 1) {
        values.push({ start: value, end: at });
        value = undefined;
      }
      if (depth === 0) return { values: values, end: at };
    } else if (character === ':' && depth === 1) value ??= at + 1;
  }
  // It is never closed, so everything that follows may belong to it.
  return { values: [...values, { start: value ?? start, end }], end };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** The end of a block: a line and all lines below it that are blank or indented further than a column. */
function endBelow(text: string, from: number, column: number): number {
  let end = endOfLine(text, from);
  for (let at = end + 1; at < text.length; at = endOfLine(text, at) + 1) {
    const lineEnd = endOfLine(text, at);
    const start = skipBlanks(text, at);
    if (start >= lineEnd) continue;
    if (start - at <= column) break;
    end = lineEnd;
  }
  return end;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\r') at += 1;
  return at;
}
