import { TarError } from './tar-error.ts';

const broken = 'an extended header in it is broken';

/** Reads lines of the form `<length of the line> <key>=<value>`, the length in bytes. */
export function readPaxRecords(bytes: Uint8Array): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (let start = 0; start < bytes.length;) {
    const blank = bytes.indexOf(0x20, start);
    const digits = blank === -1 || blank - start > 8 ? '' : decode(bytes.subarray(start, blank));
    const end = start + Number(digits);
    if (!/^[1-9]\d*$/.test(digits) || end > bytes.length || bytes[end - 1] !== 0x0a || end - 1 <= blank) {
      throw new TarError(broken);
    }
    const line = decode(bytes.subarray(blank + 1, end - 1));
    const equals = line.indexOf('=');
    const key = line.slice(0, equals);
    // Programs differ in which of two they take.
    if (equals < 1 || records.has(key)) throw new TarError(broken);
    records.set(key, line.slice(equals + 1));
    start = end;
  }
  return records;
}

/** The size that a record gives instead of the header. */
export function readPaxSize(text: string): number {
  const size = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(size)) throw new TarError(broken);
  return size;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new TarError(broken);
  }
}
