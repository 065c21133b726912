import { getOrAdd } from '../budget/index.ts';
import { gvkOf, nameOf, namespaceOf, parseObjectName } from '../kube/index.ts';
import type { ObjectMatcher } from '../kube/index.ts';
import type { Diagnostic, KubeObject, Path } from '../model/index.ts';
import type { Fleet, FleetTarget, TargetAcceptance } from './fleet.ts';
import { fleetProblems } from './problems.ts';

/** An object as a cluster knows it, in one string, because a fleet has very many: group, kind, namespace and name. */
export function writtenName(object: KubeObject): string | undefined {
  const [name, group] = [nameOf(object), gvkOf(object)?.group];
  // Files of kustomize never reach the cluster.
  const isFile = group === 'kustomize.config.k8s.io';
  return name === '' || group === undefined || isFile
    ? undefined
    : [group, object.kind, namespaceOf(object), name].join(' ');
}

function readName(text: string) {
  // Only the name may contain spaces.
  const [group = '', kind = '', namespace = '', ...name] = text.split(' ');
  return { group, kind, namespace, name: name.join(' ') };
}

/** Kinds whose objects tell a controller what to deploy: with one name, the second replaces the first. */
const deliveryKinds: readonly string[] = ['kustomize.toolkit.fluxcd.io Kustomization', 'argoproj.io Application'];

function isDelivery(written: string): boolean {
  return deliveryKinds.some((kind) => written.startsWith(`${kind} `));
}

export interface SharedObjects {
  readonly diagnostics: readonly (Diagnostic & { readonly targets: readonly string[] })[];
  /** The acceptances that accept some of the objects. */
  readonly acceptedBy: readonly Path[];
  readonly accepted: number;
}

/**
 * Objects that several targets write to one cluster: whichever is removed first takes them away from the others. A target without a cluster
 * may be for another one than the rest, but not if their deliveries have one name.
 */
export function findSharedObjects(
  { source, targets }: Pick<Fleet, 'source' | 'targets'>,
  writtenBy: (name: string) => readonly string[] | undefined,
): SharedObjects {
  const groups = new Map<string, SharedGroup>();
  for (const [cluster, members] of groupByCluster(targets)) {
    for (const [written, owners] of findOwners(members, writtenBy)) {
      const kind = isDelivery(written) ? 'delivery' : 'object';
      if (cluster === undefined && (kind === 'object' || owners.every((owner) => owner.cluster !== undefined)))
        continue;
      const key = JSON.stringify([kind, ...owners.map(({ name }) => name)]);
      const group = getOrAdd(groups, key, (): SharedGroup => ({ kind, cluster, owners, written: [] }));
      group.written.push(written);
    }
  }
  const acceptedBy = new Set<Path>();
  let accepted = 0;
  const diagnostics = [...groups.values()].flatMap((group) => {
    const acceptances = group.kind === 'object' ? listAcceptances(group.owners) : [];
    const left = group.written.filter((written) => {
      const name = readName(written);
      const entries = acceptances.filter(({ matches }) => matches(name));
      for (const { path } of entries) acceptedBy.add(path);
      return entries.length === 0;
    });
    if (left.length < group.written.length) accepted += 1;
    return left.length === 0 ? [] : [describeShared({ ...group, written: left }, source.path)];
  });
  return { diagnostics, acceptedBy: [...acceptedBy], accepted };
}

interface SharedGroup {
  readonly kind: 'object' | 'delivery';
  readonly cluster: string | undefined;
  readonly owners: readonly FleetTarget[];
  readonly written: string[];
}

/** A target without a cluster may be for any of them. */
function groupByCluster(targets: readonly FleetTarget[]): ReadonlyMap<string | undefined, readonly FleetTarget[]> {
  const clusters = new Map<string | undefined, FleetTarget[]>();
  for (const target of targets)
    if (target.cluster !== undefined) getOrAdd(clusters, target.cluster, () => []).push(target);
  return targets.every(({ cluster }) => cluster !== undefined) ? clusters : clusters.set(undefined, [...targets]);
}

/** The targets of each object that several of them write. Most objects have one, so only the others get a list. */
function findOwners(
  targets: readonly FleetTarget[],
  writtenBy: (name: string) => readonly string[] | undefined,
): ReadonlyMap<string, readonly FleetTarget[]> {
  const firsts = new Map<string, FleetTarget>();
  const owners = new Map<string, FleetTarget[]>();
  for (const target of targets) {
    for (const written of writtenBy(target.name) ?? []) {
      const first = firsts.get(written);
      if (first === undefined) firsts.set(written, target);
      else if (first !== target) {
        const list = getOrAdd(owners, written, () => [first]);
        if (list.at(-1) !== target) list.push(target);
      }
    }
  }
  return owners;
}

/** The entries of targets that accept that others write an object too. Targets share the entries that they inherit. */
function listAcceptances(owners: readonly FleetTarget[]) {
  const entries = new Set<TargetAcceptance>();
  for (const { settings } of owners) {
    for (const entry of settings.accept) if (entry.code === 'fleet-object-shared') entries.add(entry);
  }
  return Array.from(entries, ({ object, path }) => {
    const matches: ObjectMatcher = object === undefined ? () => true : (parseObjectName(object) ?? (() => false));
    return { path, matches };
  });
}

function describeShared({ kind, cluster, owners, written }: SharedGroup, file: string) {
  const [first, second] = owners as readonly [FleetTarget, FleetTarget];
  const targets = owners.map(({ name }) => name);
  const pruning = owners.filter(({ settings }) => settings.layout === 'flux').map(({ name }) => name);
  const isGenerated = pruning.length === owners.length;
  const objects = written.map((text) => {
    const { kind: noun, namespace, name } = readName(text);
    return `${noun} ${namespace === '' ? '' : `${namespace}/`}${name}`;
  });
  const isOneEntry = JSON.stringify(first.path) === JSON.stringify(second.path);
  const place = {
    location: { file, document: 0, path: second.path },
    ...(isOneEntry
      ? {}
      : {
          related: [{ message: `target "${first.name}" is here`, location: { file, document: 0, path: first.path } }],
        }),
  };
  const isStrict = owners.some(({ settings }) => settings.strict);
  const finding =
    kind === 'delivery'
      ? fleetProblems.create('fleet-delivery-shared', { targets, objects, cluster, isGenerated }, place)
      : fleetProblems.create(
          'fleet-object-shared',
          { targets, objects, cluster: cluster!, pruning },
          { ...place, severity: isStrict ? 'error' : 'warning' },
        );
  return { ...finding, targets };
}
