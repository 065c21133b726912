import type { Json, JsonObject } from '../../../model/index.ts';
import type { ComponentInput } from '../catalog/define.ts';
import { filled } from '../catalog/filled.ts';
import { given } from '../catalog/given.ts';
import { createResources } from './create-resources.ts';
import type { PodProperties } from './pod-properties.ts';

interface MainOptions {
  readonly ports: readonly JsonObject[] | undefined;
  readonly mounts: readonly JsonObject[];
}

/** The container that the properties of a component are about; it is called what the component is called. */
export function createMainContainer(
  { name, properties, policy }: ComponentInput<PodProperties>,
  { ports, mounts }: MainOptions,
): Json {
  const { probes = {} } = properties;
  return given({
    name,
    image: properties.image,
    imagePullPolicy: properties.imagePullPolicy,
    command: filled(properties.command),
    args: filled(properties.args),
    workingDir: properties.workingDir === '' ? undefined : properties.workingDir,
    ports: filled(ports),
    env: filled(properties.env),
    envFrom: filled(properties.envFrom),
    resources: createResources(properties.resources, policy),
    volumeMounts: filled(mounts),
    startupProbe: probes.startup,
    livenessProbe: probes.liveness,
    readinessProbe: probes.readiness,
    lifecycle: filled(properties.lifecycle),
    securityContext: filled(properties.securityContext),
  });
}
