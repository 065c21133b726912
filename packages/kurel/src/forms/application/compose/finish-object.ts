import { checkDnsSubdomain, gvkOf, isOfKind, mappingAt, nameOf, scopeOf, textAt } from '../../../kube/index.ts';
import type { Scope } from '../../../kube/index.ts';
import { putEntry } from '../../../model/index.ts';
import type { Json, JsonObject, KubeObject } from '../../../model/index.ts';

interface FinishOptions {
  readonly namespace: string;
  /** Overrides the scope of its kind. */
  readonly scope?: Scope | undefined;
  /** CustomResourceDefinitions of the application, which have the scopes of further kinds. */
  readonly definitions?: readonly KubeObject[] | undefined;
  /** Of the application; labels of the object itself take precedence. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** The object was written inline: its empty fields are kept. */
  readonly isWrittenOut?: boolean | undefined;
}

/** The object with its namespace and the labels and annotations of the application; metadata first, in the usual order. */
export function finishObject(object: KubeObject, options: FinishOptions): KubeObject {
  const { namespace, labels, annotations, isWrittenOut = false } = options;
  const own = mappingAt(object, 'metadata') ?? {};
  const gvk = gvkOf(object);
  const scope = options.scope ?? (gvk === undefined ? undefined : scopeOf(gvk, options.definitions));
  const place = textAt(own, 'namespace') ?? (scope === 'Cluster' ? undefined : namespace);
  const metadata: Record<string, Json> = {};
  if (Object.hasOwn(own, 'name')) metadata['name'] = own['name']!;
  if (place !== undefined) metadata['namespace'] = place;
  putShared(metadata, 'labels', { own, shared: labels, isWrittenOut });
  putShared(metadata, 'annotations', { own, shared: annotations, isWrittenOut });
  putOthers(metadata, own, ofMetadata);
  const finished: Record<string, Json> = { apiVersion: object.apiVersion, kind: object.kind, metadata };
  putOthers(finished, object, ofObjects);
  return finished as unknown as KubeObject;
}

const ofMetadata: ReadonlySet<string> = new Set(['name', 'namespace', 'labels', 'annotations']);
const ofObjects: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function merge(below: JsonObject, above: JsonObject = {}): JsonObject {
  return Object.keys(below).length === 0 ? above : { ...below, ...above };
}

interface Sharing {
  readonly own: JsonObject;
  readonly shared: JsonObject;
  readonly isWrittenOut: boolean;
}

function putShared(metadata: Record<string, Json>, key: string, { own, shared, isWrittenOut }: Sharing): void {
  const parsed = mappingAt(own, key);
  const merged = merge(shared, parsed);
  if ((isWrittenOut && parsed !== undefined) || Object.keys(merged).length > 0) metadata[key] = merged;
}

function putOthers(entries: Record<string, Json>, source: JsonObject, known: ReadonlySet<string>): void {
  for (const key of Object.keys(source)) if (!known.has(key)) putEntry(entries, key, source[key]!);
}

/** Why the object's name is invalid. */
export function checkObjectName(object: KubeObject): string | undefined {
  const name = nameOf(object);
  return name === '' ? 'is missing' : checkDnsSubdomain(name);
}

/** Namespaces and CustomResourceDefinitions come before everything that needs them. */
export function isFoundation(object: KubeObject): boolean {
  return (
    isOfKind(object, { group: '', kind: 'Namespace' }) ||
    isOfKind(object, { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' })
  );
}
