import { isJsonArray, isJsonObject, isSameJson, stepInto } from '../model/index.ts';
import type { Json, JsonArray, JsonObject, KubeObject, Path } from '../model/index.ts';
import { isSecret } from './identity.ts';
import { mappingAt, textAt } from './metadata.ts';

/** `ENC[AES256_GCM,data:…,iv:…,tag:…,type:str]`. Empty strings and nulls stay as they are. */
const encrypted =
  /^ENC\[AES256_GCM,data:[^,\]]*,iv:[^,\]]+,tag:[^,\]]+,type:(?:str|int|float|bool|bytes|time|comment)\]$/;

export function isEncryptedText(value: Json | undefined): boolean {
  return typeof value === 'string' && value.startsWith('ENC[') && encrypted.test(value);
}

const letterE = 0x45;
const letterR = 0x52;
/** Base64 of `ENC[AES256_GCM,`. */
const encodedStart = 'RU5DW0FFUzI1Nl9HQ00s';

/** An encrypted value or its base64, which nothing decrypts unless the object has the metadata of SOPS. */
function isEncryptedOrEncoded(value: Json): boolean {
  if (typeof value !== 'string') return false;
  const first = value.charCodeAt(0);
  return first === letterE ? isEncryptedText(value) : first === letterR && value.startsWith(encodedStart);
}

/** The first encrypted value of an object without the metadata of SOPS. */
export function findUndecryptable(object: JsonObject): Path | undefined {
  if (isSopsEncrypted(object) || !holdsEncrypted(object)) return undefined;
  let first: Path | undefined;
  walkLeaves(object, (path, value) => {
    if (isEncryptedOrEncoded(value)) first ??= path;
  });
  return first;
}

/** Without paths and without the call stack: almost every object is only searched, and may be nested deeply. */
function holdsEncrypted(object: JsonObject): boolean {
  const left: (JsonArray | JsonObject)[] = [object];
  const isFound = (item: Json): boolean => {
    if (typeof item !== 'object' || item === null) return isEncryptedOrEncoded(item);
    left.push(item);
    return false;
  };
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (isJsonArray(value)) {
      if (value.some(isFound)) return true;
    } else for (const key in value) if (isFound(value[key]!)) return true;
  }
  return false;
}

/** The metadata of a document that was encrypted with SOPS: the keys, and a MAC over its values. */
function sopsMetadata(document: JsonObject): JsonObject | undefined {
  const metadata = mappingAt(document, 'sops');
  const isEncrypted = textAt(metadata, 'mac')?.startsWith('ENC[AES256_GCM,') === true;
  return isEncrypted && textAt(metadata, 'version') !== undefined ? metadata : undefined;
}

/** Whether SOPS has encrypted values of an object, or of another document. */
export function isSopsEncrypted(document: JsonObject): boolean {
  return sopsMetadata(document) !== undefined;
}

/** The key of a Secret whose value is an encrypted file, as a generator of kustomize puts it there. Flux decrypts such files, too. */
export function findEncryptedFile(object: KubeObject): string | undefined {
  if (!isSecret(object)) return undefined;
  const data = mappingAt(object, 'data') ?? {};
  return Object.keys(data).find((key) => {
    const text = decode(textAt(data, key) ?? '');
    return text.includes('sops') && text.includes('ENC[AES256_GCM,');
  });
}

function decode(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}

/** Equal for the documents of a file, which SOPS encrypts together. */
export function sopsMacOf(document: JsonObject): string | undefined {
  return textAt(sopsMetadata(document), 'mac');
}

/** Paths of the encrypted values, in document order. */
export function listEncrypted(object: JsonObject): readonly Path[] {
  const paths: Path[] = [];
  walkLeaves(object, (path, value) => {
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

/** The values that the MAC covers. SOPS neither encrypts nor counts empty strings and nulls. */
function listCovered(object: KubeObject, isCovered: (path: Path) => boolean): readonly Leaf[] {
  const leaves: Leaf[] = [];
  walkLeaves(object, (path, value) => {
    if (value !== '' && value !== null && isCovered(path)) leaves.push({ path, value });
  });
  return leaves;
}

/** In document order, and without recursion: objects of a library may be nested deeply. */
function walkLeaves(root: Json, visit: (path: Path, value: Json) => void): void {
  const left: Place[] = [{ value: root }];
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    const { value } = place;
    if (!isJsonArray(value) && !isJsonObject(value)) {
      visit(pathOf(place), value);
      continue;
    }
    const steps = isJsonArray(value) ? value.map((_, index) => index) : Object.keys(value);
    for (const step of steps.toReversed()) left.push({ value: stepInto(value, step)!, step, parent: place });
  }
}

interface Place {
  readonly value: Json;
  readonly step?: string | number;
  readonly parent?: Place;
}

function pathOf(place: Place): Path {
  const path: (string | number)[] = [];
  for (let at: Place | undefined = place; at?.step !== undefined; at = at.parent) path.push(at.step);
  return path.toReversed();
}
