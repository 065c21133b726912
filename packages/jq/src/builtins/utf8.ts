/** UTF-8, written out because TextEncoder belongs to a platform and not to the language. */
export function encodeUtf8(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const found = character.codePointAt(0)!;
    const point = found >= 0xd800 && found <= 0xdfff ? 0xfffd : found;
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 63));
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    else {
      bytes.push(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    }
  }
  return bytes;
}

export interface Decoded {
  readonly text: string;
  /** Whether some bytes were not UTF-8; they are U+FFFD in the text. */
  readonly broken: boolean;
}

export function decodeUtf8(bytes: readonly number[]): Decoded {
  const points: string[] = [];
  let broken = false;
  let at = 0;
  while (at < bytes.length) {
    const { point, length } = decodeOne(bytes, at);
    broken ||= point < 0;
    points.push(String.fromCodePoint(point < 0 ? 0xfffd : point));
    at += length;
  }
  return { text: points.join(''), broken };
}

function decodeOne(bytes: readonly number[], at: number): { readonly point: number; readonly length: number } {
  const lead = bytes[at]!;
  if (lead < 0x80) return { point: lead, length: 1 };
  const length = lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length === 0 || lead >= 0xf5) return { point: -1, length: 1 };
  let point = lead & (0x7f >> length);
  for (let index = 1; index < length; index++) {
    const next = bytes[at + index];
    if (next === undefined || (next & 0xc0) !== 0x80) return { point: -1, length: index };
    point = (point << 6) | (next & 63);
  }
  const smallest = length === 2 ? 0x80 : length === 3 ? 0x800 : 0x10000;
  const valid = point >= smallest && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
  return { point: valid ? point : -1, length };
}
