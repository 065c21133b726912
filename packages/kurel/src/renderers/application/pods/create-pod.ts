import type { JsonObject, KubeObject } from '../../../model/index.ts';
import type { Claim, ComponentInput } from '../catalog/define.ts';
import { filled } from '../catalog/filled.ts';
import { given } from '../catalog/given.ts';
import { checkEnvFiles } from './check-env-files.ts';
import { checkImage } from './check-image.ts';
import { checkLifecycle } from './check-lifecycle.ts';
import { checkPod } from './check-pod.ts';
import { cleanPod } from './clean-pod.ts';
import { createAffinity } from './create-affinity.ts';
import { createContainers } from './create-containers.ts';
import { createMainContainer } from './create-main-container.ts';
import { createTolerations } from './create-tolerations.ts';
import { createMount, createVolumes } from './create-volumes.ts';
import type { Mounted } from './create-volumes.ts';
import type { PodProperties } from './pod-properties.ts';

interface PodOptions {
  /** Of the main container. */
  readonly ports?: readonly JsonObject[] | undefined;
  /** Claims that each pod has its own of; their mounts come before those of the volumes. */
  readonly claimTemplates?: readonly Mounted[] | undefined;
  readonly topologySpreadConstraints?: readonly JsonObject[] | undefined;
  readonly restartPolicy?: string | undefined;
}

export interface Pod {
  readonly template: JsonObject;
  readonly claimObjects: readonly KubeObject[];
  readonly claims: readonly Claim[];
}

/** The template of the pods of a component, and the claims of its volumes. */
export function createPod(input: ComponentInput<PodProperties>, options: PodOptions = {}): Pod {
  const { name, properties, report, policy } = input;
  const { ports, claimTemplates = [] } = options;
  const ownVolumes = properties.volumes ?? [];
  const { volumes, mounts, claimObjects, claims } = createVolumes(ownVolumes, {
    component: name,
    claimTemplates,
    report,
  });
  const types = new Map(ownVolumes.map((volume) => [volume.name, volume.type]));
  checkImage(properties.image, ['image'], report);
  checkEnvFiles(properties.env, { path: ['env'], volumes: types, report });
  checkLifecycle(properties.lifecycle, ['lifecycle'], report);
  const main = createMainContainer(input, { ports, mounts: [...claimTemplates.map(createMount), ...mounts] });
  const beside = { policy, report, main: name, taken: new Set([name]), volumes: types };
  const initContainers = createContainers(properties.initContainers, { ...beside, path: ['initContainers'] });
  const sidecars = createContainers(properties.sidecars, { ...beside, path: ['sidecars'] });
  const whole = given({
    serviceAccountName: name,
    imagePullSecrets: filled(properties.imagePullSecrets),
    hostNetwork: properties.hostNetwork,
    hostPID: properties.hostPID,
    hostIPC: properties.hostIPC,
    securityContext: filled(properties.podSecurityContext),
    priorityClassName: properties.priorityClassName,
    affinity: createAffinity(properties.affinity, name),
    tolerations: filled(createTolerations(properties.tolerations ?? [])),
    topologySpreadConstraints: filled(options.topologySpreadConstraints),
    initContainers: filled(initContainers),
    containers: [main, ...sidecars],
    restartPolicy: options.restartPolicy,
    terminationGracePeriodSeconds: properties.terminationGracePeriodSeconds,
    volumes: filled(volumes),
  });
  const spec = cleanPod(whole);
  checkPod(spec, report);
  return { template: { metadata: { labels: { app: name } }, spec }, claimObjects, claims };
}
