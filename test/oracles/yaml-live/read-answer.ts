import { isJsonObject, type Json } from '../../../packages/kurel/src/model/index.ts';
import {
  formatFloatKey,
  resolvePlainKey,
  resolvePlainScalar,
} from '../../../packages/kurel/src/yaml/resolve-plain-scalar.ts';

/** What one of the readers in the oracle makes of a text. */
interface Stream {
  readonly documents?: readonly unknown[];
  readonly error?: string;
}

export interface Answer {
  readonly v2: Stream;
  readonly v3: Stream;
}

/** The documents that are not empty, or why there are none. */
export type Reading = { readonly documents: readonly Json[] } | { readonly refused: string };

export function readV2({ documents = [], error }: Stream): Reading {
  if (error !== undefined) return { refused: error };
  return { documents: documents.map(restoreNumbers).filter((data) => data !== null) };
}

function restoreNumbers(data: unknown): Json {
  if (Array.isArray(data)) return data.map(restoreNumbers);
  if (typeof data !== 'object' || data === null) return data as Json;
  const { $number: integer, $float: float } = data as { readonly $number?: unknown; readonly $float?: unknown };
  if (typeof integer === 'string') return toNumber(integer);
  if (typeof float === 'string') return Number(float);
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, restoreNumbers(value)]));
}

function toNumber(digits: string): number | bigint {
  const value = Number(digits);
  return /^-?[0-9]+$/.test(digits) && !Number.isSafeInteger(value) ? BigInt(digits) : value;
}

/** A node of v3, which leaves open what its plain scalars mean. */
type Node =
  | null
  | { readonly map: readonly Node[]; readonly tag: string }
  | { readonly list: readonly Node[]; readonly tag: string }
  | { readonly plain: string; readonly tag: string; readonly value?: unknown }
  | { readonly tagged: string; readonly tag: string }
  | { readonly text: string };

/** As v3 reads structure and texts, with the plain scalars that v2 would see there. */
export function readV3({ documents = [], error }: Stream): Reading {
  if (error !== undefined) return { refused: error };
  try {
    return { documents: documents.map((node) => toData(node as Node)).filter((data) => data !== null) };
  } catch (problem) {
    if (problem instanceof Unreadable) return { refused: problem.message };
    throw problem;
  }
}

class Unreadable extends Error {}

function toData(node: Node): Json {
  if (node === null) return null;
  if ('list' in node) return node.list.map(toData);
  if ('text' in node) return node.text;
  if ('plain' in node) return finite(resolvePlainScalar(node.plain));
  if ('tagged' in node) {
    if (['!!str', '!', '!!timestamp'].includes(node.tag)) return node.tagged;
    const value = finite(resolvePlainScalar(node.tagged));
    return node.tag === '!!float' ? Number(value) : value;
  }
  const written = new Map<string, Json>();
  const merged = new Map<string, Json>();
  for (let index = 0; index < node.map.length; index += 2) {
    const [key, value] = [node.map[index]!, node.map[index + 1]!];
    if (key !== null && 'plain' in key && key.plain === '<<') {
      for (const source of isList(value) ? value.list : [value]) {
        const data = toData(source);
        if (!isJsonObject(data)) throw new Unreadable('a merge of what is not a map');
        for (const [name, inner] of Object.entries(data)) if (!merged.has(name)) merged.set(name, inner);
      }
      continue;
    }
    const name = toKey(key);
    if (written.has(name)) throw new Unreadable(`the key ${name} is there twice`);
    written.set(name, toData(value));
  }
  return Object.fromEntries([...merged, ...written]);
}

function finite(value: Json): Json {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Unreadable('not a finite number');
  return value;
}

function isList(node: Node): node is Extract<Node, { list: unknown }> {
  return node !== null && 'list' in node;
}

function toKey(node: Node): string {
  if (node !== null && 'text' in node) return node.text;
  if (node !== null && 'plain' in node) {
    const key = resolvePlainKey(node.plain);
    if (key !== undefined) return key;
  }
  if (node !== null && 'tagged' in node) {
    const key = toData(node);
    if (node.tag === '!!float' && typeof key === 'number') return formatFloatKey(key);
    return typeof key === 'string' ? key : (resolvePlainKey(node.tagged) ?? '');
  }
  throw new Unreadable('a key is not a text');
}

/** The plain scalars of a text, and whether v3 takes each for something else than v2 does; none where v2 refuses the text. */
export function* findDivergences({
  v2,
  v3,
}: Answer): Generator<{ readonly scalar: string; readonly differs: boolean }> {
  if (v2.error !== undefined || v3.error !== undefined) return;
  const waiting = [...((v3.documents ?? []) as Node[])];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node === null) continue;
    if ('list' in node) for (const item of node.list) waiting.push(item);
    // Keys are strings to both, whatever they look like.
    if ('map' in node) for (const [index, item] of node.map.entries()) if (index % 2 === 1) waiting.push(item);
    if (!('plain' in node) || node.tag === '!!merge') continue;
    const meant = resolvePlainScalar(node.plain);
    if (typeof meant === 'number' && !Number.isFinite(meant)) continue;
    yield { scalar: node.plain, differs: !isMeant(node, meant) };
  }
}

function isMeant({ plain, tag, value }: Extract<Node, { plain: unknown }>, meant: Json): boolean {
  if (tag === '!!null') return meant === null;
  if (tag === '!!str') return meant === plain;
  if (tag === '!!timestamp') return false;
  const theirs = restoreNumbers(value);
  // Integers beyond 64 bits are floats to them, and keep their digits with us.
  return typeof meant === 'bigint' ? Number(meant) === Number(theirs) : Object.is(meant, theirs);
}
