import { getOrAdd } from '../../budget/index.ts';
import { nearest } from '../../diagnostics/index.ts';
import { gvkOf, isOfKind, podPathsOf } from '../../kube/index.ts';
import { isJsonArray, isJsonObject, valueAt } from '../../model/index.ts';
import type { Json, KubeObject, Path } from '../../model/index.ts';
import type { KindSchema, SchemaNode, SchemaStore } from '../../schema/index.ts';
import type { PlainField, PlainStep } from './prepare-field.ts';

/** Which parts of a path can be omitted for a kind. */
export interface KindShape {
  /** `Deployment`, for messages. */
  readonly kind: string;
  /** Schema of the kind from the store. */
  readonly kindSchema: KindSchema | undefined;
  /** Schema of the whole object; for unknown kinds, of its metadata only. */
  readonly schema: SchemaNode | undefined;
  readonly rootFields: ReadonlySet<string>;
  readonly specFields: ReadonlySet<string>;
  /** Paths of the pod template and pod spec, for kinds that create pods. */
  readonly podTemplate?: readonly string[] | undefined;
  readonly podSpec?: readonly string[] | undefined;
  readonly podFields: ReadonlySet<string>;
  /** Field for keys that people choose: the data of ConfigMaps and Secrets. A path never leads to it by default. */
  readonly dataField?: string | undefined;
}

/** Fields of the only container of a pod. `resources` of the pod itself is rare and needs its full path. */
const containerFields: ReadonlySet<string> = new Set([
  'args',
  'command',
  'env',
  'envFrom',
  'image',
  'imagePullPolicy',
  'lifecycle',
  'livenessProbe',
  'ports',
  'readinessProbe',
  'resources',
  'startupProbe',
  'volumeDevices',
  'volumeMounts',
  'workingDir',
]);

const always = ['apiVersion', 'kind', 'metadata', 'status'];

const ingress = { group: 'networking.k8s.io', kind: 'Ingress' };

const dataFields: ReadonlyMap<string, string> = new Map([
  ['/ConfigMap', 'data'],
  ['/Secret', 'stringData'],
]);

// The most common short paths also work without a store.
const plainRoots: ReadonlyMap<string, readonly string[]> = new Map([
  ['/ConfigMap', ['data', 'binaryData', 'immutable']],
  ['/Secret', ['data', 'stringData', 'type', 'immutable']],
  ['/ServiceAccount', ['secrets', 'imagePullSecrets', 'automountServiceAccountToken']],
  ['/PodTemplate', ['template']],
  ['rbac.authorization.k8s.io/Role', ['rules']],
  ['rbac.authorization.k8s.io/ClusterRole', ['rules', 'aggregationRule']],
  ['rbac.authorization.k8s.io/RoleBinding', ['subjects', 'roleRef']],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', ['subjects', 'roleRef']],
]);

const plainPodFields = [
  'affinity',
  'automountServiceAccountToken',
  'containers',
  'dnsConfig',
  'dnsPolicy',
  'enableServiceLinks',
  'ephemeralContainers',
  'hostAliases',
  'hostIPC',
  'hostNetwork',
  'hostPID',
  'imagePullSecrets',
  'initContainers',
  'nodeSelector',
  'priorityClassName',
  'restartPolicy',
  'runtimeClassName',
  'schedulerName',
  'securityContext',
  'serviceAccountName',
  'shareProcessNamespace',
  'terminationGracePeriodSeconds',
  'tolerations',
  'topologySpreadConstraints',
  'volumes',
];

/** Shapes by kind, each created once. */
export function createShapes(store: SchemaStore | undefined): (object: KubeObject) => KindShape {
  const shapes = new Map<string, KindShape>();
  return (object) => {
    const key = `${object.apiVersion}/${object.kind}`;
    return getOrAdd(shapes, key, () => makeShape(object, store));
  };
}

function makeShape(object: KubeObject, store: SchemaStore | undefined): KindShape {
  const gvk = gvkOf(object);
  const key = `${gvk?.group ?? '?'}/${object.kind}`;
  const schema = gvk === undefined ? undefined : store?.find(gvk);
  const root = schema?.schema;
  const pods = gvk && podPathsOf(gvk);
  const podSpec = pods?.spec;
  const names = (path: Path): readonly string[] => nodeAt(root, path)?.propertyNames ?? [];
  return {
    kind: object.kind,
    kindSchema: schema,
    schema: root ?? onlyMetadata(store),
    rootFields: new Set([...always, ...(root?.propertyNames ?? plainRoots.get(key) ?? [])]),
    specFields: new Set(names(['spec'])),
    podTemplate: key === '/Pod' ? undefined : pods?.template,
    podSpec,
    podFields: new Set(podSpec === undefined ? [] : [...names(podSpec), ...plainPodFields]),
    dataField: dataFields.get(key),
  };
}

/** Metadata is the same for every kind, including unknown ones. */
function onlyMetadata(store: SchemaStore | undefined): SchemaNode | undefined {
  const any = store?.find({ group: '', version: 'v1', kind: 'ConfigMap' })?.schema;
  if (any === undefined) return undefined;
  const fields = new Map(['apiVersion', 'kind', 'metadata'].map((name) => [name, any.property(name)]));
  return {
    type: 'object',
    open: true,
    propertyNames: [...fields.keys()],
    values: undefined,
    items: undefined,
    property: (name) => fields.get(name),
  };
}

/** The schema of a part of an object. */
export function nodeAt(root: SchemaNode | undefined, path: Path): SchemaNode | undefined {
  let node = root;
  for (const step of path) node = typeof step === 'number' ? node?.items : node?.property(step);
  return node;
}

/** A map of scalars such as `labels`, `data` or `nodeSelector`, whose keys may contain dots. */
export function isFlatMap(node: SchemaNode | undefined, path: readonly (string | number)[]): boolean {
  if (node !== undefined && node.type !== 'any') {
    if (node.propertyNames.length > 0 || node.values === undefined) return false;
    return node.values.type !== 'object' && node.values.type !== 'list' && node.values.type !== 'any';
  }
  const last = path.at(-1);
  const before = path.at(-2);
  if (last === 'labels' || last === 'annotations') return before === 'metadata';
  if (last === 'limits' || last === 'requests') return before === 'resources';
  if (path.length === 1) return last === 'stringData';
  return last === 'matchLabels' || last === 'nodeSelector';
}

/** Whether the kind keeps its fields in a `spec`. */
function hasSpec(shape: KindShape, object: KubeObject): boolean {
  return shape.kindSchema === undefined ? isJsonObject(object['spec']) : shape.rootFields.has('spec');
}

/** A path from the root of the object. */
export type ExpandedPath =
  | { readonly type: 'path'; readonly steps: readonly PlainStep[] }
  /** A container field, but the pod does not have exactly one container. */
  | { readonly type: 'ambiguous'; readonly field: string; readonly containers: readonly string[] }
  /** A path does not tell whether the name is a mistyped field or something new in `parent`, by default the object itself. */
  | {
      readonly type: 'unknown';
      readonly name: string;
      readonly parent: string | undefined;
      readonly near: string | undefined;
    };

/** Completes a short path: `replicas` becomes `spec.replicas`. */
export function expandPath(steps: readonly PlainStep[], object: KubeObject, shape: KindShape): ExpandedPath {
  const [first, ...rest] = steps;
  if (first?.type !== 'field') return { type: 'path', steps };
  const { name } = first;
  const at = (...prefix: readonly string[]): ExpandedPath => ({
    type: 'path',
    steps: [...prefix.map(field), ...steps],
  });
  if (name === 'template' && shape.podTemplate !== undefined) {
    return { type: 'path', steps: [...shape.podTemplate.map(field), ...insideTemplate(rest)] };
  }
  if (isRoot(name, object, shape)) return at();
  if (name === 'labels' || name === 'annotations') return at('metadata');
  if (shape.podSpec !== undefined) {
    if (containerFields.has(name)) return intoContainer(steps, object, shape.podSpec);
    if (shape.specFields.has(name)) return at('spec');
    if (shape.podFields.has(name)) return at(...shape.podSpec);
  }
  if (name === 'backend' && isOfKind(object, ingress)) {
    return { type: 'path', steps: [field('spec'), field('defaultBackend'), ...rest] };
  }
  if (Object.hasOwn(object, name)) return at();
  if (shape.dataField !== undefined) {
    return { type: 'unknown', name, parent: shape.dataField, near: nearRoot(name, object, shape) };
  }
  const parent = hasSpec(shape, object) ? 'spec' : undefined;
  const isMeant = parent === undefined && first.quoted;
  // Nothing validates the fields of a kind without a schema, so a mistyped one would go unnoticed.
  const isNew = shape.kindSchema === undefined && !isMeant && valueAt(object, ['spec', name]) === undefined;
  const near = isNew ? nearRoot(name, object, shape) : undefined;
  if (near !== undefined) return { type: 'unknown', name, parent, near };
  return parent === undefined ? at() : at(parent);
}

/** The field that a path of this kind most likely starts with. */
function nearRoot(name: string, object: KubeObject, { rootFields }: KindShape): string | undefined {
  return nearest(name, [...rootFields, 'labels', 'annotations', ...Object.keys(object)]);
}

/** Whether a path of this kind may start with a name: a field of the kind, or one that a short path leads to. */
export function startsPath(name: string, object: KubeObject, shape: KindShape): boolean {
  const { podTemplate, podSpec, specFields, podFields } = shape;
  if (isRoot(name, object, shape) || Object.hasOwn(object, name)) return true;
  if (name === 'labels' || name === 'annotations') return true;
  if (podSpec !== undefined && (containerFields.has(name) || podFields.has(name))) return true;
  return specFields.has(name) || (name === 'template' && podTemplate !== undefined);
}

function isRoot(name: string, object: KubeObject, { rootFields, kindSchema }: KindShape): boolean {
  return rootFields.has(name) || (kindSchema === undefined && Object.hasOwn(object, name));
}

/** `template.labels` are the labels of the pod template. */
function insideTemplate(rest: readonly PlainStep[]): readonly PlainStep[] {
  const [next] = rest;
  const isMetadata = next?.type === 'field' && (next.name === 'labels' || next.name === 'annotations');
  return isMetadata ? [field('metadata'), ...rest] : rest;
}

function intoContainer(steps: readonly PlainStep[], object: KubeObject, podSpec: readonly string[]): ExpandedPath {
  const first = steps[0] as PlainField;
  const value = valueAt(object, [...podSpec, 'containers']);
  const containers = isJsonArray(value) ? value : [];
  if (containers.length !== 1) {
    return { type: 'ambiguous', field: first.name, containers: containers.map(nameOfContainer) };
  }
  return { type: 'path', steps: stepsIntoContainer(steps, podSpec) };
}

/** Steps to a field of the first container of a pod. */
export function stepsIntoContainer(steps: readonly PlainStep[], podSpec: readonly string[]): readonly PlainStep[] {
  return [...podSpec.map(field), field('containers'), { type: 'index', index: 0 }, ...steps];
}

function nameOfContainer(container: Json, index: number): string {
  const name = isJsonObject(container) ? container['name'] : undefined;
  return typeof name === 'string' ? name : `[${index}]`;
}

function field(name: string): PlainField {
  return { type: 'field', name, quoted: false };
}
