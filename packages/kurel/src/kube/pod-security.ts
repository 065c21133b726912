import type { Json } from '../model/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Place } from './pod-site.ts';
import type { volumeSources } from './volume-sources.ts';

/** The levels of the Pod Security Standards, the most permissive one first. */
export const podSecurityLevels = ['privileged', 'baseline', 'restricted'] as const;

export type PodSecurityLevel = (typeof podSecurityLevels)[number];

/** A control that applies to the value of a field, wherever it is in a pod. */
export interface FieldControl {
  /** The check in the Pod Security admission of Kubernetes. */
  readonly control: string;
  /** The most permissive level that has the control. */
  readonly level: 'baseline' | 'restricted';
  /** The rule of a policy that lifts it. */
  readonly rule: string;
  /** The field, preceded by those that contain it. */
  readonly field: readonly string[];
  readonly allows: (value: Json) => boolean;
}

/** A control that every container must satisfy, so that a missing value violates it too. */
export interface RequirementControl extends FieldControl {
  /** `true` */
  readonly must: string;
  /** Whether the pod can set the field for its containers. */
  readonly isInherited: boolean;
  /** Whether it does not apply to pods of Windows, which cannot set the field. */
  readonly isOfLinux: boolean;
}

/** Kinds without a schema may accept strings and numbers as booleans. */
function isEnabled(value: Json): boolean {
  if (typeof value === 'string') return !/^(?:|false|f|no|n|off|0)$/i.test(value);
  return value === true || (typeof value === 'number' && value !== 0);
}

const isDisabled = (value: Json): boolean => !isEnabled(value);
const isZero = (value: Json): boolean => typeof value === 'object' || Number(value) === 0;
const isEmpty = (value: Json): boolean => value === '';
const isConfined = (value: Json): boolean => value === 'RuntimeDefault' || value === 'Localhost';
const processTypes: readonly Json[] = ['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t'];

const handlers = [
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle.postStart',
  'lifecycle.preStop',
].flatMap((handler) => ['httpGet', 'tcpSocket'].map((action) => `${handler}.${action}.host`.split('.')));

/** Of the controls up to the next level. */
const level = 'baseline' as const;
const baseline: readonly FieldControl[] = [
  { level, control: 'hostNamespaces', rule: 'allowHostNetwork', field: ['hostNetwork'], allows: isDisabled },
  { level, control: 'hostNamespaces', rule: 'allowHostPID', field: ['hostPID'], allows: isDisabled },
  { level, control: 'hostNamespaces', rule: 'allowHostIPC', field: ['hostIPC'], allows: isDisabled },
  { level, control: 'privileged', rule: 'allowPrivileged', field: ['privileged'], allows: isDisabled },
  // A HostProcess container of a Windows node is as powerful as a privileged one.
  { level, control: 'windowsHostProcess', rule: 'allowPrivileged', field: ['hostProcess'], allows: isDisabled },
  { level, control: 'hostPorts', rule: 'allowHostNetwork', field: ['hostPort'], allows: isZero },
  {
    level,
    control: 'hostPathVolumes',
    rule: 'allowHostPathVolumes',
    field: ['hostPath'],
    allows: (value) => !isJsonObject(value) && (typeof value !== 'string' || value === ''),
  },
  {
    level,
    control: 'seccompProfile_baseline',
    rule: 'allowUnconfined',
    field: ['seccompProfile', 'type'],
    allows: isConfined,
  },
  {
    level,
    control: 'appArmorProfile',
    rule: 'allowUnconfined',
    field: ['appArmorProfile', 'type'],
    allows: isConfined,
  },
  {
    level,
    control: 'seLinuxOptions',
    rule: 'allowSELinuxOptions',
    field: ['seLinuxOptions', 'type'],
    allows: (value) => processTypes.includes(value),
  },
  { level, control: 'seLinuxOptions', rule: 'allowSELinuxOptions', field: ['seLinuxOptions', 'user'], allows: isEmpty },
  { level, control: 'seLinuxOptions', rule: 'allowSELinuxOptions', field: ['seLinuxOptions', 'role'], allows: isEmpty },
  {
    level,
    control: 'procMount',
    rule: 'allowProcMount',
    field: ['procMount'],
    allows: (value) => value === 'Default',
  },
  ...handlers.map((field) => ({
    level,
    control: 'hostProbesAndHostLifecycle',
    rule: 'allowProbeHosts',
    field,
    allows: isEmpty,
  })),
];

/** Controls of fields that violate a level only if they are set. */
export const fieldControls: readonly FieldControl[] = [
  ...baseline,
  {
    control: 'runAsNonRoot',
    level: 'restricted',
    rule: 'allowRunAsRoot',
    field: ['runAsNonRoot'],
    allows: (value) => value === true,
  },
  {
    control: 'runAsUser',
    level: 'restricted',
    rule: 'allowRunAsRoot',
    field: ['runAsUser'],
    allows: (value) => Number(value) !== 0,
  },
  {
    control: 'allowPrivilegeEscalation',
    level: 'restricted',
    rule: 'allowPrivilegeEscalation',
    field: ['allowPrivilegeEscalation'],
    allows: (value) => value === false,
  },
];

/** What `restricted` requires of each container, in its security context. */
export const requirementControls: readonly RequirementControl[] = [
  {
    control: 'runAsNonRoot',
    level: 'restricted',
    rule: 'allowRunAsRoot',
    field: ['runAsNonRoot'],
    allows: (value) => value === true,
    must: 'be true',
    isInherited: true,
    isOfLinux: false,
  },
  {
    control: 'allowPrivilegeEscalation',
    level: 'restricted',
    rule: 'allowPrivilegeEscalation',
    field: ['allowPrivilegeEscalation'],
    allows: (value) => value === false,
    must: 'be false',
    isInherited: false,
    isOfLinux: true,
  },
  {
    control: 'seccompProfile_restricted',
    level: 'restricted',
    rule: 'allowMissingSeccompProfile',
    field: ['seccompProfile', 'type'],
    allows: isConfined,
    must: 'be RuntimeDefault or Localhost',
    isInherited: true,
    isOfLinux: true,
  },
  {
    control: 'capabilities_restricted',
    level: 'restricted',
    rule: 'allowDefaultCapabilities',
    field: ['capabilities', 'drop'],
    allows: (value) => isJsonArray(value) && value.includes('ALL'),
    must: 'contain ALL',
    isInherited: false,
    isOfLinux: true,
  },
];

/** A control whose allowed values are a list, which a policy can replace. */
interface ListControl {
  readonly control: string;
  readonly rule: string;
  /** Any value is allowed at a level without a list. */
  readonly lists: { readonly [Level in PodSecurityLevel]?: readonly string[] };
}

/** Capabilities that the baseline level allows. */
export const baselineCapabilities: readonly string[] = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
];

const safeSysctls: readonly string[] = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ping_group_range',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_notsent_lowat',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_slow_start_after_idle',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.tcp_wmem',
];

const volumeTypes: readonly (typeof volumeSources)[number][] = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

export const listControls = {
  allowedCapabilities: {
    control: 'capabilities',
    rule: 'allowedCapabilities',
    lists: { baseline: baselineCapabilities, restricted: ['NET_BIND_SERVICE'] },
  },
  allowedSysctls: {
    control: 'sysctls',
    rule: 'allowedSysctls',
    lists: { baseline: safeSysctls, restricted: safeSysctls },
  },
  allowedVolumeTypes: { control: 'restrictedVolumes', rule: 'allowedVolumeTypes', lists: { restricted: volumeTypes } },
} as const satisfies Readonly<Record<string, ListControl>>;

/** The rules that a level stands for: what it denies, and the values that it allows. */
export function rulesOfLevel(level: PodSecurityLevel): Readonly<Record<string, false | readonly string[]>> {
  const rank = podSecurityLevels.indexOf(level);
  const rules: Record<string, false | readonly string[]> = {};
  for (const { rule, level: own } of [...fieldControls, ...requirementControls]) {
    if (podSecurityLevels.indexOf(own) <= rank) rules[rule] = false;
  }
  for (const { rule, lists } of Object.values<ListControl>(listControls)) {
    if (lists[level] !== undefined) rules[rule] = lists[level];
  }
  return rules;
}

const byKey = new Map<string, readonly FieldControl[]>();
for (const control of fieldControls) {
  const key = control.field.at(-1)!;
  byKey.set(key, [...(byKey.get(key) ?? []), control]);
}

/** Whether a field of this name may violate a control. */
export function hasControls(key: string): boolean {
  return byKey.has(key);
}

/** The controls that a field of an object violates, by its name and those of the fields around it. */
export function violatedControls(key: string, value: Json, place: Place): readonly FieldControl[] {
  const controls = byKey.get(key);
  if (controls === undefined || value === null) return [];
  return controls.filter(({ field, allows }) => isInside(place, field) && !allows(value));
}

/** Whether the fields around a value are those before the last one. */
function isInside(place: Place, field: readonly string[]): boolean {
  let at: Place | undefined = place;
  for (let index = field.length - 2; index >= 0; index -= 1) {
    while (typeof at?.step === 'number') at = at.above;
    if (at?.step !== field[index]) return false;
    at = at?.above;
  }
  return true;
}
