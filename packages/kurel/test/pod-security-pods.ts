import { fieldControls, listControls, requirementControls } from '../src/kube/index.ts';
import type { Json, JsonObject } from '../src/model/index.ts';

/** A pod that differs from one that `restricted` allows in one field. */
export interface SamplePod {
  readonly name: string;
  /** The control that the field belongs to. */
  readonly control: string;
  readonly pod: JsonObject;
}

const context: JsonObject = {
  runAsNonRoot: true,
  allowPrivilegeEscalation: false,
  seccompProfile: { type: 'RuntimeDefault' },
  capabilities: { drop: ['ALL'] },
};

const lists = ['initContainers', 'containers', 'ephemeralContainers'];

const confinement: readonly Json[] = ['RuntimeDefault', 'Localhost', 'Unconfined', ''];
const flags: readonly Json[] = [true, false];

/** Values of the fields in the table, by their names as `field.join('.')`. */
const values: Readonly<Record<string, readonly Json[]>> = {
  hostNetwork: flags,
  hostPID: flags,
  hostIPC: flags,
  privileged: flags,
  hostProcess: flags,
  hostPort: [0, 8080],
  hostPath: [{ path: '/' }],
  'seccompProfile.type': confinement,
  'appArmorProfile.type': confinement,
  'seLinuxOptions.type': ['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t', 'spc_t'],
  'seLinuxOptions.user': ['', 'system_u'],
  'seLinuxOptions.role': ['', 'system_r'],
  procMount: ['Default', 'Unmasked'],
  runAsNonRoot: flags,
  runAsUser: [0, 1000],
  allowPrivilegeEscalation: flags,
  'capabilities.drop': [['ALL'], ['KILL'], []],
};

const podFields: ReadonlySet<string> = new Set(['hostNetwork', 'hostPID', 'hostIPC', 'hostPath']);
const containerOnly: ReadonlySet<string> = new Set([
  'privileged',
  'procMount',
  'allowPrivilegeEscalation',
  'capabilities.drop',
]);

function nest(path: readonly string[], value: Json): JsonObject {
  return path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value) as JsonObject;
}

/** Objects merge, everything else replaces. */
function merge(below: JsonObject, above: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const own = merged[key];
    const isObject = (one: Json | undefined): one is JsonObject =>
      typeof one === 'object' && one !== null && !Array.isArray(one);
    merged[key] = isObject(own) && isObject(value) ? merge(own, value) : value;
  }
  return merged;
}

function podWith(changes: {
  readonly spec?: JsonObject;
  readonly container?: JsonObject;
  readonly list?: string;
  readonly annotations?: JsonObject;
  /** Instead of the settings of every container. */
  readonly own?: JsonObject;
}): JsonObject {
  const { spec = {}, container = {}, list, annotations, own = context } = changes;
  const base = { name: 'main', image: 'x', securityContext: own };
  const containers: JsonObject = { containers: [list === 'containers' ? merge(base, container) : base] };
  const others: JsonObject =
    list === undefined || list === 'containers' ? {} : { [list]: [merge({ ...base, name: 'other' }, container)] };
  const metadata = { name: 'web', ...(annotations === undefined ? {} : { annotations }) };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { ...containers, ...others, ...spec } };
}

/** A pod for every value of every field of the table, at every place where a pod may have it. */
export function samplePods(): readonly SamplePod[] {
  const pods = new Map<string, SamplePod>();
  const add = (control: string, what: string, changes: Parameters<typeof podWith>[0]): void => {
    const name = `${control}: ${what}`;
    pods.set(name, { name, control, pod: podWith(changes) });
  };
  add('none', 'compliant', {});

  for (const { control, field } of [...fieldControls, ...requirementControls]) {
    const key = field.join('.');
    const isHost = field.at(-1) === 'host';
    for (const value of isHost ? ['', '10.0.0.1'] : values[key]!) {
      const shown = `${key} ${JSON.stringify(value)}`;
      if (podFields.has(key)) {
        add(control, shown, {
          spec: key === 'hostPath' ? { volumes: [{ name: 'v', hostPath: value }] } : { [key]: value },
        });
        continue;
      }
      const inContext = key === 'hostProcess' ? ['windowsOptions', ...field] : field;
      const fields =
        key === 'hostPort'
          ? { ports: [{ containerPort: 1, hostPort: value }] }
          : isHost
            ? merge(nest(field, value), nest([...field.slice(0, -1), 'port'], 80))
            : { securityContext: nest(inContext, value) };
      for (const list of lists) add(control, `${shown} in ${list}`, { list, container: fields });
      const isOfPod = !isHost && key !== 'hostPort' && !containerOnly.has(key);
      if (isOfPod) add(control, `${shown} in the pod`, { spec: { securityContext: nest(inContext, value) } });
    }
  }
  for (const { control, field, isInherited } of requirementControls) {
    const own = { ...context };
    delete (own as Record<string, Json>)[field[0]!];
    add(control, `no ${field[0]}`, { own });
    add(control, `no securityContext`, { own: {} });
    add(control, `no ${field[0]} on Windows`, { own, spec: { os: { name: 'windows' } } });
    for (const value of isInherited ? values[field.join('.')]! : []) {
      const inPod = { securityContext: nest(field, value) };
      add(control, `${field.join('.')} ${JSON.stringify(value)} of the pod alone`, { own, spec: inPod });
    }
  }
  const annotated = ['runtime/default', 'localhost/x', '', 'unconfined', 'other'];
  for (const value of annotated) {
    const annotations = { 'container.apparmor.security.beta.kubernetes.io/main': value };
    add('appArmorProfile', `annotation ${JSON.stringify(value)}`, { annotations });
  }
  const { allowedCapabilities, allowedSysctls, allowedVolumeTypes } = listControls;
  for (const name of [...allowedCapabilities.lists.baseline, 'SYS_ADMIN', 'ALL', 'NET_RAW']) {
    for (const list of lists) {
      const container = { securityContext: { capabilities: { add: [name] } } };
      add(allowedCapabilities.control, `${name} in ${list}`, { list, container });
    }
  }
  for (const name of [...allowedSysctls.lists.baseline, 'kernel.msgmax', 'net.core.somaxconn', 'net/ipv4/ip_forward']) {
    add(allowedSysctls.control, name, { spec: { securityContext: { sysctls: [{ name, value: '1' }] } } });
  }
  const sources: Readonly<Record<string, JsonObject>> = {
    ephemeral: { volumeClaimTemplate: { spec: {} } },
    nfs: { server: 'x', path: '/' },
    iscsi: { targetPortal: 'x', iqn: 'x', lun: 0 },
    cephfs: { monitors: ['x'] },
    gitRepo: { repository: 'x' },
    flexVolume: { driver: 'x' },
    awsElasticBlockStore: { volumeID: 'x' },
    persistentVolumeClaim: { claimName: 'x' },
    csi: { driver: 'x' },
  };
  for (const type of new Set<string>([
    ...allowedVolumeTypes.lists.restricted,
    ...Object.keys(sources),
    'portworxVolume',
    'fc',
  ])) {
    const source = sources[type] ?? (type === 'portworxVolume' ? { volumeID: 'x' } : {});
    add(allowedVolumeTypes.control, type, { spec: { volumes: [{ name: 'v', [type]: source }] } });
  }
  for (const [what, own] of [
    ['procMount', { ...context, procMount: 'Unmasked' }],
    ['runAsUser', { ...context, runAsUser: 0 }],
    ['runAsNonRoot', { ...context, runAsNonRoot: false }],
  ] as const) {
    add(what, 'in a user namespace', { own, spec: { hostUsers: false } });
  }
  return [...pods.values()];
}
