import { getOrAdd } from '../../../budget/index.ts';
import { gvkOf, isOfKind, isSopsEncrypted, mappingAt, podLabels, scopeOf, textAt } from '../../../kube/index.ts';
import type { Scope } from '../../../kube/index.ts';
import { isSameJson, putEntry } from '../../../model/index.ts';
import type { Json, JsonObject, KubeObject } from '../../../model/index.ts';
import type { ComponentResult } from '../catalog/define.ts';
import type { ApplicationDocument } from '../../../documents/index.ts';
import { podOf, putAt } from '../pods/change-pods.ts';
import type { ComposedObject, Composing } from './composition.ts';

type Texts = Readonly<Record<string, string>>;

/** Annotation that sets the tier of a component; it only controls order. */
export const tierAnnotation = 'launcher.gokure.dev/tier';

/** The objects with their namespace and the labels and annotations of the application. */
export function finishObjects(
  objects: readonly ComposedObject[],
  requested: readonly ComponentResult['annotations'][],
  { document, namespace, podLabels: ofPods }: Composing,
): readonly ComposedObject[] {
  // CustomResourceDefinitions of the application have the scopes of further kinds.
  const definitions = objects.map(({ object }) => object).filter(isFoundation);
  const annotations = new Map<number, Texts>();
  const scopes = new Map<string, Map<string, Scope | undefined>>();
  const findScope = (object: KubeObject): Scope | undefined => {
    const ofVersion = getOrAdd(scopes, object.apiVersion, () => new Map<string, Scope | undefined>());
    if (!ofVersion.has(object.kind)) {
      const gvk = gvkOf(object);
      ofVersion.set(object.kind, gvk && scopeOf(gvk, definitions));
    }
    return ofVersion.get(object.kind);
  };
  return objects.map((composed) => {
    const { object, components, scope, locate } = composed;
    const component = components[0]!;
    const own = getOrAdd(annotations, component, () => annotationsOf(document, component, requested));
    const finishing = {
      namespace: (scope ?? findScope(object)) === 'Cluster' ? undefined : namespace,
      labels: sharedLabels(document, component),
      annotations: own,
      isWrittenOut: locate !== undefined,
    };
    const finished = finishObject(locate === undefined ? labelPods(object, ofPods) : object, finishing);
    // The MAC of SOPS depends on the order of the fields.
    const isUntouched = isSopsEncrypted(object) && isSameJson(object, finished);
    return { ...composed, object: isUntouched ? object : finished };
  });
}

/** Annotations of the application and the component. */
function annotationsOf(
  { metadata, spec }: ApplicationDocument,
  component: number,
  requested: readonly ComponentResult['annotations'][],
): Texts {
  const { [tierAnnotation]: _, ...own } = spec.components[component]!.annotations;
  return { ...requested[component], ...metadata.annotations, ...own };
}

/** Labels that the author sets for the objects of a component: those of the application and its own. */
export function sharedLabels({ metadata, spec }: ApplicationDocument, component: number): Texts {
  const own = spec.components[component]!.labels;
  return Object.keys(own).length === 0 ? metadata.labels : { ...metadata.labels, ...own };
}

interface Finishing {
  /** `undefined` for a cluster-scoped object. */
  readonly namespace: string | undefined;
  /** Of the application; labels of the object itself take precedence. */
  readonly labels: Texts;
  readonly annotations: Texts;
  /** The object was written inline: its empty fields are kept. */
  readonly isWrittenOut: boolean;
}

/** Metadata first, in the usual order. */
function finishObject(object: KubeObject, { namespace, labels, annotations, isWrittenOut }: Finishing): KubeObject {
  const own = mappingAt(object, 'metadata') ?? {};
  const place = textAt(own, 'namespace') ?? namespace;
  const metadata: Record<string, Json> = {};
  if (Object.hasOwn(own, 'name')) metadata['name'] = own['name']!;
  if (place !== undefined) metadata['namespace'] = place;
  putShared('labels', labels);
  putShared('annotations', annotations);
  putOthers(metadata, own, ofMetadata);
  const finished: Record<string, Json> = { apiVersion: object.apiVersion, kind: object.kind, metadata };
  putOthers(finished, object, ofObjects);
  return finished as unknown as KubeObject;

  function putShared(key: string, shared: Texts): void {
    const written = mappingAt(own, key);
    const merged = Object.keys(shared).length === 0 ? (written ?? {}) : { ...shared, ...written };
    if ((isWrittenOut && written !== undefined) || Object.keys(merged).length > 0) metadata[key] = merged;
  }
}

const ofMetadata: ReadonlySet<string> = new Set(['name', 'namespace', 'labels', 'annotations']);
const ofObjects: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function putOthers(entries: Record<string, Json>, source: JsonObject, keys: ReadonlySet<string>): void {
  for (const key of Object.keys(source)) if (!keys.has(key)) putEntry(entries, key, source[key]!);
}

/** Namespaces and CustomResourceDefinitions come before everything that needs them. */
export function isFoundation(object: KubeObject): boolean {
  return (
    isOfKind(object, { group: '', kind: 'Namespace' }) ||
    isOfKind(object, { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' })
  );
}

/** The object with further labels on its pods; labels that they already have take precedence. */
function labelPods(object: KubeObject, labels: JsonObject): KubeObject {
  const pod = podOf(object);
  if (pod === undefined || Object.keys(labels).length === 0) return object;
  const metadata = { ...mappingAt(pod.template, 'metadata'), labels: { ...labels, ...podLabels(pod) } };
  return putAt(object, pod.templatePath, { ...pod.template, metadata }) as KubeObject;
}
