import { checkDnsSubdomain, gvkOf, mappingAt, nameOf, scopeOf, textAt } from '../../../kube/index.ts';
import type { Scope } from '../../../kube/index.ts';
import type { Json, JsonObject, KubeObject } from '../../../model/index.ts';

interface FinishOptions {
  readonly namespace: string;
  /** Takes the place of what is known of its kind. */
  readonly scope?: Scope | undefined;
  /** Of the application; what an object says itself outranks them. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The object with its namespace and what all objects of the application have, its metadata first and in the usual order. */
export function finishObject(object: KubeObject, options: FinishOptions): KubeObject {
  const { namespace, labels, annotations } = options;
  const { apiVersion, kind, metadata, ...rest } = object;
  const {
    name,
    namespace: own,
    labels: _labels,
    annotations: _annotations,
    ...more
  } = mappingAt({ metadata: metadata ?? {} }, 'metadata') ?? {};
  const gvk = gvkOf(object);
  const scope = options.scope ?? (gvk === undefined ? undefined : scopeOf(gvk));
  const place = textAt({ own: own ?? null }, 'own') ?? (scope === 'Cluster' ? undefined : namespace);
  const entries: Record<string, Json> = {};
  if (name !== undefined) entries['name'] = name;
  if (place !== undefined) entries['namespace'] = place;
  put(entries, 'labels', { ...labels, ...mappingAt(object['metadata'], 'labels') });
  put(entries, 'annotations', { ...annotations, ...mappingAt(object['metadata'], 'annotations') });
  return { apiVersion, kind, metadata: { ...entries, ...more }, ...rest };
}

function put(entries: Record<string, Json>, key: string, value: JsonObject): void {
  if (Object.keys(value).length > 0) entries[key] = value;
}

/** Why an object cannot be called what it is called. */
export function checkObjectName(object: KubeObject): string | undefined {
  const name = nameOf(object);
  return name === '' ? 'is missing' : checkDnsSubdomain(name);
}

/** Namespaces and definitions of kinds are there before everything that needs them. */
export function isFoundation({ kind, apiVersion }: KubeObject): boolean {
  return (
    (kind === 'Namespace' && apiVersion === 'v1') ||
    (kind === 'CustomResourceDefinition' && apiVersion.startsWith('apiextensions.k8s.io/'))
  );
}
