import type { JsonObject, KubeObject } from '../../../model/index.ts';
import type { ComponentInput } from '../catalog/define.ts';
import { given } from '../catalog/given.ts';
import { checkShared } from './check-shared.ts';
import type { Pod } from './create-pod.ts';
import { createStrategy } from './create-strategy.ts';
import type { PodProperties } from './pod-properties.ts';
import type { DeploymentRollout } from './rollout-properties.ts';

interface ServiceOptions {
  readonly name: string;
  /** The component whose pods it selects. */
  readonly component: string;
  readonly port: { readonly name: string; readonly number: number } | undefined;
  /** The Service has no cluster IP; DNS resolves to the pods. */
  readonly isHeadless?: boolean;
}

export function createService({ name, component, port, isHeadless = false }: ServiceOptions): KubeObject {
  const kind = isHeadless ? { clusterIP: 'None' } : { type: 'ClusterIP' };
  const ports =
    port === undefined
      ? {}
      : { ports: [{ name: port.name, port: port.number, targetPort: port.number, protocol: 'TCP' }] };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, labels: { app: component } },
    spec: { ...kind, selector: { app: component }, ...ports },
  };
}

/** The ports of the main container: one or none. */
export function createPorts(name: string, port: number | undefined): readonly JsonObject[] {
  return port === undefined ? [] : [{ name, containerPort: port, protocol: 'TCP' }];
}

/** Each workload has its own ServiceAccount, without a token unless a trait grants it permissions. */
export function createServiceAccount(component: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: component, labels: { app: component } },
    automountServiceAccountToken: false,
  };
}

type DeploymentProperties = PodProperties & DeploymentRollout & { readonly replicas: number };

export function createDeployment(input: ComponentInput<DeploymentProperties>, pod: Pod): KubeObject {
  const { name, properties, report } = input;
  const { replicas } = properties;
  if (replicas > 1) {
    const advice = 'set "replicas" to 1, or the "accessModes" of the volume to [ReadWriteMany]';
    checkShared(properties.volumes, { users: `${replicas} replicas`, advice, input });
  }
  const strategy = createStrategy(properties.strategy, pod.claims, report);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: { app: name } },
    spec: given({
      replicas,
      strategy,
      minReadySeconds: properties.minReadySeconds,
      revisionHistoryLimit: properties.revisionHistoryLimit,
      progressDeadlineSeconds: properties.progressDeadlineSeconds,
      selector: { matchLabels: { app: name } },
      template: pod.template,
    }),
  };
}
