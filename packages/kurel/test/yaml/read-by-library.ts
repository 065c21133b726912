import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseAllDocuments,
  visit,
  type Alias,
  type Document,
  type Scalar,
} from 'yaml';
import type { Json } from '../../src/model/index.ts';
import { resolvePlainKey, resolvePlainScalar } from '../../src/yaml/resolve-plain-scalar.ts';

class NotRepresentable extends Error {}

/** The data of all documents as the `yaml` library parses them, scalars by our rules; `undefined` when it has errors. */
export function readByLibrary(text: string): readonly Json[] | undefined {
  const documents = parseAllDocuments(text, { schema: 'failsafe', logLevel: 'silent' });
  if (!Array.isArray(documents)) return [];
  if (documents.some(({ errors, warnings }) => errors.length > 0 || warnings.length > 0)) return undefined;
  try {
    return documents.map((document) => toData(document.contents, document));
  } catch (error) {
    if (error instanceof NotRepresentable) return undefined;
    throw error;
  }
}

function toData(node: unknown, document: Document): Json {
  if (node === null || node === undefined) return null;
  if (isAlias(node)) return toData(resolveAlias(node, document), document);
  if (isScalar(node)) {
    if (node.tag !== undefined || node.type !== 'PLAIN') return String(node.value);
    return finite(resolvePlainScalar(node.source ?? ''));
  }
  if (isSeq(node)) return node.items.map((item) => toData(item, document));
  if (!isMap(node)) throw new NotRepresentable();
  const data: Record<string, Json> = {};
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? toKey(key) : undefined;
    if (name === undefined || Object.hasOwn(data, name)) throw new NotRepresentable();
    data[name] = toData(value, document);
  }
  return data;
}

function toKey({ tag, type, source, value }: Scalar): string | undefined {
  return tag === undefined && type === 'PLAIN' ? resolvePlainKey(source ?? '') : String(value);
}

function resolveAlias(alias: Alias, document: Document): unknown {
  const target = alias.resolve(document);
  let isInside = false;
  if (target !== undefined) visit(target, { Alias: (_, inner) => void (isInside ||= inner === alias) });
  if (target === undefined || isInside) throw new NotRepresentable();
  return target;
}

function finite(value: Json): Json {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new NotRepresentable();
  return value;
}
