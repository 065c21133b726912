import type { Range } from '../model/index.ts';
import { endBelow, endOfLine } from './line-ends.ts';
import { secretNames } from './secret-name.ts';

// Variables of containers have their names beside their values.
const variable = `\\bname["']?[ \\t]*:[ \\t]*["']?[\\w.-]*(?:${secretNames})["']?[ \\t]*(?:,\\s*|\\r?\\n[ \\t]*)["']?value["']?`;
const key = `(?:${secretNames})["']?(?:[.[][^\\s:={}]{0,100})?`;
const secretName = new RegExp(`(?:${variable}|${key})[ \\t]*(?:: *|=)`, 'gi');
// There, "secretKey" names an entry of a Secret.
const namesKeys = /\b(?:kind["']?\s*:\s*["']?ExternalSecret\b|type["']?\s*:\s*["']?external-secret\b)/;
const harmless = /^(?:\$\{[^}]*\}|true|false|null|~|)$/;
const block = /^[|>][-+0-9]*[ \t]*(?:#.*)?$/;

/** What keys such as `password` have. */
export function findNamed(text: string): readonly Range[] {
  const isName = namesKeys.test(text) ? /^secretKey\b/ : undefined;
  const found: Range[] = [];
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
      for (const one of linesOf(text, { start: lineEnd + 1, end: covered })) found.push(one);
    } else if (!harmless.test(value)) found.push({ start, end: lineEnd });
  }
  return found;
}

/** Credentials and tokens in braces are mostly told where they are, and no more. */
function isStructure(name: string, first: string | undefined): boolean {
  return (first === '{' || first === '[') && !/^pass/i.test(name);
}

/** Where the key begins whose value starts at an offset; what follows further right belongs to it. */
function columnOf(text: string, offset: number): number {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*(?:-[ \t]+)*/.exec(text.slice(start, offset))![0].length;
}

function linesOf(text: string, { start, end }: Range): readonly Range[] {
  const found: Range[] = [];
  for (let at = start; at < end; at = endOfLine(text, at) + 1) {
    const line = text.slice(at, Math.min(end, endOfLine(text, at)));
    const blank = line.length - line.trimStart().length;
    if (blank < line.length) found.push({ start: at + blank, end: at + line.length });
  }
  return found;
}
