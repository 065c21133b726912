import { mappingAt, textAt } from '../../../kube/index.ts';
import type { Json, JsonObject, KubeObject } from '../../../model/index.ts';
import { defined, filled } from '../catalog/defined.ts';
import type { Claim, ComponentInput, ComponentResult, PropertiesOf, ReportAt } from '../catalog/define.ts';
import { count, kubernetesFields } from '../catalog/fields.ts';
import { inGroup } from '../documents/field.ts';
import type { Fields } from '../documents/field.ts';
import { createPod } from './create-pod.ts';
import type { Pod } from './create-pod.ts';
import { checkShared } from './create-volumes.ts';
import { createBudget, podDisruptionBudget } from './disruption-budget.ts';
import type { BudgetProperties } from './disruption-budget.ts';
import { namesOf } from './names.ts';
import { hostnameProperties, podProperties, replicas, sidecars } from './pod-properties.ts';
import type { image } from './pod-properties.ts';
import { readPorts } from './port-properties.ts';
import { affinity, topologySpread } from './scheduling.ts';
import type { ServiceProperties } from './service-properties.ts';
import { createServiceAccounts, createServices } from './services.ts';
import { podProblems } from './problems.ts';

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
  revisionHistoryLimit: {
    ...count,
    description: 'Number of old revisions to keep for rollbacks. Defaults to the Kubernetes default of 10.',
  },
  minReadySeconds: { ...count, description: 'Seconds a new pod must be ready before it counts as available.' },
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
    progressDeadlineSeconds: {
      ...count,
      description: 'Seconds a rollout may take to make progress. Defaults to the Kubernetes default of 600.',
    },
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
  const { objects: services, ...routed } = createServices(input, { ports, isUsual: hasService });
  const pod = createPod(input, { ports, spreadReplicas: properties.topologySpread ? properties.replicas : 0 });
  if (properties.replicas > 1) {
    const advice = 'set "replicas" to 1, or the "accessModes" of the volume to [ReadWriteMany]';
    checkShared(properties.volumes, { users: `${properties.replicas} replicas`, advice, input });
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
  return { ...workload, ...routed, scales: { apiVersion, kind, name } };
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
  if (exclusive !== undefined && surges(strategy)) {
    report(podProblems.create('strategy-volume', { volume: exclusive.volume }), ['strategy']);
  }
  return strategy;
}

/** Whether new pods start before old ones stop. */
function surges(strategy: JsonObject): boolean {
  const surge = mappingAt(strategy, 'rollingUpdate')?.['maxSurge'] ?? '25%';
  return textAt(strategy, 'type') !== 'Recreate' && surge !== 0 && surge !== '0%';
}
