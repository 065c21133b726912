import { DiagnosticError } from '../diagnostics/index.ts';
import type { KubeObject } from '../model/index.ts';
import { gvkOf, nameOf, namespaceOf } from './identity.ts';
import { kubeProblems } from './problems.ts';

export interface ApplyOrderOptions {
  /** Kinds to place right after a kind that has a fixed position: `{ Service: ['Certificate'] }`. */
  readonly after?: Readonly<Record<string, readonly string[]>>;
  readonly before?: Readonly<Record<string, readonly string[]>>;
}

const first: readonly string[] = [
  'Namespace',
  'ResourceQuota',
  'StorageClass',
  'CustomResourceDefinition',
  'ServiceAccount',
  'PodSecurityPolicy',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
  'ConfigMap',
  'Secret',
  'Endpoints',
  'Service',
  'LimitRange',
  'PriorityClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Deployment',
  'StatefulSet',
  'CronJob',
  'PodDisruptionBudget',
];
// Webhooks come last: they would reject the other objects until their backend runs.
const last: readonly string[] = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];
// Represents every kind without a fixed position. No kind has this name.
const others = '*';
const defaultOrder: readonly string[] = [...first, others, ...last];

type Ranks = ReadonlyMap<string, number>;

/** Orders two objects for applying them to a cluster; a total order over everything that distinguishes objects. */
export function compareApplyOrder(a: KubeObject, b: KubeObject): number {
  return compareKeys(keyOf(a, defaultRanks), keyOf(b, defaultRanks));
}

/** A sorted copy; equal objects keep their order. Throws `DiagnosticError` for options that name an unknown kind. */
export function sortByApplyOrder(
  objects: readonly KubeObject[],
  options: ApplyOrderOptions = {},
): readonly KubeObject[] {
  const ranks = rankKinds(options);
  return objects
    .map((object) => ({ object, key: keyOf(object, ranks) }))
    .sort((a, b) => compareKeys(a.key, b.key))
    .map(({ object }) => object);
}

/** A copy ordered by kind only: objects that can be applied in any order keep the order of their author. */
export function groupByApplyOrder(objects: readonly KubeObject[]): readonly KubeObject[] {
  const rankOf = ({ kind }: KubeObject): number => defaultRanks.get(kind) ?? defaultRanks.get(others)!;
  return objects.toSorted((a, b) => rankOf(a) - rankOf(b));
}

const defaultRanks = numberKinds(defaultOrder);

function numberKinds(order: readonly string[]): Ranks {
  return new Map(order.map((kind, rank) => [kind, rank]));
}

function rankKinds({ after = {}, before = {} }: ApplyOrderOptions): Ranks {
  const placements = [
    ...Object.entries(after).map(([anchor, kinds]) => ({ anchor, kinds, offset: 1 })),
    ...Object.entries(before).map(([anchor, kinds]) => ({ anchor, kinds, offset: 0 })),
  ];
  const moved = new Set(placements.flatMap(({ kinds }) => kinds));
  const order = defaultOrder.filter((kind) => !moved.has(kind));
  // A kind may be placed next to one that is itself placed by an option, in any order of the options.
  let waiting = placements;
  for (let progress = true; progress;) {
    const next = waiting.filter(({ anchor }) => !order.includes(anchor));
    for (const { anchor, kinds, offset } of waiting) {
      if (!next.some((placement) => placement.anchor === anchor))
        order.splice(order.indexOf(anchor) + offset, 0, ...kinds);
    }
    progress = next.length < waiting.length;
    waiting = next;
  }
  const kinds = order.filter((name) => name !== others);
  const unknown = waiting.map(({ anchor: kind }) =>
    kubeProblems.create('apply-order-unknown-kind', { kind, known: kinds }),
  );
  if (unknown.length > 0) throw new DiagnosticError(unknown);
  return numberKinds(order);
}

type Key = readonly [rank: number, ...texts: string[]];

function keyOf(object: KubeObject, ranks: Ranks): Key {
  const { group, version, kind } = gvkOf(object) ?? { group: object.apiVersion, version: '', kind: object.kind };
  const rank = ranks.get(kind) ?? ranks.get(others)!;
  return [rank, group, version, kind, namespaceOf(object), nameOf(object)];
}

function compareKeys(a: Key, b: Key): number {
  for (let index = 0; index < a.length; index += 1) {
    const [left, right] = [a[index]!, b[index]!];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
