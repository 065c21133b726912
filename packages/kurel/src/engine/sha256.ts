import { isOfKind, withoutAnnotations } from '../kube/index.ts';
import type { Json, KubeObject } from '../model/index.ts';
import { canonicalJson, compareText } from '../model/index.ts';

export const DEFAULT_ANNOTATION_PREFIX = 'kurel.dev';

export function hashAnnotation(prefix: string): string {
  return `${prefix}/content.hash`;
}

/** `sha256:` and 64 digits over the canonical JSON of the object, without the annotation that contains the hash. */
export function contentHash(object: KubeObject, prefix: string = DEFAULT_ANNOTATION_PREFIX): string {
  return `sha256:${sha256(canonicalJson(withoutAnnotations(object, [hashAnnotation(prefix)])))}`;
}

// FIPS 180-4. Implemented here because pure code also runs in browsers, where the built-in hash is asynchronous.

// The tables of the standard: computing them took longer than hashing a small text.

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const ROUND_CONSTANTS = new Int32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);
/** The same of the square roots of the first 8. */
const INITIAL_STATE = new Int32Array([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);

const blockLength = 64;
const pieceLength = 65_536;

/** 64 lower-case hexadecimal digits over the bytes, or over the UTF-8 encoding of a string. */
export function sha256(content: string | Uint8Array): string {
  const state = INITIAL_STATE.slice();
  const schedule = new Int32Array(64);
  /** Returns the bytes after the last whole block. */
  const compress = (bytes: Uint8Array): Uint8Array => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const end = bytes.length - (bytes.length % blockLength);
    for (let offset = 0; offset < end; offset += blockLength) compressBlock(state, schedule, view, offset);
    return bytes.subarray(end);
  };
  if (typeof content !== 'string') compress(padEnd(compress(content), content.length));
  else {
    // In pieces, because the bytes of a long text would need as much memory as the text.
    const encoder = new TextEncoder();
    const buffer = new Uint8Array(3 * Math.min(content.length, pieceLength) + blockLength);
    let [length, rest] = [0, 0];
    for (let start = 0; start < content.length;) {
      const end = endOfPiece(content, start);
      const { written } = encoder.encodeInto(content.slice(start, end), buffer.subarray(rest));
      const left = compress(buffer.subarray(0, rest + written));
      buffer.set(left);
      length += written;
      rest = left.length;
      start = end;
    }
    compress(padEnd(buffer.subarray(0, rest), length));
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** Never between the two halves of a surrogate pair: a half cannot be encoded. */
function endOfPiece(text: string, start: number): number {
  const end = start + pieceLength;
  if (end >= text.length) return text.length;
  const isSplit = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isSplit ? end - 1 : end;
}

/** The last bytes of a message with its padding, which contains the length of the whole message. */
function padEnd(bytes: Uint8Array, length: number): Uint8Array {
  const padded = new Uint8Array(bytes.length + 9 > blockLength ? 2 * blockLength : blockLength);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(length) * 8n);
  return padded;
}

function compressBlock(state: Int32Array, schedule: Int32Array, message: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) schedule[i] = message.getInt32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const early = schedule[i - 15]!;
    const late = schedule[i - 2]!;
    const sigma0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const sigma1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[i] = (schedule[i - 16]! + sigma0 + schedule[i - 7]! + sigma1) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + sum1 + choice + ROUND_CONSTANTS[i]! + schedule[i]!) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + sum0 + majority) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/**
 * The hash that kustomize appends to the name of a ConfigMap or Secret, from its kind, type and data; `undefined` for other
 * kinds. The same content gives the same hash as kustomize.
 */
export function dataHash(object: KubeObject): string | undefined {
  // kustomize encodes a name field, which is always empty.
  const common = { data: object['data'] ?? '', kind: object.kind, name: '' };
  if (isOfKind(object, { group: '', kind: 'ConfigMap' })) {
    return shorten(sha256(encode({ binaryData: object['binaryData'], ...common })));
  }
  if (!isOfKind(object, { group: '', kind: 'Secret' })) return undefined;
  return shorten(sha256(encode({ ...common, stringData: object['stringData'], type: object['type'] ?? '' })));
}

/** JSON as Go encodes it: sorted keys, and three characters escaped that JavaScript does not escape. */
function encode(value: Readonly<Record<string, Json | undefined>>): string {
  const text = JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'bigint') return Number(inner);
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => compareText(a, b)));
  });
  return text.replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const replaced: Readonly<Record<string, string>> = { '0': 'g', '1': 'h', '3': 'k', a: 'm', e: 't' };

/** Ten characters, without vowels and similar digits, so that they form no words. */
function shorten(hex: string): string {
  return hex.slice(0, 10).replaceAll(/[013ae]/g, (character) => replaced[character]!);
}
