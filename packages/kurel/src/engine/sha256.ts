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

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes, as the standard defines them. */
const ROUND_CONSTANTS = Int32Array.from(primes(64), (prime) => fractionBits(Math.cbrt(prime)));
const INITIAL_STATE = Int32Array.from(primes(8), (prime) => fractionBits(Math.sqrt(prime)));

/** 64 lower-case hexadecimal digits over the bytes, or over the UTF-8 encoding of a string. */
export function sha256(content: string | Uint8Array): string {
  const message = padMessage(typeof content === 'string' ? new TextEncoder().encode(content) : content);
  const state = INITIAL_STATE.slice();
  const schedule = new Int32Array(64);
  for (let offset = 0; offset < message.byteLength; offset += 64) compressBlock(state, schedule, message, offset);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function padMessage(bytes: Uint8Array): DataView {
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const padded = new Uint8Array(length);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(length - 8, BigInt(bytes.length) * 8n);
  return view;
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

function fractionBits(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

function primes(count: number): number[] {
  const smaller: number[] = [];
  for (let candidate = 2; smaller.length < count; candidate++) {
    if (smaller.every((prime) => candidate % prime !== 0)) smaller.push(candidate);
  }
  return smaller;
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
