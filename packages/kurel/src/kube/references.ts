import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonObject, KubeObject, Path } from '../model/index.ts';
import { objectNameOf, parseApiVersion } from './identity.ts';
import { kindsNamed } from './kind-names.ts';
import { mappingAt, textAt } from './metadata.ts';
import { pathTo } from './pod-site.ts';
import type { Place } from './pod-site.ts';

/** A field that names another object. */
export interface ObjectReference {
  readonly kind: string;
  /** Any group when absent. */
  readonly group?: string | undefined;
  readonly name: string;
  /** The namespace field next to the name; absent if the reference is to the object's own namespace. */
  readonly namespace?: string | undefined;
  /** The object works even if the target does not exist. */
  readonly isOptional: boolean;
  /** Path of the name. */
  readonly path: () => Path;
  /** The object that contains the name and further details of the reference. */
  readonly holder: JsonObject;
}

interface Target {
  readonly kind: string;
  readonly group?: string;
}

const configMap: Target = { kind: 'ConfigMap', group: '' };
const secret: Target = { kind: 'Secret', group: '' };
const service: Target = { kind: 'Service', group: '' };
const account: Target = { kind: 'ServiceAccount', group: '' };
const claim: Target = { kind: 'PersistentVolumeClaim', group: '' };

/** The target of `name`, by the field that contains the reference object or a list of them. */
const byHolder: ReadonlyMap<string, Target> = new Map([
  ['certificateRefs', secret],
  ['configMap', configMap],
  ['configMapKeyRef', configMap],
  ['configMapRef', configMap],
  ['controllerExpandSecretRef', secret],
  ['controllerPublishSecretRef', secret],
  ['imagePullSecrets', secret],
  ['nodeExpandSecretRef', secret],
  ['nodePublishSecretRef', secret],
  ['nodeStageSecretRef', secret],
  ['secret', secret],
  ['secretKeyRef', secret],
  ['secretRef', secret],
  ['secrets', secret],
  ['service', service],
]);

/** The same for references that may set their kind; this kind is the default. */
const byTypedHolder: ReadonlyMap<string, Target> = new Map([
  ['backendRef', service],
  ['backendRefs', service],
  ['issuerRef', { kind: 'Issuer', group: 'cert-manager.io' }],
  ['parentRefs', { kind: 'Gateway', group: 'gateway.networking.k8s.io' }],
  ['scaleTargetRef', { kind: 'Deployment', group: 'apps' }],
  ['secretStoreRef', { kind: 'SecretStore', group: 'external-secrets.io' }],
]);

/** The target of fields that are names themselves. */
const byField: ReadonlyMap<string, Target> = new Map([
  ['claimName', claim],
  ['configMapName', configMap],
  ['gatewayClassName', { kind: 'GatewayClass', group: 'gateway.networking.k8s.io' }],
  ['ingressClassName', { kind: 'IngressClass', group: 'networking.k8s.io' }],
  ['priorityClassName', { kind: 'PriorityClass', group: 'scheduling.k8s.io' }],
  ['runtimeClassName', { kind: 'RuntimeClass', group: 'node.k8s.io' }],
  ['secretName', secret],
  ['serviceAccount', account],
  ['serviceAccountName', account],
  ['serviceName', service],
  ['storageClassName', { kind: 'StorageClass', group: 'storage.k8s.io' }],
  ['volumeName', { kind: 'PersistentVolume', group: '' }],
]);

/** A deprecated duplicate of another field, which already reports a missing target. */
const repeated: ReadonlySet<string> = new Set(['serviceAccount']);

/** Parts of an object that contain the texts of other programs, or that authors do not write. */
const skipped: ReadonlySet<string> = new Set(['metadata', 'status', 'data', 'stringData', 'binaryData']);

type Visit = (reference: ObjectReference) => void;

/**
 * The references of an object, recognised by the field names in the schemas of Kubernetes and of widely used kinds: by the field
 * around a name (`configMapKeyRef`), by the field itself (`serviceAccountName`), or by a kind next to the name (`scaleTargetRef`, `roleRef`).
 */
export function eachReference(object: KubeObject, visit: Visit): void {
  const isDefinition = object.kind === 'CustomResourceDefinition';
  const left: Place[] = [];
  const root: Place = { value: object };
  for (const key of Object.keys(object).toReversed()) {
    if (!skipped.has(key)) push(left, root, key, object[key]!);
  }
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    const { value } = place;
    if (isJsonArray(value)) {
      for (let index = value.length - 1; index >= 0; index -= 1) push(left, place, index, value[index]!);
    } else if (isJsonObject(value)) {
      visitMapping(value, place, { object, visit });
      for (const key of Object.keys(value).toReversed()) {
        // A schema describes fields, and its examples are not references.
        if (!isDefinition || place.above !== root || key === 'conversion') push(left, place, key, value[key]!);
      }
    }
  }
}

function push(left: Place[], above: Place, step: string | number, value: Json): void {
  if (typeof value === 'object' && value !== null) left.push({ value, above, step });
}

interface Visiting {
  readonly object: KubeObject;
  readonly visit: Visit;
}

function visitMapping(mapping: JsonObject, place: Place, { object, visit }: Visiting): void {
  const isOptional = mapping['optional'] === true;
  const pathOf =
    (...steps: Path) =>
    (): Path => [...pathTo(place), ...steps];
  const name = textAt(mapping, 'name');
  const target = name === undefined ? undefined : targetOf(mapping, holderOf(place), object);
  const { namespace } = mapping;
  if (name !== undefined && target !== undefined && (namespace === undefined || typeof namespace === 'string')) {
    visit({ ...target, name, namespace, isOptional, path: pathOf('name'), holder: mapping });
  }
  for (const key of Object.keys(mapping)) {
    const named = byField.get(key);
    const text = named === undefined ? undefined : textAt(mapping, key);
    if (named === undefined || text === undefined) continue;
    visit({ ...named, name: text, isOptional: isOptional || repeated.has(key), path: pathOf(key), holder: mapping });
  }
  visitRule(mapping, { visit, pathOf });
}

/** The field that contains an object, directly or as an item of its list. */
function holderOf({ step, above }: Place): string {
  const field = typeof step === 'number' ? above?.step : step;
  return typeof field === 'string' ? field : '';
}

function targetOf(mapping: JsonObject, holder: string, object: KubeObject): Target | undefined {
  const known = byHolder.get(holder);
  if (known !== undefined) return known;
  const usual = byTypedHolder.get(holder);
  const kind = textAt(mapping, 'kind') ?? usual?.kind;
  // Flux objects of one kind that wait for each other.
  if (kind === undefined) return holder === 'dependsOn' && isFlux(object) ? { kind: object.kind } : undefined;
  // A complete object inside another is not a reference.
  if (mappingAt(mapping, 'metadata') !== undefined) return undefined;
  const group =
    textAt(mapping, 'apiGroup') ??
    textAt(mapping, 'group') ??
    parseApiVersion(textAt(mapping, 'apiVersion') ?? '')?.group ??
    (kind === usual?.kind ? usual.group : undefined);
  return group === undefined ? { kind } : { kind, group };
}

function isFlux(object: KubeObject): boolean {
  return objectNameOf(object).group.endsWith('.toolkit.fluxcd.io');
}

/** `resourceNames` in a rule of a Role: the objects that the rule applies to. */
function visitRule(
  mapping: JsonObject,
  { visit, pathOf }: Pick<Visiting, 'visit'> & { readonly pathOf: (...steps: Path) => () => Path },
): void {
  const { resourceNames, resources } = mapping;
  if (!isJsonArray(resourceNames) || !isJsonArray(resources)) return;
  resourceNames.forEach((name, index) => {
    if (typeof name !== 'string') return;
    const kinds = new Set(resources.flatMap((one) => (typeof one === 'string' ? kindsNamed(one.split('/')[0]!) : [])));
    for (const kind of kinds)
      visit({ kind, name, isOptional: true, path: pathOf('resourceNames', index), holder: mapping });
  });
}
