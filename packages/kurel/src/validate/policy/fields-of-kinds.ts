import { listAt, mappingAt } from '../../kube/index.ts';
import type { GroupVersionKind, KubeObject, Path } from '../../model/index.ts';

/** Where an object says, outside of the pods it has, what policies have rules about. Not all of the fields need be there. */
interface PolicyFields {
  /** Numbers of pods or instances. */
  readonly counts: readonly Path[];
  /** Amounts of storage. */
  readonly storage: readonly Path[];
  /** Requests and limits. */
  readonly resources: readonly Path[];
  readonly images: readonly Path[];
  readonly urls: readonly Path[];
  /** Paths of a node that are made a volume. */
  readonly nodePaths: readonly Path[];
}

const nothing: PolicyFields = { counts: [], storage: [], resources: [], images: [], urls: [], nodePaths: [] };
const replicas: Partial<PolicyFields> = { counts: [['spec', 'replicas']] };
const sourceUrl: Partial<PolicyFields> = { urls: [['spec', 'url']] };

const kinds = new Map<string, (object: KubeObject) => Partial<PolicyFields>>([
  ['apps/Deployment', () => replicas],
  ['apps/ReplicaSet', () => replicas],
  ['/ReplicationController', () => replicas],
  ['apps/StatefulSet', (object) => ({ ...replicas, storage: claimTemplates(object) })],
  ['batch/Job', () => ({ counts: [['spec', 'parallelism']] })],
  ['batch/CronJob', () => ({ counts: [['spec', 'jobTemplate', 'spec', 'parallelism']] })],
  ['autoscaling/HorizontalPodAutoscaler', () => ({ counts: [['spec', 'maxReplicas']] })],
  ['/PersistentVolumeClaim', () => ({ storage: claimed(['spec']) })],
  [
    '/PersistentVolume',
    () => ({
      nodePaths: [
        ['spec', 'hostPath'],
        ['spec', 'local'],
      ],
    }),
  ],
  ['postgresql.cnpg.io/Cluster', databaseFields],
  ['postgresql.cnpg.io/Pooler', () => ({ counts: [['spec', 'instances']] })],
  ['source.toolkit.fluxcd.io/HelmRepository', () => sourceUrl],
  ['source.toolkit.fluxcd.io/OCIRepository', () => sourceUrl],
]);

export function fieldsOf(object: KubeObject, { group, kind }: GroupVersionKind): PolicyFields {
  return { ...nothing, ...kinds.get(`${group}/${kind}`)?.(object) };
}

/** A claim that has only a limit requests as much. */
function claimed(spec: Path): readonly Path[] {
  return [
    [...spec, 'resources', 'requests', 'storage'],
    [...spec, 'resources', 'limits', 'storage'],
  ];
}

function claimTemplates(object: KubeObject): readonly Path[] {
  const templates = listAt(mappingAt(object, 'spec'), 'volumeClaimTemplates');
  return templates.flatMap((_, index) => claimed(['spec', 'volumeClaimTemplates', index, 'spec']));
}

function databaseFields(object: KubeObject): Partial<PolicyFields> {
  const tablespaces = listAt(mappingAt(object, 'spec'), 'tablespaces');
  const volumes: readonly Path[] = [
    ['spec', 'storage'],
    ['spec', 'walStorage'],
    ...tablespaces.map((_, index) => ['spec', 'tablespaces', index, 'storage']),
  ];
  return {
    counts: [['spec', 'instances']],
    storage: volumes.flatMap(databaseStorage),
    resources: [['spec', 'resources']],
    images: [['spec', 'imageName']],
  };
}

function databaseStorage(volume: Path): readonly Path[] {
  return [[...volume, 'size'], ...claimed([...volume, 'pvcTemplate'])];
}
