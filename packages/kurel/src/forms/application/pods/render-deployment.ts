import type { KubeObject } from '../../../model/index.ts';
import type { ComponentInput, ComponentResult, PropertiesOf } from '../catalog/define.ts';
import { defined } from '../catalog/defined.ts';
import type { Fields } from '../documents/field.ts';
import { checkShared } from './check-shared.ts';
import { createPod } from './create-pod.ts';
import type { Pod } from './create-pod.ts';
import { createTopologySpread } from './create-resources.ts';
import { createServiceAccounts, createServices } from './create-service.ts';
import { createStrategy } from './create-strategy.ts';
import { createBudget, podDisruptionBudget } from './disruption-budget.ts';
import { hostnameProperties } from './more-pod-properties.ts';
import { namesOf } from './names.ts';
import { podProperties, replicas, sidecars } from './pod-properties.ts';
import type { image } from './pod-properties.ts';
import { createPorts, readPorts } from './port-properties.ts';
import { deploymentRollout } from './rollout-properties.ts';
import { affinity, topologySpread } from './scheduling-properties.ts';
import type { ServiceProperties } from './service-properties.ts';

/** Properties of components that are a Deployment, apart from the image and ports. */
export const deploymentProperties = {
  replicas,
  ...podProperties,
  sidecars,
  affinity,
  topologySpread,
  ...hostnameProperties,
  ...deploymentRollout,
  podDisruptionBudget,
} as const satisfies Fields;

type DeploymentProperties = PropertiesOf<typeof deploymentProperties & { readonly image: typeof image }> &
  ServiceProperties;

interface DeploymentOptions {
  /** Whether the component has a Service if it does not have the property "service". */
  readonly hasService: boolean;
}

/** A Deployment with its Service, ServiceAccount, claims and PodDisruptionBudget. */
export function renderDeployment(
  input: ComponentInput<DeploymentProperties>,
  { hasService }: DeploymentOptions,
): ComponentResult {
  const { properties } = input;
  const { object, selector, serviceAccount } = namesOf(input);
  const ports = readPorts(input, 'http');
  const { objects: services, ...routed } = createServices(input, { ports, isUsual: hasService });
  const pod = createPod(input, {
    ports: createPorts(ports),
    topologySpreadConstraints: properties.topologySpread ? createTopologySpread(properties.replicas, selector) : [],
  });
  return {
    objects: [
      createDeployment(input, pod),
      ...services,
      ...createServiceAccounts(input),
      ...pod.claimObjects,
      ...createBudget(input),
    ],
    ...routed,
    pods: selector,
    scales: { apiVersion: 'apps/v1', kind: 'Deployment', name: object },
    serviceAccount,
    claims: pod.claims,
  };
}

function createDeployment(input: ComponentInput<DeploymentProperties>, pod: Pod): KubeObject {
  const { properties, report } = input;
  if (properties.replicas > 1) {
    const advice = 'set "replicas" to 1, or the "accessModes" of the volume to [ReadWriteMany]';
    checkShared(properties.volumes, { users: `${properties.replicas} replicas`, advice, input });
  }
  const strategy = createStrategy(properties.strategy, pod.claims, report);
  const { object, labels, selector } = namesOf(input);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: object, labels },
    spec: defined({
      replicas: properties.replicas,
      strategy,
      minReadySeconds: properties.minReadySeconds,
      revisionHistoryLimit: properties.revisionHistoryLimit,
      progressDeadlineSeconds: properties.progressDeadlineSeconds,
      selector: { matchLabels: { ...selector } },
      template: pod.template,
    }),
  };
}
