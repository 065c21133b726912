import { TarError } from './tar-error.ts';

export const blockSize = 512;

export interface TarHeader {
  /** As the header has it; a long name comes in an entry of its own before it. */
  readonly name: Uint8Array;
  readonly size: number;
  /** The character that says what the entry is. */
  readonly type: string;
}

/**
 * Reads one header. Forms in which programs are known to see different names are refused, because what is checked here is
 * what another program unpacks.
 */
export function readHeader(block: Uint8Array): TarHeader {
  if (readNumber(block.subarray(148, 156)) !== checksum(block))
    throw new TarError('a header in it has a wrong checksum');
  const magic = latin(block.subarray(257, 263));
  const isPosix = magic === 'ustar\0';
  if (isPosix && latin(block.subarray(508, 512)) === 'tar\0')
    throw new TarError('it is in the form of star, not of tar');
  if (magic === 'ustar ' && !isZero(block.subarray(345))) throw new TarError('it has fields of an incremental backup');
  const name = cutAtZero(block.subarray(0, 100));
  const prefix = isPosix ? cutAtZero(block.subarray(345, 500)) : new Uint8Array();
  return {
    name: prefix.length === 0 ? name : Uint8Array.of(...prefix, 0x2f, ...name),
    size: readNumber(block.subarray(124, 136)),
    type: String.fromCharCode(block[156]!),
  };
}

export function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

export function cutAtZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end === -1 ? bytes : bytes.subarray(0, end);
}

/** Octal digits, or for large numbers bytes behind a mark. */
function readNumber(field: Uint8Array): number {
  if (field[0]! >= 0x80) {
    const value = field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0);
    if (field[0] !== 0x80 || !Number.isSafeInteger(value))
      throw new TarError('a header in it has a number out of range');
    return value;
  }
  const digits = latin(cutAtZero(field)).trim();
  if (!/^[0-7]*$/.test(digits)) throw new TarError('a header in it has a number that is none');
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

/** The sum of all bytes, those of the checksum itself counted as blanks. */
function checksum(block: Uint8Array): number {
  return block.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);
}

function latin(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}
