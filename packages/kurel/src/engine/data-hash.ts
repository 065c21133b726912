import { isOfKind } from '../kube/index.ts';
import type { Json, KubeObject } from '../model/index.ts';
import { sha256 } from './sha256.ts';

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
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
  return text.replaceAll(/[<>&\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const replaced: Readonly<Record<string, string>> = { '0': 'g', '1': 'h', '3': 'k', a: 'm', e: 't' };

/** Ten characters, without vowels and similar digits, so that they form no words. */
function shorten(hex: string): string {
  return hex.slice(0, 10).replaceAll(/[013ae]/g, (character) => replaced[character]!);
}
