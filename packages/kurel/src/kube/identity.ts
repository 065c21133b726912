import { escapeControls, quote } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type {
  GroupVersionKind,
  Json,
  JsonObject,
  KubeObject,
  Location,
  ObjectName,
  OriginTable,
  Path,
} from '../model/index.ts';

type GroupVersion = Omit<GroupVersionKind, 'kind'>;

/** `apps/v1` or `v1`. Like API servers, reads `/v1` as `v1`; `undefined` for anything that they would not serve. */
export function parseApiVersion(text: string): GroupVersion | undefined {
  const slash = text.indexOf('/');
  const version = text.slice(slash + 1);
  if (version === '' || version.includes('/')) return undefined;
  return { group: slash === -1 ? '' : text.slice(0, slash), version };
}

export function formatApiVersion({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

/** `apps/v1 Deployment`, as messages name a kind. */
export function formatKind(gvk: GroupVersionKind): string {
  return `${formatApiVersion(gvk)} ${gvk.kind}`;
}

/** `apps/v1/Deployment` or `v1/Service`. */
export function parseGroupVersionKind(text: string): GroupVersionKind | undefined {
  const slash = text.lastIndexOf('/');
  const kind = text.slice(slash + 1);
  const groupVersion = slash === -1 || kind === '' ? undefined : parseApiVersion(text.slice(0, slash));
  return groupVersion === undefined ? undefined : { ...groupVersion, kind };
}

/** `undefined` when the apiVersion is invalid. */
export function gvkOf({ apiVersion, kind }: KubeObject): GroupVersionKind | undefined {
  const groupVersion = parseApiVersion(apiVersion);
  return groupVersion && { group: groupVersion.group, version: groupVersion.version, kind };
}

/** Whether an object has a kind, in any version of its group. */
export function isOfKind(object: KubeObject, { group, kind }: Pick<GroupVersionKind, 'group' | 'kind'>): boolean {
  return object.kind === kind && parseApiVersion(object.apiVersion)?.group === group;
}

/** Empty when the object has none. */
export function nameOf(object: KubeObject): string {
  return metadataText(object, 'name');
}

/** Empty when the object has none. */
export function namespaceOf(object: KubeObject): string {
  return metadataText(object, 'namespace');
}

/** Entries whose value is not a string are not labels and are left out. */
export function labelsOf(object: KubeObject): Readonly<Record<string, string>> {
  return textEntries(metadataOf(object)?.['labels']);
}

/** Entries whose value is not a string are not annotations and are left out. */
export function annotationsOf(object: KubeObject): Readonly<Record<string, string>> {
  return textEntries(metadataOf(object)?.['annotations']);
}

/**
 * The identity of an object in a cluster: group, kind, namespace and name. The version is not part of it, because every
 * version of a kind is a view of the same stored object.
 */
export function identityOf(object: KubeObject): string {
  const group = parseApiVersion(object.apiVersion)?.group ?? object.apiVersion;
  const [kind, namespace, name] = [keepApart(object.kind), keepApart(namespaceOf(object)), keepApart(nameOf(object))];
  return `${keepApart(group)}/${kind}/${namespace}/${name}`;
}

/** `apps/v1 Deployment "web" in namespace "prod"`, as messages name an object. */
export function describeObject(object: KubeObject): string {
  const name = nameOf(object);
  const prefix = metadataText(object, 'generateName');
  const namespace = namespaceOf(object);
  const called = name !== '' ? quote(name) : prefix !== '' ? `named ${quote(`${prefix}*`)}` : 'without a name';
  const where = namespace === '' ? '' : ` in namespace ${quote(namespace)}`;
  return escapeControls(`${object.apiVersion} ${object.kind} ${called}${where}`);
}

function metadataOf(object: KubeObject): JsonObject | undefined {
  const { metadata } = object;
  return isJsonObject(metadata) ? metadata : undefined;
}

function metadataText(object: KubeObject, key: string): string {
  const value = metadataOf(object)?.[key];
  return typeof value === 'string' ? value : '';
}

const none: Readonly<Record<string, string>> = {};

/** The entries of an object whose values are strings. */
export function textEntries(value: Json | undefined): Readonly<Record<string, string>> {
  if (!isJsonObject(value)) return none;
  if (hasOnlyText(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function hasOnlyText(value: JsonObject): value is Readonly<Record<string, string>> {
  return Object.values(value).every((entry) => typeof entry === 'string');
}

function keepApart(part: string): string {
  return part.includes('/') || part.includes('%') ? part.replaceAll(/[%/]/g, encodeURIComponent) : part;
}

/** In any group: hiding too much is harmless. */
export function isSecret({ kind }: KubeObject): boolean {
  return kind === 'Secret';
}

/** Fields of a Secret that everybody may see, as `kubectl describe` shows them. */
const shownFields: ReadonlySet<unknown> = new Set(['apiVersion', 'kind', 'metadata', 'type']);

/**
 * Whether a path leads to the values of a Secret, which must not appear in messages about anything else. A value may also be in a
 * field that does not exist, or in `immutable` by mistake.
 */
export function isSecretValue(object: Json, [field]: Path): boolean {
  if (field === undefined || !isJsonObject(object) || object['kind'] !== 'Secret' || shownFields.has(field))
    return false;
  return field !== 'immutable' || !isSwitch(object['immutable']);
}

/** A boolean, or a word that people write for one. */
function isSwitch(value: Json | undefined): boolean {
  if (typeof value !== 'string') return value === undefined || value === null || typeof value === 'boolean';
  return /^(?:true|false|yes|no|on|off|y|n|)$/i.test(value);
}

/** The fields of a Secret that hold its values. */
export function secretFieldsOf(object: KubeObject): readonly string[] {
  return Object.keys(object).filter((field) => isSecretValue(object, [field]));
}

/** A Secret, or a list that contains one. */
export function holdsSecret({ kind, items }: JsonObject): boolean {
  return kind === 'Secret' || (isJsonArray(items) && items.some((item) => isJsonObject(item) && holdsSecret(item)));
}

/** The name of an object in findings. */
export function objectNameOf(object: KubeObject): ObjectName {
  const group = parseApiVersion(object.apiVersion)?.group ?? object.apiVersion;
  return { group, kind: object.kind, namespace: namespaceOf(object), name: nameOf(object) };
}

/** Gives `replacement` the origin of `object`. */
export function carryOrigin(origins: OriginTable, object: KubeObject, replacement: KubeObject): void {
  if (object === replacement) return;
  const origin = origins.get(object);
  if (origin !== undefined) origins.set(replacement, origin);
}

/** The location of an object, or of a path in it, in the text that it came from. */
export function locateObject(object: KubeObject, origins: OriginTable, path: Path = []): Location | undefined {
  const { text, locate } = origins.get(object) ?? {};
  if (text === undefined) return locate?.(path);
  return { file: text.source.path, document: text.document, path: [...(text.path ?? []), ...path] };
}
