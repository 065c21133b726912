import type { FieldStep } from '../patch.ts';
import type { Cursor } from './cursor.ts';
import { readNameTemplate } from './read-name.ts';
import { readQuoted } from './read-quoted.ts';

export function readQuotedField(cursor: Cursor): FieldStep | undefined {
  const start = cursor.pos;
  const name = readQuoted(cursor);
  return name === undefined ? undefined : makeField(cursor, { name, quoted: true, start });
}

interface FieldParts {
  readonly name: string;
  readonly quoted: boolean;
  readonly start: number;
}

export function makeField(cursor: Cursor, { name, quoted, start }: FieldParts): FieldStep | undefined {
  const range = { start, end: cursor.pos };
  const template = readNameTemplate(cursor, name, range);
  return template === undefined ? undefined : { type: 'field', name: template, quoted, range };
}
