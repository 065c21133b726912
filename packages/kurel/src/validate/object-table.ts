import { getOrAdd } from '../budget/index.ts';
import { listAt, mappingAt, numberAt, parseApiVersion, podLabels, podSiteOf, textAt } from '../kube/index.ts';
import type { PodSite } from '../kube/index.ts';
import type { GroupVersionKind, JsonObject, KubeObject, ObjectName } from '../model/index.ts';
import type { SchemaStore } from '../schema/index.ts';
import { addsLabel, isAddedLabel } from './added-labels.ts';
import type { ObjectFindings } from './findings.ts';

/** An object with the facts that all checks need, read once. */
export interface Subject {
  readonly object: KubeObject;
  readonly gvk: GroupVersionKind;
  /** Namespace and name as written; empty if absent. */
  readonly namespace: string;
  readonly name: string;
  readonly pod: PodSite | undefined;
}

/** The objects with a valid apiVersion; `refuse` is called for the others. */
export function readSubjects(objects: readonly KubeObject[], refuse: (object: KubeObject) => void): readonly Subject[] {
  const types = new Map<string, Map<string, GroupVersionKind>>();
  const subjects: Subject[] = [];
  for (const object of objects) {
    const gvk = types.get(object.apiVersion)?.get(object.kind) ?? readType(object, types);
    if (gvk === undefined) refuse(object);
    else {
      const { metadata } = object;
      subjects.push({
        object,
        gvk,
        namespace: textAt(metadata, 'namespace') ?? '',
        name: textAt(metadata, 'name') ?? '',
        pod: podSiteOf(object, gvk),
      });
    }
  }
  return subjects;
}

function readType(object: KubeObject, types: Map<string, Map<string, GroupVersionKind>>): GroupVersionKind | undefined {
  const version = parseApiVersion(object.apiVersion);
  if (version === undefined) return undefined;
  const gvk = { ...version, kind: object.kind };
  getOrAdd(types, object.apiVersion, () => new Map()).set(object.kind, gvk);
  return gvk;
}

export interface PackageCheck {
  readonly store: SchemaStore;
  readonly findings: ObjectFindings;
  readonly table: ObjectTable;
  /** Describes a workload, other than the object, that has a name in a command, argument or variable of its containers. */
  readonly findNaming: (name: string, except: KubeObject) => string | undefined;
  /** The objects come from a patch package. */
  readonly inPackage: boolean;
  /** Objects of the same build that are not checked. */
  readonly dropped: readonly Subject[];
  /** Namespaces that are created outside of the build. */
  readonly namespacesElsewhere: readonly string[];
}

/** Objects by name and by label, to resolve references. Objects without a namespace are all applied to the same one. */
export interface ObjectTable {
  /** The object itself, or the object from which a controller creates it. */
  find(target: ObjectName): KubeObject | undefined;
  /** Names of the kind in the namespace. */
  names(target: Omit<ObjectName, 'name'>): readonly string[];
  /** Objects with the identity of an earlier one, together with that one. */
  readonly duplicates: readonly (readonly [subject: Subject, first: KubeObject])[];
  /** The workloads in a namespace whose pods have all of these labels. */
  podsWith(namespace: string, labels: LabelEntries): readonly PodSite[];
  /** The first such workload in any namespace. */
  podElsewhere(labels: LabelEntries): { readonly pod: PodSite; readonly namespace: string } | undefined;
}

export type LabelEntries = readonly (readonly [key: string, value: string])[];

export function createObjectTable(subjects: readonly Subject[]): ObjectTable {
  const kinds = new Map<string, Map<string, KubeObject>>();
  let labelled: ReadonlyMap<string, readonly PodSite[]> | undefined;
  const createNames = (): Map<string, KubeObject> => new Map();
  const namedLike = (place: Omit<ObjectName, 'name'>): Map<string, KubeObject> =>
    getOrAdd(kinds, keyOf(place), createNames);
  const duplicates: (readonly [Subject, KubeObject])[] = [];
  for (const subject of subjects) {
    const { object, gvk, namespace, name } = subject;
    const named = namedLike({ group: gvk.group, kind: gvk.kind, namespace });
    const first = named.get(name);
    if (first === undefined) named.set(name, object);
    // The API server generates a unique name for an object without one.
    else if (name !== '') duplicates.push([subject, first]);
  }
  for (const subject of subjects) {
    for (const [kind, name] of madeFrom(subject)) {
      const named = namedLike({ group: '', kind, namespace: subject.namespace });
      if (name !== undefined && !named.has(name)) named.set(name, subject.object);
    }
  }
  const findExactly = (target: ObjectName): KubeObject | undefined => kinds.get(keyOf(target))?.get(target.name);
  const namesIn = (target: Omit<ObjectName, 'name'>): readonly string[] => [
    ...(kinds.get(keyOf(target))?.keys() ?? []),
  ];
  const podsIn = (namespace: string, labels: LabelEntries): readonly PodSite[] => {
    // Built on first use, because only objects that select pods need it.
    labelled ??= indexLabels(subjects);
    const lists = labels
      .filter(([key]) => !isAddedLabel(key))
      .map(([key, value]) => labelled!.get(labelKey(namespace, key, value)) ?? []);
    // Start with the rarest label, so that a label that all pods have costs nothing.
    const fewest =
      lists.length === 0
        ? (labelled.get(labelKey(namespace, '', '')) ?? [])
        : lists.reduce((a, b) => (b.length < a.length ? b : a));
    return fewest.filter((pod) => hasLabels(pod, labels));
  };
  return {
    duplicates,
    find: (target) => findExactly(target) ?? findExactly({ ...target, namespace: twinOf(target.namespace) }),
    names: (target) => [...namesIn(target), ...namesIn({ ...target, namespace: twinOf(target.namespace) })],
    podElsewhere(labels) {
      for (const { pod, namespace } of subjects)
        if (pod !== undefined && hasLabels(pod, labels)) return { pod, namespace };
      return undefined;
    },
    podsWith(namespace, labels) {
      const pods = podsIn(namespace, labels);
      return pods.length > 0 ? pods : podsIn(twinOf(namespace), labels);
    },
  };
}

function hasLabels(pod: PodSite, labels: LabelEntries): boolean {
  return labels.every(([key, value]) => podLabels(pod)[key] === value || addsLabel(pod, key, value));
}

/** Objects without a namespace are most likely applied to the default one. */
function twinOf(namespace: string): string {
  return namespace === '' ? 'default' : '';
}

function indexLabels(subjects: readonly Subject[]): ReadonlyMap<string, readonly PodSite[]> {
  const index = new Map<string, PodSite[]>();
  const createSites = (): PodSite[] => [];
  const put = (place: string, pod: PodSite): void => void getOrAdd(index, place, createSites).push(pod);
  for (const { pod, namespace } of subjects) {
    if (pod === undefined) continue;
    put(labelKey(namespace, '', ''), pod);
    const labels = podLabels(pod);
    for (const label in labels) put(labelKey(namespace, label, textAt(labels, label) ?? ''), pod);
  }
  return index;
}

function keyOf({ group, kind, namespace }: Omit<ObjectName, 'name'>): string {
  return `${group}/${kind}/${namespace}`;
}

function labelKey(namespace: string, key: string, value: string): string {
  return `${namespace}\n${key}\n${value}`;
}

/** The objects that a controller creates from an object, in its namespace. */
type Made = readonly (readonly [kind: string, name: string | undefined])[];

type Make = (name: string, spec: JsonObject | undefined) => Made;

const nothing: Made = [];

function makeService(service: string): Make {
  // The operator creates it unless the object names an existing one.
  return (_, spec) => (textAt(spec, 'serviceName') === undefined ? [['Service', service]] : []);
}

/** By kind, because the kinds here are unique. */
const makers = new Map<string, readonly [group: string, make: Make]>([
  ['StatefulSet', ['apps', makeClaims]],
  ['SealedSecret', ['bitnami.com', (name) => [['Secret', name]]]],
  ['Certificate', ['cert-manager.io', (_, spec) => [['Secret', textAt(spec, 'secretName')]]]],
  ['Issuer', ['cert-manager.io', makeAccountKey]],
  ['ExternalSecret', ['external-secrets.io', makeExternal]],
  ['OnePasswordItem', ['onepassword.com', (name) => [['Secret', name]]]],
  ['VaultDynamicSecret', ['secrets.hashicorp.com', makeDestination]],
  ['VaultPKISecret', ['secrets.hashicorp.com', makeDestination]],
  ['VaultStaticSecret', ['secrets.hashicorp.com', makeDestination]],
  ['Alertmanager', ['monitoring.coreos.com', makeService('alertmanager-operated')]],
  ['Prometheus', ['monitoring.coreos.com', makeService('prometheus-operated')]],
  ['PrometheusAgent', ['monitoring.coreos.com', makeService('prometheus-agent-operated')]],
  ['ThanosRuler', ['monitoring.coreos.com', makeService('thanos-ruler-operated')]],
  ['Cluster', ['postgresql.cnpg.io', makeDatabase]],
  ['Pooler', ['postgresql.cnpg.io', (name) => [['Service', name]]]],
]);

function makeAccountKey(_: string, spec: JsonObject | undefined): Made {
  return [['Secret', textAt(mappingAt(mappingAt(spec, 'acme'), 'privateKeySecretRef'), 'name')]];
}

function makeDestination(_: string, spec: JsonObject | undefined): Made {
  return [['Secret', textAt(mappingAt(spec, 'destination'), 'name')]];
}

function makeExternal(name: string, spec: JsonObject | undefined): Made {
  const target = mappingAt(spec, 'target');
  return [[textAt(mappingAt(target, 'manifest'), 'kind') ?? 'Secret', textAt(target, 'name') ?? name]];
}

/** The objects that well-known controllers create from an object, so that others may refer to them. */
function madeFrom({ object, gvk, name }: Subject): Made {
  const [group, make] = makers.get(gvk.kind) ?? [];
  return make !== undefined && group === gvk.group ? make(name, mappingAt(object, 'spec')) : nothing;
}

/** Limits the work for a huge `replicas`; references to single claims beyond it are unlikely. */
const mostPods = 100;

function makeClaims(name: string, spec: JsonObject | undefined): Made {
  const first = numberAt(mappingAt(spec, 'ordinals'), 'start') ?? 0;
  const length = Math.max(0, Math.min(numberAt(spec, 'replicas') ?? 1, mostPods));
  return listAt(spec, 'volumeClaimTemplates').flatMap((template) => {
    const claim = textAt(mappingAt(template, 'metadata'), 'name') ?? '';
    return Array.from(
      { length },
      (_, index) => ['PersistentVolumeClaim', `${claim}-${name}-${first + index}`] as const,
    );
  });
}

function makeDatabase(name: string, spec: JsonObject | undefined): Made {
  const bootstrap = mappingAt(spec, 'bootstrap');
  const isGiven = ['initdb', 'pg_basebackup', 'recovery'].some(
    (way) => mappingAt(mappingAt(bootstrap, way), 'secret') !== undefined,
  );
  const isSuperuserMade = spec?.['enableSuperuserAccess'] === true && mappingAt(spec, 'superuserSecret') === undefined;
  const certificates = mappingAt(spec, 'certificates');
  const secrets = [
    ...(isGiven ? [] : ['app']),
    ...(isSuperuserMade ? ['superuser'] : []),
    ...(hasText(certificates, 'serverCASecret') && hasText(certificates, 'clientCASecret') ? [] : ['ca']),
    ...(hasText(certificates, 'serverTLSSecret') ? [] : ['server']),
    ...(hasText(certificates, 'replicationTLSSecret') ? [] : ['replication']),
  ];
  const services = mappingAt(mappingAt(spec, 'managed'), 'services');
  const off = listAt(services, 'disabledDefaultServices');
  return [
    ...secrets.map((suffix) => ['Secret', `${name}-${suffix}`] as const),
    ...['rw', 'ro', 'r']
      .filter((suffix) => !off.includes(suffix))
      .map((suffix) => ['Service', `${name}-${suffix}`] as const),
    ...listAt(services, 'additional').map((service) => {
      const metadata = mappingAt(mappingAt(service, 'serviceTemplate'), 'metadata');
      return ['Service', textAt(metadata, 'name')] as const;
    }),
  ];
}

function hasText(mapping: JsonObject | undefined, field: string): boolean {
  return textAt(mapping, field) !== undefined;
}
