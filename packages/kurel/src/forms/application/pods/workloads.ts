import { defineProblems, quote } from '../../../diagnostics/index.ts';
import { mappingAt, numberAt, textAt } from '../../../kube/index.ts';
import type { Json, JsonObject, KubeObject } from '../../../model/index.ts';
import { defined, filled, pickFields } from '../catalog/present-fields.ts';
import type { Claim, ComponentInput, ComponentResult, PropertiesOf, ReportAt } from '../catalog/define.ts';
import { choiceField, countField, inGroup, kubernetesFields, textField } from '../../../documents/index.ts';
import type { Field, Fields, ValueOf } from '../../../documents/index.ts';
import { createPod } from './create-pod.ts';
import type { Pod } from './create-pod.ts';
import { checkShared } from './create-volumes.ts';
import { namesOf } from './names.ts';
import type { NameProperties } from './names.ts';
import { hostnameProperties, podProperties, replicas, sidecars } from './pod-properties.ts';
import type { image } from './pod-properties.ts';
import { readPorts } from './port-properties.ts';
import { affinity, plainAffinity, topologySpread } from './scheduling.ts';
import type { ServiceProperties } from './service-properties.ts';
import { createServiceAccounts, createServices } from './services.ts';
import { podProblems } from './problems.ts';

export const budgetProblems = defineProblems(() => ({
  'budget-blocks': {
    severity: 'warning',
    summary: 'A PodDisruptionBudget never allows an eviction, so nodes with the pods cannot be drained.',
    message: ({ bound, value, replicas }: { bound: string; value: string; replicas: number }) =>
      `${quote(bound)} ${value} never allows an eviction with ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}: nodes cannot be drained`,
    hint: ({ replicas }: { replicas: number }) =>
      replicas === 1
        ? 'set "replicas" to 2 or more, or remove "podDisruptionBudget"'
        : 'set "maxUnavailable" to 1 instead',
    fix: 'Allow at least one pod to be evicted: set maxUnavailable to 1, lower minAvailable, or raise replicas.',
  },
  'budget-twice': {
    summary: 'A component has a PodDisruptionBudget of its own and one of its scaler trait.',
    message: () =>
      '"podDisruptionBudget" conflicts with "enablePDB" of the "scaler" trait: Kubernetes allows no eviction with two budgets',
    hint: () => 'remove one of them',
    fix: 'Remove podDisruptionBudget, or enablePDB of the scaler trait. The eviction of a pod with two budgets always fails.',
  },
}));

export const podDisruptionBudget = {
  type: 'object',
  group: 'Rollout',
  description: 'PodDisruptionBudget, which limits how many pods are down while nodes are drained.',
  relations: [
    { anyOf: ['minAvailable', 'maxUnavailable'], hint: 'add one of them, such as maxUnavailable: 1' },
    { exclusive: ['minAvailable', 'maxUnavailable'] },
  ],
  properties: {
    ...kubernetesFields(['policy/v1', 'PodDisruptionBudget', 'spec'], {
      minAvailable: { type: 'any', description: 'Number or percentage of pods that must keep running.' },
      maxUnavailable: { type: 'any', description: 'Number or percentage of pods that may be down.' },
    }),
    unhealthyPodEvictionPolicy: choiceField(
      ['IfHealthyBudget', 'AlwaysAllow'],
      'Which pods that are not ready may be evicted. Defaults to IfHealthyBudget.',
    ),
    name: textField(
      'dns-subdomain',
      'Name of the PodDisruptionBudget. Defaults to that of the other objects with -pdb.',
    ),
  },
} as const satisfies Field;

type Budget = ValueOf<typeof podDisruptionBudget>;

/** A component without the property has no replicas either. */
type BudgetProperties = NameProperties & {
  readonly replicas?: number | undefined;
  readonly podDisruptionBudget?: Budget | undefined;
};

type BudgetInput = ComponentInput<BudgetProperties>;

/** The PodDisruptionBudget of a component: one or none. */
function createBudget(input: BudgetInput): readonly KubeObject[] {
  const { podDisruptionBudget: asked } = input.properties;
  if (asked === undefined) return [];
  checkBudget(asked, input);
  const { object, labels, selector } = namesOf(input);
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy, name = `${object}-pdb` } = asked;
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, labels },
    spec: defined({ minAvailable, maxUnavailable, selector: { matchLabels: selector }, unhealthyPodEvictionPolicy }),
  };
  return [budget];
}

function checkBudget(asked: Budget, { properties, report, traitsOf }: BudgetInput): void {
  const path = ['podDisruptionBudget'];
  const [scaler] = traitsOf('scaler');
  if (scaler?.['enablePDB'] === true) report(budgetProblems.create('budget-twice', {}), path, 'key');
  // The scaler sets the number of replicas, at least to its minimum.
  const replicas = (scaler === undefined ? properties.replicas : numberAt(scaler, 'minReplicas')) ?? 0;
  const bound = asked.minAvailable === undefined ? 'maxUnavailable' : 'minAvailable';
  const value = asked[bound]!;
  const amount = amountOf(value, replicas);
  if (replicas === 0 || amount === undefined) return;
  const isBlocking = bound === 'minAvailable' ? amount >= replicas : amount === 0;
  const args = { bound, value: `${value as string | number}`, replicas };
  if (isBlocking) report(budgetProblems.create('budget-blocks', args), [...path, bound]);
}

/** Kubernetes rounds percentages up. */
function amountOf(value: Json, replicas: number): number | undefined {
  if (typeof value === 'number') return value;
  const [, percent] = typeof value === 'string' ? (/^(\d+)%$/.exec(value) ?? []) : [];
  return percent === undefined ? undefined : Math.ceil((Number(percent) * replicas) / 100);
}

interface Workload {
  readonly apiVersion: 'apps/v1' | 'batch/v1';
  readonly kind: string;
  readonly annotations?: JsonObject;
  readonly spec: Readonly<Record<string, Json | undefined>>;
  readonly pod: Pod;
  readonly services?: readonly KubeObject[];
}

/** A workload with its Services, ServiceAccount, claims and PodDisruptionBudget. */
export function createWorkload(
  input: ComponentInput<BudgetProperties>,
  { apiVersion, kind, annotations, spec, pod, services = [] }: Workload,
): ComponentResult {
  const { object: name, labels, selector, serviceAccount } = namesOf(input);
  const workload = { apiVersion, kind, metadata: defined({ name, labels, annotations }), spec: defined(spec) };
  return {
    objects: [workload, ...services, ...createServiceAccounts(input), ...pod.claimObjects, ...createBudget(input)],
    pods: selector,
    serviceAccount,
    claims: pod.claims,
  };
}

const history = {
  revisionHistoryLimit: countField(
    'Number of old revisions to keep for rollbacks. Defaults to the Kubernetes default of 10.',
  ),
  minReadySeconds: countField('Seconds a new pod must be ready before it counts as available.'),
} as const;

/** How a StatefulSet or DaemonSet replaces its pods. */
export function updateProperties(kind: 'StatefulSet' | 'DaemonSet') {
  const strategy = { updateStrategy: { type: 'object', description: 'How to replace old pods.' } } as const;
  return { ...kubernetesFields(['apps/v1', kind, 'spec'], strategy), ...history };
}

/** Properties of components that are a Deployment, apart from the image and ports. */
export const deploymentProperties = {
  replicas,
  ...podProperties,
  sidecars,
  affinity,
  topologySpread,
  ...hostnameProperties,
  ...inGroup('Rollout', {
    ...kubernetesFields(['apps/v1', 'Deployment', 'spec'], {
      strategy: {
        type: 'object',
        description:
          'How to replace old pods. Defaults to Recreate with a volume that only one node can mount, otherwise to RollingUpdate.',
      },
    }),
    ...history,
    progressDeadlineSeconds: countField(
      'Seconds a rollout may take to make progress. Defaults to the Kubernetes default of 600.',
    ),
  }),
  podDisruptionBudget,
} as const satisfies Fields;

type DeploymentProperties = PropertiesOf<typeof deploymentProperties & { readonly image: typeof image }> &
  ServiceProperties;

/** A Deployment; `hasService` if it has a Service without the property "service". */
export function renderDeployment(
  input: ComponentInput<DeploymentProperties>,
  { hasService }: { readonly hasService: boolean },
): ComponentResult {
  const { properties, report } = input;
  const { object: name, selector } = namesOf(input);
  const ports = readPorts(input, 'http');
  const { objects: services, service, serviceAdvice } = createServices(input, { ports, isUsual: hasService });
  const pod = createPod(input, { ports, spreadReplicas: properties.topologySpread ? properties.replicas : 0 });
  if (properties.replicas > 1) {
    const advice = 'set "replicas" to 1, or the "accessModes" of the volume to [ReadWriteMany]';
    checkShared(input, { users: `${properties.replicas} replicas`, advice });
  }
  const [apiVersion, kind] = ['apps/v1', 'Deployment'] as const;
  const spec = {
    replicas: properties.replicas,
    strategy: createStrategy(properties.strategy, pod.claims, report),
    minReadySeconds: properties.minReadySeconds,
    revisionHistoryLimit: properties.revisionHistoryLimit,
    progressDeadlineSeconds: properties.progressDeadlineSeconds,
    selector: { matchLabels: { ...selector } },
    template: pod.template,
  };
  const workload = createWorkload(input, { apiVersion, kind, spec, pod, services });
  return { ...workload, service, serviceAdvice, scales: { apiVersion, kind, name } };
}

/**
 * The strategy of a Deployment. With a volume that only one node can mount, a new pod could not start until the old one
 * stops.
 */
function createStrategy(
  written: JsonObject | undefined,
  claims: readonly Claim[],
  report: ReportAt,
): JsonObject | undefined {
  const exclusive = claims.find((claim) => claim.isExclusive);
  const strategy = filled(written);
  if (strategy === undefined) return exclusive === undefined ? undefined : { type: 'Recreate' };
  const surge = mappingAt(strategy, 'rollingUpdate')?.['maxSurge'] ?? '25%';
  const startsFirst = textAt(strategy, 'type') !== 'Recreate' && surge !== 0 && surge !== '0%';
  if (exclusive !== undefined && startsFirst) {
    report(podProblems.create('strategy-volume', { volume: exclusive.volume }), ['strategy']);
  }
  return strategy;
}

export const seconds = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const satisfies Field;

/** The properties that are fields of a Job. How they depend on each other is checked in the finished object. */
const jobFields = inGroup('Jobs', {
  parallelism: countField('Pods that run at the same time. Defaults to the Kubernetes default of 1.'),
  completions: countField(
    'Pods that must succeed. Defaults to 1; with "parallelism" alone, one success completes the Job.',
  ),
  completionMode: choiceField(
    ['NonIndexed', 'Indexed'],
    'NonIndexed: all pods are alike. Indexed: each pod has an index from 0 to completions - 1. Defaults to the Kubernetes default of NonIndexed.',
  ),
  backoffLimit: countField('Number of retries before a Job fails.'),
  backoffLimitPerIndex: countField(
    'Number of retries of each index before the index fails. Requires completionMode Indexed.',
  ),
  maxFailedIndexes: countField('Number of failed indexes before the whole Job fails. Requires "backoffLimitPerIndex".'),
  ...kubernetesFields(['batch/v1', 'Job', 'spec'], {
    podFailurePolicy: {
      type: 'object',
      description: 'How exit codes and conditions of failed pods count. Requires restartPolicy Never.',
    },
    successPolicy: {
      type: 'object',
      description: 'Which indexes must succeed for the Job to succeed. Requires completionMode Indexed.',
    },
  }),
  podReplacementPolicy: choiceField(
    ['TerminatingOrFailed', 'Failed'],
    'When a terminating pod is replaced: at once, or after it has failed. Must be Failed with "podFailurePolicy".',
  ),
  activeDeadlineSeconds: {
    ...seconds,
    description: 'Maximum duration of a Job in seconds, including retries.',
    minimum: 1,
  },
  ttlSecondsAfterFinished: countField('Seconds to keep a finished Job.'),
});

/** Properties of a Job and its pods, or of the Jobs of a CronJob. */
export const jobProperties = {
  ...jobFields,
  restartPolicy: {
    ...choiceField(
      ['OnFailure', 'Never'],
      'Restart policy of the pods. Defaults to OnFailure, or to Never with "podFailurePolicy".',
    ),
    group: 'Jobs',
  },
  ...podProperties,
  affinity: plainAffinity,
  ...hostnameProperties,
} as const satisfies Fields;

type JobInput = ComponentInput<PropertiesOf<typeof jobProperties & { readonly image: typeof image }>>;

/** The spec of a Job and its pod; `own` are fields that only one of the components has. */
export function createJob(
  input: JobInput,
  own: Readonly<Record<string, Json | undefined>> = {},
): { readonly spec: JsonObject; readonly pod: Pod } {
  const { properties } = input;
  const usual = properties.podFailurePolicy === undefined ? 'OnFailure' : 'Never';
  const pod = createPod(input, { restartPolicy: properties.restartPolicy ?? usual });
  return { spec: defined({ ...pickFields(jobFields, properties), ...own, template: pod.template }), pod };
}

/** Pods that run at the same time share the volumes of the Job. */
export function checkParallelVolumes(input: JobInput): void {
  const { parallelism = 1, completions = parallelism } = input.properties;
  const pods = Math.min(parallelism, completions);
  if (pods <= 1) return;
  const advice = 'set "parallelism" to 1, or "accessModes" to [ReadWriteMany]';
  checkShared(input, { users: `${pods} parallel pods`, advice });
}
