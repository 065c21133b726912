import type { JsonObject, KubeObject } from '../../../model/index.ts';
import type { ComponentInput } from '../catalog/define.ts';
import { given } from '../catalog/given.ts';
import { checkShared } from './check-shared.ts';
import type { Pod } from './create-pod.ts';
import type { PodProperties } from './pod-properties.ts';

interface ServiceOptions {
  readonly name: string;
  /** The component whose pods it reaches. */
  readonly component: string;
  readonly port: { readonly name: string; readonly number: number } | undefined;
  /** Each pod has an address of its own, and the Service has none. */
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

/** The ports of the main container, which has one or none. */
export function createPorts(name: string, port: number | undefined): readonly JsonObject[] {
  return port === undefined ? [] : [{ name, containerPort: port, protocol: 'TCP' }];
}

/** Each workload has an account of its own, without a token unless a trait gives it rights. */
export function createServiceAccount(component: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: component, labels: { app: component } },
    automountServiceAccountToken: false,
  };
}

type DeploymentProperties = PodProperties & { readonly replicas: number };

export function createDeployment(input: ComponentInput<DeploymentProperties>, pod: Pod): KubeObject {
  const { name, properties, report } = input;
  const { replicas } = properties;
  if (replicas > 1) {
    const advice = 'set "replicas" to 1, or the "accessModes" of the volume to [ReadWriteMany]';
    checkShared(properties.volumes, { users: `${replicas} pods`, advice, report });
  }
  // A volume that one node may mount would be waited for by the new pod for as long as the old one runs.
  const isExclusive = pod.claims.some((claim) => claim.isExclusive);
  const strategy: JsonObject | undefined = isExclusive ? { type: 'Recreate' } : undefined;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: { app: name } },
    spec: given({ replicas, strategy, selector: { matchLabels: { app: name } }, template: pod.template }),
  };
}
