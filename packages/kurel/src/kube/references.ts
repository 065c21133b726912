import { getOrAdd } from '../budget/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonObject, KubeObject, ObjectName, Path } from '../model/index.ts';
import { isOfKind, nameOf, namespaceOf, objectNameOf, parseApiVersion } from './identity.ts';
import { kindsNamed } from './object-name.ts';
import { mappingAt, textAt, withName } from './metadata.ts';
import { fieldOf, pathTo, pushInner } from './pod-site.ts';
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

/** Parts of an object that contain text of other programs, or that authors do not write. */
const skipped: ReadonlySet<string> = new Set(['metadata', 'status', 'data', 'stringData', 'binaryData']);

type Visit = (reference: ObjectReference) => void;

/**
 * The references of an object, recognised by the field names in the schemas of Kubernetes and of widely used kinds: by the field
 * around a name (`configMapKeyRef`), by the field itself (`serviceAccountName`), or by a kind next to the name (`scaleTargetRef`, `roleRef`).
 */
export function eachReference(object: KubeObject, visit: Visit): void {
  const isDefinition = object.kind === 'CustomResourceDefinition';
  const { group } = objectNameOf(object);
  const visiting = {
    object,
    isFlux: group.endsWith('.toolkit.fluxcd.io'),
    table: tableOf(group),
    visit,
  };
  const left: Place[] = [];
  const root: Place = { value: object };
  pushInner(left, root, (key) => !skipped.has(key));
  // A schema describes fields, and its examples are not references.
  const isTaken = isDefinition ? (key: string): boolean => key === 'conversion' : undefined;
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    if (isJsonObject(place.value)) visitMapping(place.value, place, visiting);
    pushInner(left, place, place.above === root ? isTaken : undefined);
  }
}

interface Visiting {
  readonly object: KubeObject;
  readonly isFlux: boolean;
  readonly table: ReferenceTable;
  readonly visit: Visit;
}

function visitMapping(mapping: JsonObject, place: Place, visiting: Visiting): void {
  const { table, visit } = visiting;
  const { name, namespace, optional } = mapping;
  const isOptional = optional === true;
  const target = typeof name === 'string' ? targetOf(mapping, fieldOf(place), visiting) : undefined;
  if (typeof name === 'string' && target !== undefined && (namespace === undefined || typeof namespace === 'string')) {
    visit({ isOptional, ...target, name, namespace, path: () => [...pathTo(place), 'name'], holder: mapping });
  }
  for (const key in mapping) {
    const text = mapping[key];
    const named = typeof text === 'string' ? table.fields.get(key) : undefined;
    if (typeof text === 'string' && named !== undefined) {
      visit({ isOptional, ...named, name: text, path: () => [...pathTo(place), key], holder: mapping });
    }
  }
  if (isJsonArray(mapping['resourceNames'])) visitRule(mapping, place, visit);
}

function targetOf(mapping: JsonObject, holder: string, { object, isFlux, table }: Visiting): Target | undefined {
  const target = table.holders.get(holder);
  if (target !== undefined) return target;
  const usual = usualKinds.get(holder);
  const kind = textAt(mapping, 'kind') ?? usual?.kind;
  // Flux objects of one kind that wait for each other.
  if (kind === undefined) return holder === 'dependsOn' && isFlux ? { kind: object.kind } : undefined;
  // A complete object inside another is not a reference.
  if (mappingAt(mapping, 'metadata') !== undefined) return undefined;
  const group =
    textAt(mapping, 'apiGroup') ??
    textAt(mapping, 'group') ??
    parseApiVersion(textAt(mapping, 'apiVersion') ?? '')?.group ??
    (kind === usual?.kind ? usual.group : undefined);
  return group === undefined ? { kind } : { kind, group };
}

/** `resourceNames` in a rule of a Role: the objects that the rule applies to. */
function visitRule(mapping: JsonObject, place: Place, visit: Visit): void {
  const { resourceNames, resources } = mapping;
  if (!isJsonArray(resourceNames) || !isJsonArray(resources)) return;
  const kinds = new Set(
    resources.flatMap((resource) => (typeof resource === 'string' ? kindsNamed(resource.split('/')[0]!) : [])),
  );
  resourceNames.forEach((name, index) => {
    if (typeof name !== 'string') return;
    for (const kind of kinds)
      visit({
        kind,
        name,
        isOptional: true,
        path: () => [...pathTo(place), 'resourceNames', index],
        holder: mapping,
      });
  });
}

/** What a field names. */
interface Target {
  readonly kind: string;
  readonly group?: string;
  /** The object works without it, or something else may create it. */
  readonly isOptional?: boolean;
}

const configMap: Target = { kind: 'ConfigMap', group: '' };
const secret: Target = { kind: 'Secret', group: '' };
const service: Target = { kind: 'Service', group: '' };
const account: Target = { kind: 'ServiceAccount', group: '' };
const claim: Target = { kind: 'PersistentVolumeClaim', group: '' };

/** The fields that name other objects, by the field. */
interface ReferenceTable {
  /** What the `name` of an object names that the field holds, by itself or in a list. */
  readonly holders: ReadonlyMap<string, Target>;
  /** What the field names that is a name itself. */
  readonly fields: ReadonlyMap<string, Target>;
}

/** Fields by what they name, separated by blanks. */
type Names = readonly (readonly [target: Target, fields: string])[];

type TableNames = Readonly<Record<keyof ReferenceTable, Names>>;

function createTable(names: Partial<TableNames>, base?: ReferenceTable): ReferenceTable {
  const listFields = (rows: Names = []): readonly (readonly [string, Target])[] =>
    rows.flatMap(([target, fields]) => fields.split(' ').map((field) => [field, target] as const));
  return {
    holders: new Map([...(base?.holders ?? []), ...listFields(names.holders)]),
    fields: new Map([...(base?.fields ?? []), ...listFields(names.fields)]),
  };
}

/** Fields of the same name mean the same in all kinds. */
const everywhere = createTable({
  holders: [
    [configMap, 'configMap configMapKeyRef configMapRef'],
    [secret, 'certificateRefs imagePullSecrets secret secretKeyRef secretRef secrets'],
    [secret, 'controllerExpandSecretRef controllerPublishSecretRef'],
    [secret, 'nodeExpandSecretRef nodePublishSecretRef nodeStageSecretRef'],
    [service, 'service'],
  ],
  fields: [
    [claim, 'claimName'],
    [configMap, 'configMapName'],
    [{ kind: 'GatewayClass', group: 'gateway.networking.k8s.io' }, 'gatewayClassName'],
    [{ kind: 'IngressClass', group: 'networking.k8s.io' }, 'ingressClassName'],
    [{ kind: 'PriorityClass', group: 'scheduling.k8s.io' }, 'priorityClassName'],
    [{ kind: 'RuntimeClass', group: 'node.k8s.io' }, 'runtimeClassName'],
    [secret, 'secretName'],
    // The old name of `serviceAccountName`, and the API server sets both.
    [{ ...account, isOptional: true }, 'serviceAccount'],
    [account, 'serviceAccountName'],
    [service, 'serviceName'],
    [{ kind: 'StorageClass', group: 'storage.k8s.io' }, 'storageClassName'],
    [{ kind: 'PersistentVolume', group: '' }, 'volumeName'],
  ],
});

/** Credentials of an object store, in a Cluster of CloudNativePG and in an ObjectStore of its plugin. */
const objectStoreHolders: Names = [
  [secret, 'accessKeyId secretAccessKey region sessionToken connectionString'],
  [secret, 'storageAccount storageKey storageSasToken applicationCredentials endpointCA'],
];

/** Fields that name objects only in kinds of one API group, because their names say little. */
const ofGroups: Readonly<Record<string, Partial<TableNames>>> = {
  'postgresql.cnpg.io': {
    holders: [
      ...objectStoreHolders,
      [{ kind: 'Backup', group: 'postgresql.cnpg.io' }, 'backup'],
      [{ kind: 'Cluster', group: 'postgresql.cnpg.io' }, 'cluster'],
      [configMap, 'configMapRefs customQueriesConfigMap'],
      [secret, 'authQuerySecret bindPassword clientCASecret clientTLSSecret customQueriesSecret password'],
      [secret, 'passwordSecret secretRefs serverCASecret serverTLSSecret sslCert sslKey sslRootCert superuserSecret'],
    ],
    fields: [
      [{ kind: 'ObjectStore', group: 'barmancloud.cnpg.io' }, 'barmanObjectName'],
      [secret, 'clientCASecret replicationTLSSecret serverCASecret serverTLSSecret'],
    ],
  },
  'barmancloud.cnpg.io': { holders: objectStoreHolders },
  'volsync.backube': {
    fields: [
      // Claims that an operator creates can be backed up, too.
      [{ ...claim, isOptional: true }, 'destinationPVC sourcePVC'],
      [account, 'moverServiceAccount'],
      [secret, 'keySecret rcloneConfig repository sshKeys'],
    ],
  },
};

const byGroup = new Map<string, ReferenceTable>();

/** Most builds have objects of none of these groups, so their tables are created on first use. */
function tableOf(group: string): ReferenceTable {
  if (!Object.hasOwn(ofGroups, group)) return everywhere;
  return getOrAdd(byGroup, group, () => createTable(ofGroups[group]!, everywhere));
}

/** What a reference means that may say its kind, and does not. */
const usualKinds: ReadonlyMap<string, Target> = new Map([
  ['backendRef', service],
  ['backendRefs', service],
  ['issuerRef', { kind: 'Issuer', group: 'cert-manager.io' }],
  ['parentRefs', { kind: 'Gateway', group: 'gateway.networking.k8s.io' }],
  ['scaleTargetRef', { kind: 'Deployment', group: 'apps' }],
  ['secretStoreRef', { kind: 'SecretStore', group: 'external-secrets.io' }],
]);

/** Changes the name of an object, and its references to renamed objects. */
export type Rename = (object: KubeObject) => KubeObject;

/** Kinds whose names have a meaning: other objects are in a Namespace, and a definition is named after its kind. */
const fixed = [
  { group: '', kind: 'Namespace' },
  { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' },
  { group: 'apiregistration.k8s.io', kind: 'APIService' },
];

/**
 * Renames objects together with the references between them. `objects` are all possible targets; a reference to anything
 * else is unchanged. Namespaces, CustomResourceDefinitions and APIServices keep their names, and so do objects without one.
 */
export function createRename(objects: readonly KubeObject[], newName: (object: KubeObject) => string): Rename {
  const nameFor = (object: KubeObject): string => {
    const name = nameOf(object);
    return name === '' || fixed.some((kind) => isOfKind(object, kind)) ? name : newName(object);
  };
  const renamed = new Map<string, Pick<ObjectName, 'group' | 'name'>[]>();
  for (const object of objects) {
    const name = nameFor(object);
    if (name === nameOf(object)) continue;
    const key = keyOf(object.kind, namespaceOf(object), nameOf(object));
    const group = { group: objectNameOf(object).group, name };
    getOrAdd(renamed, key, () => []).push(group);
  }
  const find = (reference: ObjectReference, home: string): string | undefined => {
    const { kind, group, name, namespace = home } = reference;
    // An object without a namespace is cluster-scoped, or in the namespace that the set is applied to.
    for (const place of [namespace, '', ...(namespace === '' ? ['default'] : [])]) {
      const candidates = renamed.get(keyOf(kind, place, name)) ?? [];
      const fits = candidates.find((candidate) => group === undefined || candidate.group === group);
      if (fits !== undefined) return fits.name;
    }
    return undefined;
  };
  return (object) => {
    const edits: (readonly [path: Path, name: string])[] = [];
    eachReference(object, (reference) => {
      const name = find(reference, namespaceOf(object));
      if (name !== undefined) edits.push([reference.path(), name]);
    });
    const followed = edits.reduce<Json>((value, [path, name]) => putText(value, path, name), object) as KubeObject;
    const name = nameFor(object);
    return name === nameOf(object) ? followed : withName(followed, name);
  };
}

function keyOf(kind: string, namespace: string, name: string): string {
  return `${kind.toLowerCase()}/${namespace}/${name}`;
}

/** Data with another string at an existing path. */
export function putText(value: Json, [step, ...rest]: Path, text: string): Json {
  if (step === undefined) return text;
  if (isJsonArray(value)) return value.map((item, index) => (index === step ? putText(item, rest, text) : item));
  return isJsonObject(value) ? { ...value, [step]: putText(value[step]!, rest, text) } : value;
}
