import { quote } from '../../diagnostics/index.ts';
import type { Range } from '../../model/index.ts';
import type { PlaceStep, Step } from '../patch.ts';
import { peek, createCursor, isBlank, rangeOfCharacter, refuse, sample, skipBlanks, spell } from './cursor.ts';
import type { Cursor, SyntaxProblem } from './cursor.ts';
import { isPlace } from './gather-items.ts';
import { refuseCharacter } from './read-name.ts';
import { readAnyStep, readField, readSteps } from './read-steps.ts';

export interface ParsedPath {
  readonly steps: readonly Step[];
  /** As written, without ignored spaces and outer dots. */
  readonly text: string;
  /** Location including these. */
  readonly range: Range;
  /** Whether all steps are unquoted names: then the same text means the same steps. */
  readonly isPlain: boolean;
}

/**
 * Parses a key such as `spec.containers[name=main].image` into steps, or returns the problem. All ranges are in `text`, of
 * which only `within` is read.
 */
export function parsePath(
  text: string,
  within: Range = { start: 0, end: text.length },
): ParsedPath | { readonly problem: SyntaxProblem } {
  const cursor = createCursor(text, within);
  const path = readPath(cursor, within);
  return path ?? { problem: cursor.problem! };
}

/**
 * Parses the path of a field that exists, for a question about it, or returns the reason why it is invalid. It may start with
 * an item, as in `[name=main].image`, and `${` is literal.
 */
export function parseFieldPath(text: string): readonly PlaceStep[] | string {
  const range = { start: 0, end: text.length };
  const cursor = createCursor(text, { ...range, isLiteral: true });
  const path = readPath(cursor, range);
  if (path === undefined) return cursor.problem!.reason;
  const change = path.steps.find((step) => !isPlace(step));
  if (change === undefined) return path.steps.filter(isPlace);
  return `${quote(text.slice(change.range.start, change.range.end))} is a change, not a field`;
}

function readPath(cursor: Cursor, range: Range): ParsedPath | undefined {
  const { end } = range;
  if (peek(cursor) === '.') cursor.pos += 1;
  const from = cursor.pos;
  if (from === end) {
    const hint = 'use the path of a field, such as `spec.replicas`';
    return refuse(cursor, { reason: 'the key is empty', hint, range });
  }
  const first = cursor.isLiteral ? readAnyStep(cursor) : readField(cursor);
  if (first === undefined) return undefined;
  const steps: Step[] = [first];
  readSteps(cursor, { steps, endDot: true });
  if (cursor.problem !== undefined) return undefined;
  if (cursor.pos < end) return refuseRest(cursor, from);
  const hasEndDot = cursor.text[end - 1] === '.' && end > steps.at(-1)!.range.end;
  const text = spell(cursor, { start: from, end: hasEndDot ? end - 1 : end });
  return { steps, text, range, isPlain: steps.every((step) => step.type === 'field' && !step.quoted) };
}

function refuseRest(cursor: Cursor, start: number): undefined {
  const { text, pos, end } = cursor;
  const next = skipBlanks(text, { from: pos, to: end });
  if (next > pos && text[next] === '=' && next < end && !cursor.isLiteral) {
    return refuse(cursor, explainAssignment(text, { key: text.slice(start, pos), equals: next }));
  }
  if (isBlank(peek(cursor))) {
    return refuse(cursor, {
      reason: `the key ${quote(text.slice(start, end))} contains a space`,
      hint: 'quote a name with spaces, as in `metadata.annotations["my key"]`',
      range: { start: pos, end: next },
    });
  }
  if (peek(cursor) === ']') {
    const reason = '`]` has no opening `[`';
    return refuse(cursor, { reason, hint: 'remove it, or quote the name', range: rangeOfCharacter(cursor) });
  }
  return refuseCharacter(cursor, start);
}

/** `key = value`, as in TOML and INI files. */
export function explainAssignment(
  text: string,
  { key, equals }: { readonly key: string; readonly equals: number },
): SyntaxProblem {
  const value = /^[^\n\r]*/
    .exec(text.slice(equals + 1, equals + 100))![0]
    .replace(/\s#.*/, '')
    .trim();
  return {
    reason: `expected \`:\` after the key ${quote(key)}, got \`=\``,
    hint: `use \`${sample(key, 'key')}: ${sample(value, 'value')}\``,
    range: { start: equals, end: equals + 1 },
  };
}
