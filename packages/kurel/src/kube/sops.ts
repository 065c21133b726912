import { isJsonArray, isJsonObject, isSameJson } from '../model/index.ts';
import type { Json, JsonObject, KubeObject, Path } from '../model/index.ts';
import { mappingAt, textAt } from './metadata.ts';

/** `ENC[AES256_GCM,data:…,iv:…,tag:…,type:str]`. An empty string stays as it is. */
const encrypted = /^ENC\[AES256_GCM,data:[^,\]]*,iv:[^,\]]+,tag:[^,\]]+,type:(?:str|int|float|bool|bytes|comment)\]$/;

export function isEncryptedText(value: Json | undefined): boolean {
  return typeof value === 'string' && value.startsWith('ENC[') && encrypted.test(value);
}

/** The metadata of an object that was encrypted with SOPS: the keys, and a MAC over its values. */
function sopsMetadata(object: JsonObject): JsonObject | undefined {
  const metadata = mappingAt(object, 'sops');
  return textAt(metadata, 'mac') === undefined || textAt(metadata, 'version') === undefined ? undefined : metadata;
}

/** Whether SOPS has encrypted values of the object. */
export function isSopsEncrypted(object: JsonObject): boolean {
  return sopsMetadata(object) !== undefined;
}

/** Paths of the encrypted values, in document order. */
export function listEncrypted(object: JsonObject): readonly Path[] {
  const paths: Path[] = [];
  walkLeaves(object, [], (path, value) => {
    if (path[0] !== 'sops' && isEncryptedText(value)) paths.push(path);
  });
  return paths;
}

/**
 * The first field whose change makes SOPS refuse an object. Its MAC covers all values in their order, or with `mac_only_encrypted` those
 * of certain fields, which must stay encrypted and in their place.
 */
export function findBrokenMac(before: KubeObject, after: KubeObject): Path | undefined {
  const metadata = sopsMetadata(before);
  if (metadata === undefined || before === after) return undefined;
  const names = metadata['mac_only_encrypted'] === true ? namesOfEncrypted(metadata) : undefined;
  const isCovered = (path: Path): boolean =>
    names === undefined || path[0] === 'sops' || path.some((step) => names.has(String(step)));
  const [old, now] = [listCovered(before, isCovered), listCovered(after, isCovered)];
  const index = Array.from({ length: Math.max(old.length, now.length) }).findIndex(
    (_, position) => !isSameJson(toJson(old[position]), toJson(now[position])),
  );
  if (index === -1) return undefined;
  const [removed, added] = [old[index], now[index]];
  const isNew = added !== undefined && !old.some(({ path }) => isSameJson([...path], [...added.path]));
  return isNew ? added.path : (removed ?? added)?.path;
}

/** The fields that are encrypted; `undefined` unless `encrypted_regex` is a list of names, as in `^(data|stringData)$`. */
function namesOfEncrypted(metadata: JsonObject): ReadonlySet<string> | undefined {
  const [, names] = /^\^\(([\w.-]+(?:\|[\w.-]+)*)\)\$$/.exec(textAt(metadata, 'encrypted_regex') ?? '') ?? [];
  return names === undefined ? undefined : new Set(names.split('|'));
}

interface Leaf {
  readonly path: Path;
  readonly value: Json;
}

function toJson(leaf: Leaf | undefined): Json {
  return leaf === undefined ? null : [[...leaf.path], leaf.value];
}

/** The values that the MAC covers. SOPS neither encrypts nor counts empty strings. */
function listCovered(object: KubeObject, isCovered: (path: Path) => boolean): readonly Leaf[] {
  const leaves: Leaf[] = [];
  walkLeaves(object, [], (path, value) => {
    if (value !== '' && isCovered(path)) leaves.push({ path, value });
  });
  return leaves;
}

function walkLeaves(value: Json, path: Path, visit: (path: Path, value: Json) => void): void {
  if (isJsonArray(value)) value.forEach((item, index) => walkLeaves(item, [...path, index], visit));
  else if (isJsonObject(value)) {
    for (const [key, entry] of Object.entries(value)) walkLeaves(entry, [...path, key], visit);
  } else visit(path, value);
}
