import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject, Path } from '../../../model/index.ts';
import type { AmountRules, ReportAt } from '../catalog/define.ts';
import { checkEnvFiles } from './check-env-files.ts';
import { checkImage } from './check-image.ts';
import { checkLifecycle } from './check-lifecycle.ts';
import { createResources } from './create-resources.ts';
import { podProblems } from './problems.ts';

interface ContainersOptions {
  readonly path: Path;
  readonly policy: AmountRules;
  readonly report: ReportAt;
  /** Of the main container. */
  readonly main: string;
  /** Names of containers so far. */
  readonly taken: Set<string>;
  /** Types of the volumes of the pod, by name. */
  readonly volumes: ReadonlyMap<string, string>;
}

// As people write them, and as the main container has them; what else there may be comes behind.
const order = [
  'name',
  'image',
  'imagePullPolicy',
  'restartPolicy',
  'command',
  'args',
  'workingDir',
  'ports',
  'env',
  'envFrom',
  'resources',
  'volumeMounts',
  'startupProbe',
  'livenessProbe',
  'readinessProbe',
  'lifecycle',
  'securityContext',
];

/** Containers beside the main one are Kubernetes' own, with the defaults that the main one has. */
export function createContainers(list: readonly Json[] = [], options: ContainersOptions): readonly Json[] {
  return list.map((container, index) => {
    if (!isJsonObject(container)) return container;
    checkContainer(container, { ...options, path: [...options.path, index] });
    const { ports } = container;
    return putInOrder({
      ...container,
      imagePullPolicy: container['imagePullPolicy'] ?? 'IfNotPresent',
      ports: isJsonArray(ports) ? ports.map(withProtocol) : (ports ?? null),
      resources: createResources(container['resources'], options.policy),
    });
  });
}

/** What is null is not there. */
function putInOrder(container: JsonObject): JsonObject {
  const keys = [...order, ...Object.keys(container).filter((key) => !order.includes(key))];
  const entries = keys.flatMap((key): [string, Json][] => {
    const value = Object.hasOwn(container, key) ? container[key]! : null;
    return value === null ? [] : [[key, value]];
  });
  return Object.fromEntries(entries);
}

function withProtocol(port: Json): Json {
  return isJsonObject(port) && (port['protocol'] ?? null) === null ? { ...port, protocol: 'TCP' } : port;
}

function checkContainer(container: JsonObject, options: ContainersOptions): void {
  const { path, report, main, taken, volumes } = options;
  const { name, image, env, lifecycle } = container;
  if (typeof image === 'string') checkImage(image, [...path, 'image'], report);
  else report(podProblems.create('image-missing', { container: typeof name === 'string' ? name : '' }), path);
  if (typeof name === 'string') {
    const isTaken = taken.has(name);
    if (isTaken) report(podProblems.create('container-name-taken', { name, isMain: name === main }), [...path, 'name']);
    taken.add(name);
  }
  checkEnvFiles(env, { path: [...path, 'env'], volumes, report });
  checkLifecycle(lifecycle, [...path, 'lifecycle'], report);
}
