import type { Range } from '../model/index.ts';
import { secretNames } from './secret-name.ts';

/** What stands where something was that is not for showing. */
export const hiddenText = '(hidden)';

// Only by their looks: messages are about texts that often cannot be read as what they should be.
const secretKind = /\bkind["']?\s*:\s*["']?Secret\b|\btarget["']?\s*:\s*["']?[sS]ecrets?\b/;
const secretSection = /^\[(?:[^\]./\n]*\/)?secrets?\.[^\]\n]*\]/gim;
const secretField = /(?:^|[\s{,])(["']?)(?:data|stringData)\1[ \t]*:/g;
const secretName = new RegExp(`(?:${secretNames})["']?(?:[.[][^\\s:={}]{0,100})?[ \\t]*(?:: *|=)`, 'gi');
// There, "secretKey" names an entry of a Secret.
const namesKeys = /\b(?:kind["']?\s*:\s*["']?ExternalSecret\b|type["']?\s*:\s*["']?external-secret\b)/;
const harmless = /^(?:\$\{[^}]*\}|true|false|null|~|[|>][-+0-9]*|)$/;
// Nothing but a Secret has it, so whatever is put there is one: by patches, and by operations of JSON Patch.
const secretEntry = /^[ \t]*(?:-[ \t]+)?["']?stringData[.[][^\n]*?:[ \t]+/gm;
const secretPointer = /["']?path["']?[ \t]*:[ \t]*["']?\/stringData\b/g;
const valueOfOperation = /(?:^|[\s{,])["']?value["']?[ \t]*:[ \t]*/;
/** Of one operation, in characters around its path. */
const operationReach = 2000;

/** The parts of a text that messages should not show, in order: what Secrets hold, and what keys such as `password` have. */
export function findSecrets(text: string): readonly Range[] {
  const found = [
    ...(secretKind.test(text) ? findData(text) : []),
    ...findPatched(text),
    ...findEntries(text),
    ...findOperations(text),
    ...findNamed(text),
  ];
  const apart: Range[] = [];
  for (const range of found.toSorted((a, b) => a.start - b.start)) {
    const last = apart.at(-1);
    if (last === undefined || range.start > last.end) apart.push(range);
    else apart[apart.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return apart;
}

/** In sections of patches for Secrets, all values. */
function findPatched(text: string): readonly Range[] {
  return Array.from(text.matchAll(secretSection), ({ 0: header, index }) => {
    const start = index + header.length;
    const end = text.indexOf('\n[', start);
    return valuesOfLines(text, { start, end: end === -1 ? text.length : end });
  }).flat();
}

/** What stands behind the colons, and below them where a text has several lines. A line without a colon is a mistake, and one word long. */
function valuesOfLines(text: string, { start, end }: Range): readonly Range[] {
  const found: Range[] = [];
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
    else if (value !== '' && !/^\$\{[^}]*\}$/.test(value))
      found.push({ start: at + lead.length, end: at + line.length });
  }
  return found;
}

function findEntries(text: string): readonly Range[] {
  if (!text.includes('stringData')) return [];
  return Array.from(text.matchAll(secretEntry), ({ 0: lead, index }) => {
    const column = lead.length - lead.trimStart().length;
    let end = endOfLine(text, index);
    // What stands further right goes on with it.
    while (end < text.length && isDeeper(text, end + 1, column)) end = endOfLine(text, end + 1);
    return valuesOfLines(text, { start: index, end });
  }).flat();
}

function isDeeper(text: string, start: number, column: number): boolean {
  const blank = /^[ \t]*/.exec(text.slice(start, start + column + 1))![0].length;
  return blank > column && start + blank < text.length;
}

function findOperations(text: string): readonly Range[] {
  if (!text.includes('/stringData')) return [];
  return Array.from(text.matchAll(secretPointer), ({ index }) => {
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

function findNamed(text: string): readonly Range[] {
  const isName = namesKeys.test(text) ? /^secretKey\b/ : undefined;
  const found = Array.from(text.matchAll(secretName)).filter(({ 0: whole }) => isName?.test(whole) !== true);
  return found
    .map(({ 0: name, index }) => ({ name, start: index + name.length, end: endOfLine(text, index + name.length) }))
    .filter(({ name, start, end }) => !isHarmless(name, text.slice(start, end).trim()))
    .map(({ start, end }) => ({ start, end }));
}

/** Credentials and tokens in braces are mostly told where they are, and no more. */
function isHarmless(name: string, value: string): boolean {
  return harmless.test(value) || (/^[{[]/.test(value) && !/^pass/i.test(name));
}

/** The values below `data` and `stringData`, in documents in which there is a Secret. */
function findData(text: string): readonly Range[] {
  const found: Range[] = [];
  for (const document of documentsOf(text)) {
    const part = text.slice(document.start, document.end);
    if (!secretKind.test(part)) continue;
    let covered = document.start;
    for (const { 0: whole, index } of part.matchAll(secretField)) {
      if (document.start + index < covered) continue;
      const lead = /^\s*/.exec(whole)![0];
      const key = document.start + index + (lead === '' ? whole.search(/[\w"']/) : lead.length);
      const behind = document.start + index + whole.length;
      const values = valuesBehind(text, { key, behind, end: document.end });
      covered = values.at(-1)?.end ?? behind;
      for (const value of values) found.push(value);
    }
  }
  return found;
}

function documentsOf(text: string): readonly Range[] {
  const starts = [0, ...Array.from(text.matchAll(/^---/gm), ({ index }) => index)];
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? text.length }));
}

interface Field {
  /** Where its key stands. */
  readonly key: number;
  /** Behind the colon. */
  readonly behind: number;
  /** Of the document. */
  readonly end: number;
}

function valuesBehind(text: string, field: Field): readonly Range[] {
  const lineEnd = Math.min(endOfLine(text, field.behind), field.end);
  const rest = text.slice(field.behind, lineEnd);
  const first = rest.trimStart();
  if (first.startsWith('{')) return valuesInBraces(text, { start: lineEnd - first.length, end: field.end });
  if (first !== '' && !first.startsWith('#')) return [{ start: lineEnd - first.length, end: lineEnd }];
  return valuesBelow(text, { ...field, behind: lineEnd });
}

/** Lines that stand further right than the key: entries, of which the names are no secret, and what goes on below them. */
function valuesBelow(text: string, { key, behind, end }: Field): readonly Range[] {
  const column = key - (text.lastIndexOf('\n', key - 1) + 1);
  const found: Range[] = [];
  let entryColumn: number | undefined;
  for (let start = behind + 1; start < end; start = endOfLine(text, start) + 1) {
    const line = text.slice(start, Math.min(endOfLine(text, start), end));
    const blank = line.length - line.trimStart().length;
    if (blank === line.length) continue;
    if (blank <= column) break;
    entryColumn ??= blank;
    const name = blank === entryColumn ? /^\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"':]+)\s*:(?:\s+|$)/.exec(line) : null;
    const from = start + (name === null ? blank : name[0].length);
    if (from < start + line.length) found.push({ start: from, end: start + line.length });
  }
  return found;
}

/** What stands behind the colons between braces, whatever it is. */
function valuesInBraces(text: string, { start, end }: Range): readonly Range[] {
  const found: Range[] = [];
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
        found.push({ start: value, end: at });
        value = undefined;
      }
      if (depth === 0) return found;
    } else if (character === ':' && depth === 1) value ??= at + 1;
  }
  // Nothing closes it: all that follows may belong to it.
  return [...found, { start: value ?? start, end }];
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}
