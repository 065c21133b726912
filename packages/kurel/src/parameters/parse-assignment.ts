import { DiagnosticError } from '../diagnostics/index.ts';
import type { Json, Path, Range, SourceFile } from '../model/index.ts';
import { parameterProblems } from './problems.ts';

export interface Assignment {
  readonly path: Path;
  readonly value: Json;
  /** The words of the command line, for messages. */
  readonly source: SourceFile;
}

/** `a.b[0].c=value` → a path and a value. Throws `DiagnosticError` that points into the text. */
export function parseAssignment(source: SourceFile, type: 'typed' | 'text'): Assignment {
  const { text } = source;
  const path: (string | number)[] = [];
  let offset = 0;
  for (;;) {
    offset = text[offset] === '[' ? readIndex(source, offset, path) : readKey(source, offset, path);
    const next = text[offset];
    if (next === '=') break;
    if (next === undefined) throw syntax(source, 'there is no "="', { start: text.length, end: text.length });
    if (next === '.') offset += 1;
  }
  const value = text.slice(offset + 1);
  return { path, value: type === 'text' ? value : typedValue(value), source };
}

/**
 * Words that mean one thing in every YAML and whole numbers have a type; everything else stays the text it is, so that a
 * version such as 1.10 is not cut to 1.1.
 */
function typedValue(text: string): Json {
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (text === 'null') return null;
  if (!/^(?:0|-?[1-9][0-9]*)$/.test(text)) return text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
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
  if (match === null || path.length === 0) {
    throw syntax(source, '"[" must follow a key and hold an index such as [0]', { start, end: start + 1 });
  }
  path.push(Number(match[1]));
  return start + match[0].length;
}

function syntax(source: SourceFile, reason: string, range: Range): DiagnosticError {
  const location = { file: source.path, range };
  return new DiagnosticError([parameterProblems.create('set-syntax', { text: source.text, reason }, { location })]);
}
