import { isJsonArray, isJsonObject, putEntry } from '../../../model/index.ts';
import type { Json, JsonArray, JsonObject, KubeObject } from '../../../model/index.ts';
import type { AmountRules, Claim, ComponentInput } from '../catalog/define.ts';
import { defined, filled } from '../catalog/present-fields.ts';
import { containerFields } from './change-pods.ts';
import { checkContainers } from './check-pod.ts';
import { createResources } from './create-resources.ts';
import { createVolumes } from './create-volumes.ts';
import type { Mounted } from './create-volumes.ts';
import { checkNames, namesOf } from './names.ts';
import type { PodProperties } from './pod-properties.ts';
import { createPorts, withProtocol } from './port-properties.ts';
import type { WorkloadPort } from './port-properties.ts';
import { podProblems } from './problems.ts';
import { createAffinity, createSpreadConstraints } from './scheduling.ts';

/** Init containers and sidecars are Kubernetes containers with the defaults of the main container. */
function createContainers(list: readonly Json[] = [], policy: AmountRules): readonly Json[] {
  return list.map((container) => {
    if (!isJsonObject(container)) return container;
    const { ports } = container;
    return putInOrder({
      ...container,
      imagePullPolicy: container['imagePullPolicy'] ?? 'IfNotPresent',
      ports: isJsonArray(ports) ? ports.map(withProtocol) : (ports ?? null),
      resources: createResources(container['resources'], policy),
    });
  });
}

/** Omits null fields. */
function putInOrder(container: JsonObject): JsonObject {
  const keys = [...containerFields, ...Object.keys(container).filter((key) => !containerFields.includes(key))];
  const entries = keys.flatMap((key): [string, Json][] => {
    const value = Object.hasOwn(container, key) ? container[key]! : null;
    return value === null ? [] : [[key, value]];
  });
  return Object.fromEntries(entries);
}

interface PodOptions {
  /** Ports of the main container. */
  readonly ports?: readonly WorkloadPort[];
  /** Claims per pod; their mounts come before those of the volumes. */
  readonly claimTemplates?: readonly Mounted[];
  /** Number of replicas to spread. */
  readonly spreadReplicas?: number;
  readonly restartPolicy?: string;
}

export interface Pod {
  readonly template: JsonObject;
  readonly claimObjects: readonly KubeObject[];
  readonly claims: readonly Claim[];
}

export function createPod(input: ComponentInput<PodProperties>, options: PodOptions = {}): Pod {
  const { properties, report, policy, traitsOf } = input;
  const { ports = [], claimTemplates = [], spreadReplicas = 0 } = options;
  const names = namesOf(input);
  checkNames(input);
  const { volumes, mounts, claimObjects, claims } = createVolumes(input, claimTemplates);
  const main = createMainContainer(input, createPorts(ports), mounts);
  const initContainers = createContainers(properties.initContainers, policy);
  const containers = [main, ...createContainers(properties.sidecars, policy)];
  const types = new Map(properties.volumes?.map((volume) => [volume.name, volume.type]));
  checkContainers({ initContainers, containers }, { volumes: types, report });
  const scheduling = { selector: names.selector, report };
  // On the host network, Kubernetes treats ClusterFirst as Default.
  if (properties.hostNetwork === true && properties.dnsPolicy === 'ClusterFirst')
    report(podProblems.create('dns-policy-host', {}), ['dnsPolicy']);
  // Permissions are useless without a token.
  if (properties.automountServiceAccountToken === false && traitsOf('rbac').length > 0)
    report(podProblems.create('token-not-mounted', {}), ['automountServiceAccountToken']);
  const whole = defined({
    serviceAccountName: names.serviceAccount,
    automountServiceAccountToken: properties.automountServiceAccountToken,
    imagePullSecrets: filled(properties.imagePullSecrets),
    hostNetwork: properties.hostNetwork,
    // With the default policy, pods on the host network use the node's DNS, which does not resolve Services.
    dnsPolicy: properties.dnsPolicy ?? (properties.hostNetwork === true ? 'ClusterFirstWithHostNet' : undefined),
    dnsConfig: filled(properties.dnsConfig),
    hostAliases: filled(properties.hostAliases),
    hostname: properties.hostname,
    subdomain: properties.subdomain,
    setHostnameAsFQDN: properties.setHostnameAsFQDN,
    hostPID: properties.hostPID,
    hostIPC: properties.hostIPC,
    hostUsers: properties.hostUsers,
    shareProcessNamespace: properties.shareProcessNamespace,
    enableServiceLinks: properties.enableServiceLinks,
    securityContext: filled(properties.podSecurityContext),
    priorityClassName: properties.priorityClassName,
    runtimeClassName: properties.runtimeClassName,
    schedulerName: properties.schedulerName,
    nodeSelector: filled(properties.nodeSelector),
    affinity: createAffinity(properties, scheduling),
    tolerations: filled(createTolerations(properties.tolerations ?? [])),
    topologySpreadConstraints: filled(
      createSpreadConstraints(properties.topologySpreadConstraints, spreadReplicas, scheduling),
    ),
    readinessGates: filled(properties.readinessGates),
    resourceClaims: filled(properties.resourceClaims),
    initContainers: filled(initContainers),
    containers,
    restartPolicy: options.restartPolicy,
    terminationGracePeriodSeconds: properties.terminationGracePeriodSeconds,
    volumes: filled(volumes),
  });
  const spec = cleanPod(whole);
  const metadata = defined({ labels: { ...names.podLabels }, annotations: filled(properties.podAnnotations) });
  return { template: { metadata, spec }, claimObjects, claims };
}

/** A toleration without a key matches every taint, which requires the operator Exists. */
export function createTolerations(list: readonly Json[]): readonly Json[] {
  return list.map((toleration) => {
    if (!isJsonObject(toleration) || (toleration['operator'] ?? '') !== '') return toleration;
    const { key, operator: _, ...rest } = toleration;
    return key === undefined || key === null || key === ''
      ? { operator: 'Exists', ...rest }
      : { key, operator: 'Equal', ...rest };
  });
}

function createMainContainer(
  input: ComponentInput<PodProperties>,
  ports: readonly JsonObject[],
  mounts: readonly JsonObject[],
): Json {
  const { properties, policy } = input;
  const { probes = {} } = properties;
  return defined({
    name: namesOf(input).container,
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
    terminationMessagePath: properties.terminationMessagePath,
    terminationMessagePolicy: properties.terminationMessagePolicy,
    resizePolicy: filled(properties.resizePolicy),
    stdin: properties.stdin,
    stdinOnce: properties.stdinOnce,
    tty: properties.tty,
  });
}

/** Values equivalent to no value, by parent and field. Kubernetes omits them when it serializes objects. */
const idle: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  env: { value: '' },
  envFrom: { prefix: '' },
  ports: { name: '', hostIP: '', hostPort: 0 },
  volumeMounts: { readOnly: false, subPath: '', subPathExpr: '' },
  httpGet: { path: '', host: '' },
  tcpSocket: { host: '' },
  livenessProbe: { initialDelaySeconds: 0 },
  readinessProbe: { initialDelaySeconds: 0 },
  startupProbe: { initialDelaySeconds: 0 },
  tolerations: { key: '', operator: '', value: '', effect: '' },
};

/** Objects that have no effect when empty; for all others their presence matters. */
const hollow: ReadonlySet<string> = new Set(['capabilities', 'securityContext', 'lifecycle']);

/**
 * The pod spec as Kubernetes would serialize it: without empty lists and the values above. Unchanged parts keep their
 * identity.
 */
export function cleanPod(mapping: JsonObject, key = ''): JsonObject {
  const without = Object.hasOwn(idle, key) ? idle[key] : undefined;
  const names = Object.keys(mapping);
  let cleaned: Record<string, Json> | undefined;
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index]!;
    const value = mapping[name]!;
    const isIdle = without !== undefined && Object.hasOwn(without, name) && without[name] === value;
    const left = isIdle ? undefined : cleanValue(value, name, key);
    if (left === value && cleaned === undefined) continue;
    cleaned ??= Object.fromEntries(names.slice(0, index).map((before) => [before, mapping[before]!]));
    if (left !== undefined) putEntry(cleaned, name, left);
  }
  return cleaned ?? mapping;
}

function cleanValue(value: Json, key: string, holder: string): Json | undefined {
  if (isJsonArray(value)) return cleanList(value, key, holder);
  if (!isJsonObject(value)) return value;
  const cleaned = cleanPod(value, key);
  return hollow.has(key) && Object.keys(cleaned).length === 0 ? undefined : cleaned;
}

function cleanList(list: JsonArray, key: string, holder: string): JsonArray | undefined {
  const named = holder === 'capabilities' ? list.filter((item) => item !== '') : list;
  if (named.length === 0) return undefined;
  const clean = (item: Json): Json => (isJsonObject(item) ? cleanPod(item, key) : item);
  if (named.every((item) => clean(item) === item)) return named.length === list.length ? list : named;
  return named.map(clean);
}
