import { quote } from '../../diagnostics/index.ts';
import { fieldOf, has, mappingAt, pathTo, textAt } from '../../kube/index.ts';
import type { Place } from '../../kube/index.ts';
import { isJsonObject, valueAt } from '../../model/index.ts';
import type { GroupVersionKind, Json, JsonObject, Path } from '../../model/index.ts';
import { checkLimit, isZeroAmount, reportExceeded, reportMissingLimit, reportUnchecked } from './enforcing.ts';
import type { Enforcing } from './enforcing.ts';
import { tightestLayer } from './rules.ts';
import type { AmountLimit } from './rules.ts';
import { nameContainer, pathOf, subjectAt } from './workload-field.ts';
import type { Field } from './workload-field.ts';

interface Bound {
  /** The fields and annotations that set it; the first one that is present counts. */
  readonly paths: readonly Path[];
  /** What applies without them; `undefined` for no limit. Other kinds default to one pod. */
  readonly otherwise?: number;
  /** Whether 0 means no limit. */
  readonly isEndlessAtZero?: boolean;
}

function knativeBound(...above: Path): Bound {
  const names = ['autoscaling.knative.dev/max-scale', 'autoscaling.knative.dev/maxScale'];
  const paths = names.map((name): Path => above.concat('metadata', 'annotations', name));
  return { paths, isEndlessAtZero: true };
}

/** Kinds that may run many pods if they do not set a number. */
const counts: ReadonlyMap<string, Bound> = new Map<string, Bound>([
  ['keda.sh/ScaledObject', { paths: [['spec', 'maxReplicaCount']], otherwise: 100 }],
  ['keda.sh/ScaledJob', { paths: [['spec', 'maxReplicaCount']], otherwise: 100 }],
  ['autoscaling/HorizontalPodAutoscaler', { paths: [['spec', 'maxReplicas']] }],
  ['actions.github.com/AutoscalingRunnerSet', { paths: [['spec', 'maxRunners']] }],
  ['serving.knative.dev/Service', knativeBound('spec', 'template')],
  ['serving.knative.dev/Configuration', knativeBound('spec', 'template')],
  ['serving.knative.dev/Revision', knativeBound()],
]);

/** Numbers of pods that multiply. */
const factors: Readonly<Record<string, readonly Path[]>> = {
  'monitoring.coreos.com/Prometheus': [
    ['spec', 'replicas'],
    ['spec', 'shards'],
  ],
  'monitoring.coreos.com/PrometheusAgent': [
    ['spec', 'replicas'],
    ['spec', 'shards'],
  ],
  'keda.sh/ScaledJob': [
    ['spec', 'maxReplicaCount'],
    ['spec', 'jobTargetRef', 'parallelism'],
  ],
};

const pausedReplicas: Path = ['metadata', 'annotations', 'autoscaling.keda.sh/paused-replicas'];

/** Resources of pods that operators create. */
const ofOperators: Readonly<Record<string, Path>> = {
  'monitoring.coreos.com/Alertmanager': ['spec', 'resources'],
  'monitoring.coreos.com/Prometheus': ['spec', 'resources'],
  'monitoring.coreos.com/PrometheusAgent': ['spec', 'resources'],
  'monitoring.coreos.com/ThanosRuler': ['spec', 'resources'],
  'postgresql.cnpg.io/Cluster': ['spec', 'resources'],
  'postgresql.cnpg.io/Pooler': ['spec', 'template', 'spec', 'containers', 0, 'resources'],
};

/** Checks the limits of an object that its fields leave to a default. */
export function checkBounds(enforcing: Enforcing, { group, kind }: Pick<GroupVersionKind, 'group' | 'kind'>): void {
  const { object, layers } = enforcing;
  const name = `${group}/${kind}`;
  if (tightestLayer(layers, 'maxReplicas') !== undefined) {
    const bound = counts.get(name);
    if (bound !== undefined) checkCountBound(enforcing, bound);
    if (Object.hasOwn(factors, name)) checkProduct(enforcing, factors[name]!, bound?.otherwise);
    if (group === 'keda.sh')
      checkLimit(enforcing, { path: pausedReplicas, limit: 'maxReplicas', what: 'the replicas' });
  }
  if (name === 'autoscaling.k8s.io/VerticalPodAutoscaler') checkResizing(enforcing);
  if (Object.hasOwn(ofOperators, name)) {
    const path = ofOperators[name]!;
    reportMissing(enforcing, valueAt(object, path), { path, subject: enforcing.subject() });
  }
  // Without it, the operator uses a volume of the node.
  if (
    group === 'monitoring.coreos.com' &&
    Object.hasOwn(ofOperators, name) &&
    !has(mappingAt(object, 'spec'), 'storage')
  )
    reportMissingLimit(enforcing, { path: ['spec', 'storage'], limit: 'maxStorageSize', what: 'storage size' });
}

/** A vertical autoscaler changes requests of running pods, and limits in proportion to them. */
function checkResizing(enforcing: Enforcing): void {
  const { object, layers } = enforcing;
  const spec = mappingAt(object, 'spec');
  const isIdle = textAt(mappingAt(spec, 'updatePolicy'), 'updateMode') === 'Off';
  const isLimited = (['maxCPU', 'maxMemory'] as const).some((limit) => tightestLayer(layers, limit) !== undefined);
  if (isLimited && !isIdle) reportUnchecked(enforcing, ['spec'], 'it changes requests and limits of running pods');
}

function checkCountBound(enforcing: Enforcing, { paths, otherwise, isEndlessAtZero = false }: Bound): void {
  const { object } = enforcing;
  const path = paths.find((candidate) => (valueAt(object, candidate) ?? null) !== null);
  const value = path === undefined ? undefined : valueAt(object, path);
  const isEndless = isEndlessAtZero && value !== undefined && Number(value) === 0;
  const shown = path ?? paths[0]!;
  const what = quote(String(shown.at(-1)));
  if (path !== undefined && !isEndless) checkLimit(enforcing, { path, limit: 'maxReplicas', what });
  else
    reportExceeded(enforcing, { path: shown, limit: 'maxReplicas', what, amount: isEndless ? undefined : otherwise });
}

/** The first number may have a default, the others are 1 by default. */
function checkProduct(enforcing: Enforcing, paths: readonly Path[], otherwise = 1): void {
  const numbers = paths.map((path, index) => Number(valueAt(enforcing.object, path) ?? (index === 0 ? otherwise : 1)));
  const amount = numbers.reduce((product, number) => product * number, 1);
  // Each number by itself is checked as well.
  if (!Number.isFinite(amount) || numbers.includes(amount)) return;
  const what = paths.map((path) => quote(String(path.at(-1)))).join(' times ');
  reportExceeded(enforcing, { path: paths[1]!, limit: 'maxReplicas', what, amount, isSet: true });
}

/** Reports a kind without a schema that scales something and does not say how far. */
export function checkScaling(enforcing: Enforcing, holder: JsonObject, place: Place): void {
  if (!has(holder, 'scaleTargetRef') || tightestLayer(enforcing.layers, 'maxReplicas') === undefined) return;
  const { apiVersion, kind } = enforcing.object;
  if (counts.has(`${apiVersion.split('/')[0]}/${kind}`)) return;
  const isLimited = Object.keys(holder).some((key) => /^max.*(?:replica|instance|pod)/i.test(key));
  if (!isLimited) reportUnchecked(enforcing, [...pathTo(place), 'scaleTargetRef'], 'nothing limits how far it scales');
}

/** Reports pods of a template that are counted in it and around it, as in the `replicas` and `parallelism` of a JobSet. */
export function checkNestedCount(enforcing: Enforcing, key: string, place: Place): void {
  const path = [...pathTo(place), key];
  const names = [key];
  let amount = Number(valueAt(enforcing.object, path));
  for (let at: Place | undefined = place; at?.above !== undefined; at = at.above) {
    const { value } = at.above;
    const replicas = isJsonObject(value) ? Number(value['replicas'] ?? 1) : 1;
    if (!/template$/i.test(String(at.step)) || !(replicas > 1)) continue;
    amount *= replicas;
    names.unshift('replicas');
  }
  if (names.length === 1 || !Number.isFinite(amount)) return;
  const what = names.map(quote).join(' times ');
  reportExceeded(enforcing, { path, limit: 'maxReplicas', what, amount, isSet: true });
}

/** What some operators call the replicas. */
const possibleCount = /^(?:count|members|nodes|nodeCount|numNodes|size|workers)$/;

/** Reports a number that would be too many pods. */
export function checkPossibleCount({ key, value, place, enforcing }: Field): void {
  if (typeof value !== 'number' || !possibleCount.test(key) || /storage|volume|disk/i.test(fieldOf(place))) return;
  const most = tightestLayer(enforcing.layers, 'maxReplicas')?.enforced.maxReplicas;
  if (most === undefined || value <= most) return;
  reportUnchecked(enforcing, [...pathTo(place), key], 'it may set the replicas');
}

/** Reports a container without the limits that a policy bounds; the pod may set them for all of its containers. */
export function checkContainerLimits(enforcing: Enforcing, container: JsonObject, place: Place): void {
  // They cannot have resources.
  if (fieldOf(place) === 'ephemeralContainers') return;
  // Where no schema says so, `sidecars: {proxy: …}` names containers and is none.
  if (!['name', 'image', 'script'].some((key) => has(container, key))) return;
  const { above } = place;
  const pod = typeof place.step === 'number' ? above?.above?.value : above?.value;
  const ofPod = mappingAt(mappingAt(pod, 'resources'), 'limits');
  const path = [...pathTo(place), 'resources'];
  // `computeResources` is Tekton's.
  reportMissing(enforcing, container['resources'] ?? container['computeResources'], {
    path,
    subject: nameContainer(container, enforcing.subject()),
    ofPod,
  });
}

interface Resources {
  readonly path: Path;
  readonly subject: string;
  readonly ofPod?: JsonObject | undefined;
}

function reportMissing(enforcing: Enforcing, resources: Json | undefined, { path, subject, ofPod }: Resources): void {
  const limits = mappingAt(resources, 'limits');
  for (const [name, limit] of [
    ['cpu', 'maxCPU'],
    ['memory', 'maxMemory'],
  ] as const) {
    if ((limits?.[name] ?? ofPod?.[name] ?? null) !== null) continue;
    reportMissingLimit(enforcing, { path: [...path, 'limits', name], limit, what: `${name} limit`, subject });
  }
}

/** An `emptyDir` takes space of the node, up to its limit. */
export function checkEmptyDir(field: Field): void {
  const { value, enforcing } = field;
  if (!isJsonObject(value)) return;
  const subject = subjectAt(field);
  const limit: AmountLimit = 'maxStorageSize';
  const place = { path: pathOf(field, 'sizeLimit'), limit, what: 'the sizeLimit', subject };
  if ((value['sizeLimit'] ?? null) === null) reportMissingLimit(enforcing, { ...place, what: 'sizeLimit' });
  else if (isZeroAmount(value['sizeLimit'])) reportExceeded(enforcing, { ...place, amount: undefined, isSet: true });
  else checkLimit(enforcing, place);
}

/** The size of a PersistentVolume, or of a volume that an operator creates. */
export function checkCapacity(field: Field): void {
  const { value, enforcing } = field;
  const path = isJsonObject(value) ? pathOf(field, 'storage') : pathOf(field);
  checkLimit(enforcing, { path, limit: 'maxStorageSize', what: 'the storage size' });
}
