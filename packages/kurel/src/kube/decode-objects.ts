import { describeType, nearest, quote } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject, isKubeObject } from '../model/index.ts';
import type { Json, JsonArray, JsonObject, KubeObject, Location, Path, Report } from '../model/index.ts';
import { isOfKind } from './identity.ts';
import { kubeProblems } from './problems.ts';
import { isSopsEncrypted, sopsMacOf } from './sops.ts';

export interface DecodeOptions {
  readonly file: string;
  readonly report: Report;
  /** Called instead of the warning about a document that is not a Kubernetes object. */
  readonly onSkip?: (skipped: SkippedDocument) => void;
}

export interface SkippedDocument {
  readonly document: number;
  readonly path?: Path;
  readonly reason: string;
}

export interface DecodedObject {
  readonly object: KubeObject;
  /** Index of the document, from 0. */
  readonly document: number;
  /** Path of the object in the document; absent if it is the whole document. */
  readonly path?: Path;
}

interface Item {
  readonly data: Json;
  readonly document: number;
  readonly path: Path;
}

// Far more than any real file has; YAML aliases could otherwise expand a small text into endless objects.
const deepestList = 16;
const longestList = 250_000;

/** The Kubernetes objects of a file's documents; Lists are expanded, and empty documents are ignored. */
export function decodeObjects(
  documents: readonly { readonly index: number; readonly data: Json | undefined }[],
  options: DecodeOptions,
): readonly DecodedObject[] {
  const encrypted = new Map<string, number | undefined>();
  return documents.flatMap(({ index, data }) => {
    if (data === undefined || data === null) return [];
    checkEncryptedTogether({ data, document: index, path: [] }, encrypted, options);
    return decodeDocument(data, index, options);
  });
}

/** SOPS encrypts all documents of a file with one MAC, but they may end up in different files. `encrypted` has the MACs so far. */
function checkEncryptedTogether(item: Item, encrypted: Map<string, number | undefined>, options: DecodeOptions): void {
  const { data, document } = item;
  const mac = isJsonObject(data) ? sopsMacOf(data) : undefined;
  if (mac === undefined) return;
  const first = encrypted.get(mac);
  // Once for each file, however many documents it has.
  encrypted.set(mac, encrypted.has(mac) ? undefined : document);
  if (first === undefined) return;
  const location = { ...locationOf(item, options), path: ['sops'], at: 'key' as const };
  options.report(kubeProblems.create('sops-together', { first: first + 1, second: document + 1 }, { location }));
}

function decodeDocument(root: Json, document: number, options: DecodeOptions): readonly DecodedObject[] {
  const objects: DecodedObject[] = [];
  // Including Lists and invalid items.
  let count = 0;
  return decodeItem({ data: root, document, path: [] }, 0) ? objects : [];

  /** Returns whether to continue with the document. `depth` is the number of Lists around the item. */
  function decodeItem(item: Item, depth: number): boolean {
    const { data, path } = item;
    const place = { location: locationOf(item, options) };
    count += 1;
    if (count > longestList) {
      const args = { what: describeDocument(item), limit: longestList };
      options.report(kubeProblems.create('list-too-long', args, place));
      return false;
    }
    if (!isJsonObject(data)) {
      const args = { what: describeItem(item), found: describeType(data) };
      options.report(kubeProblems.create('object-not-a-mapping', args, place));
      return true;
    }
    if (!isKubeObject(data)) {
      refuse(data, item, options);
      return true;
    }
    if (isPlainList(data) && !isJsonArray(data['items'] ?? [])) {
      const args = { what: describeItem(item), found: describeType(data['items']) };
      options.report(kubeProblems.create('list-items-not-a-list', args, place));
      return true;
    }
    const list = listItems(data);
    if (list === undefined) {
      objects.push({ object: data, document, ...(path.length === 0 ? {} : { path }) });
      return true;
    }
    if (isSopsEncrypted(data)) {
      const location = { ...place.location, path: [...path, 'sops'], at: 'key' as const };
      options.report(kubeProblems.create('sops-list', { what: describeItem(item) }, { location }));
      return true;
    }
    if (depth === deepestList) {
      const args = { what: describeDocument(item), limit: deepestList };
      options.report(kubeProblems.create('list-too-deep', args, place));
      return false;
    }
    return list.every((inner, index) =>
      decodeItem({ data: inheritType(inner, data), document, path: [...path, 'items', index] }, depth + 1),
    );
  }
}

function isText(value: Json | undefined): boolean {
  return typeof value === 'string' && value !== '';
}

function isPlainList(object: KubeObject): boolean {
  return isOfKind(object, { group: '', kind: 'List' });
}

/**
 * The items of `List` and of typed lists such as `ConfigMapList`. A custom kind whose name merely ends in `List` has a
 * `metadata.name`, which the metadata of lists cannot have.
 */
function listItems(object: KubeObject): JsonArray | undefined {
  const { kind, items, metadata } = object;
  if (isPlainList(object)) return isJsonArray(items) ? items : [];
  if (!kind.endsWith('List') || !isJsonArray(items) || !items.every(isJsonObject)) return undefined;
  return isJsonObject(metadata) && isText(metadata['name']) ? undefined : items;
}

/** API servers omit the type of the items in typed lists, because the list implies it. */
function inheritType(item: Json, list: KubeObject): Json {
  const kind = list.kind.slice(0, -'List'.length);
  if (kind === '' || !isJsonObject(item) || isKubeObject(item)) return item;
  const { apiVersion = list.apiVersion, kind: own = kind, ...rest } = item;
  return { apiVersion, kind: own, ...rest };
}

const typeKeys = ['apiVersion', 'kind'];

/** A document with some parts of an object is an incomplete object; anything else is another kind of document. */
function refuse(data: JsonObject, item: Item, options: DecodeOptions): void {
  const { document, path } = item;
  const reason = typeKeys.flatMap((key) => explainMissing(data, key)).join(' and ');
  const looksLikeObject = typeKeys.some((key) => Object.hasOwn(data, key)) || isJsonObject(data['metadata']);
  if (looksLikeObject) {
    const misspelled = typeKeys.filter((key) => !isText(data[key])).flatMap((key) => findMisspelled(data, key));
    const [first] = misspelled;
    const location = locationOf(item, options);
    const place = first === undefined ? location : { ...location, path: [...path, first.key], at: 'key' as const };
    const args = { what: describeItem(item), reason, misspelled };
    options.report(kubeProblems.create('object-incomplete', args, { location: place }));
  } else if (options.onSkip === undefined) {
    const place = { location: locationOf(item, options) };
    options.report(kubeProblems.create('object-skipped', { what: describeItem(item), reason }, place));
  } else options.onSkip({ document, reason, ...(path.length === 0 ? {} : { path }) });
}

/** The misspelled key, if there is one. */
function findMisspelled(data: JsonObject, meant: string): { readonly key: string; readonly meant: string }[] {
  if (Object.hasOwn(data, meant)) return [];
  const key = Object.keys(data).find((name) => !typeKeys.includes(name) && nearest(name, [meant]) === meant);
  return key === undefined ? [] : [{ key, meant }];
}

function explainMissing(data: JsonObject, key: string): string[] {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  if (isText(value)) return [];
  const isMissing = value === undefined || value === null || value === '';
  return [isMissing ? `no ${key}` : `${key} is ${describeType(value)}, not a string`];
}

function locationOf({ document, path }: Item, { file }: DecodeOptions): Location {
  return { file, document, path };
}

function describeItem(item: Item): string {
  const { data, path } = item;
  const metadata = isJsonObject(data) ? data['metadata'] : undefined;
  const name = isJsonObject(metadata) && typeof metadata['name'] === 'string' ? ` (${quote(metadata['name'])})` : '';
  if (path.length === 0) return `${describeDocument(item)}${name}`;
  const numbers = path.filter((step) => typeof step === 'number').map((index) => index + 1);
  return `item ${numbers.join('.')}${name} of the List in ${describeDocument(item)}`;
}

function describeDocument({ document }: Item): string {
  return `document ${document + 1}`;
}
