import { raise } from '../run-state.ts';
import { type JqValue, typeOf } from './jq-value.ts';
import { stringify } from './stringify.ts';

/** jq shows at most 29 bytes of a value in a message. */
const shownBytes = 29;

export function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) length++;
    // a surrogate pair is two units and four bytes, so each half counts one more
    if (unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff)) length++;
  }
  return length;
}

/** The value as JSON, cut as jq cuts it. */
export function abbreviate(value: JqValue): string {
  const text = stringify(value, 2 * shownBytes);
  if (text.length <= shownBytes && utf8Length(text) <= shownBytes) return text;
  const ending = typeof value === 'string' ? '..."' : '...';
  let kept = '';
  let bytes = ending.length;
  for (const character of text) {
    bytes += utf8Length(character);
    if (bytes > shownBytes) break;
    kept += character;
  }
  return kept + ending;
}

/** `number (1)`: how messages name a value. */
export function describe(value: JqValue): string {
  return `${typeOf(value)} (${abbreviate(value)})`;
}

/** Fails with a message about one value: `number (1) cannot be …`. */
export function refuse(value: JqValue, why: string): never {
  return raise(`${describe(value)} ${why}`);
}
