import type { JsonObject, KubeObject } from '../../../model/index.ts';
import type { ComponentInput } from '../catalog/define.ts';
import { given } from '../catalog/given.ts';
import { checkShared } from './check-shared.ts';
import type { Pod } from './create-pod.ts';
import type { PodProperties } from './pod-properties.ts';

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
