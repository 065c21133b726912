import { refuse } from '../values/describe.ts';
import { decodeUtf8, encodeUtf8 } from './utf8.ts';

interface Alphabet {
  readonly digits: string;
  readonly bits: number;
  /** Padding fills the last group up to this many digits. */
  readonly group: number;
}

const alphabet64: Alphabet = {
  digits: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  bits: 6,
  group: 4,
};
const alphabet32: Alphabet = { digits: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', bits: 5, group: 8 };

function encode(text: string, { digits, bits, group }: Alphabet): string {
  const out: string[] = [];
  let held = 0;
  let heldBits = 0;
  for (const byte of encodeUtf8(text)) {
    held = (held << 8) | byte;
    heldBits += 8;
    while (heldBits >= bits) {
      heldBits -= bits;
      out.push(digits[held >> heldBits]!);
      held &= (1 << heldBits) - 1;
    }
  }
  if (heldBits > 0) out.push(digits[held << (bits - heldBits)]!);
  while (out.length % group !== 0) out.push('=');
  return out.join('');
}

function decode(text: string, { digits, bits }: Alphabet, name: string): string {
  let end = text.length;
  while (text[end - 1] === '=') end--;
  const body = text.slice(0, end);
  const bytes: number[] = [];
  let held = 0;
  let heldBits = 0;
  for (const digit of body) {
    const found = digits.indexOf(digit);
    if (found < 0) return refuse(text, `is not valid ${name} data`);
    held = (held << bits) | found;
    heldBits += bits;
    if (heldBits < 8) continue;
    heldBits -= 8;
    bytes.push(held >> heldBits);
    held &= (1 << heldBits) - 1;
  }
  // what is left must be less than one digit's worth of padding
  if (heldBits >= bits) return refuse(text, `trailing ${name} byte found`);
  return decodeUtf8(bytes).text;
}

export function base64(text: string): string {
  return encode(text, alphabet64);
}

export function base64Decode(text: string): string {
  return decode(text, alphabet64, 'base64');
}

export function base32(text: string): string {
  return encode(text, alphabet32);
}

export function base32Decode(text: string): string {
  return decode(text, alphabet32, 'base32');
}
