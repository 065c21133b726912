import { quote } from '../../../diagnostics/index.ts';
import type { hardening, ValueOf } from '../../../documents/index.ts';
import {
  baselineCapabilities,
  containerPath,
  containersOf,
  has,
  listAt,
  mappingAt,
  textAt,
} from '../../../kube/index.ts';
import type { ContainerSite, PodSite } from '../../../kube/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { Json, Path } from '../../../model/index.ts';

export type Level = ValueOf<typeof hardening.psaLevel>;

/** A field of a pod that a level forbids. */
interface Excess {
  /** Path in the object that contains the pod. */
  readonly path: Path;
  /** `"privileged" of container "web" is true` */
  readonly what: string;
  /** The strictest level that allows it. */
  readonly allowedBy: Level;
}

/** The values that a level allows for a field. */
interface Rule {
  readonly field: readonly string[];
  readonly level: 'baseline' | 'restricted';
  readonly allows: (value: Json) => boolean;
}

const isFalse = (value: Json): boolean => value === false;
const isEmpty = (value: Json): boolean => value === '';
const isConfined = (value: Json): boolean => value !== 'Unconfined';
const processTypes: readonly Json[] = ['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t'];

const ofPods: readonly Rule[] = ['hostNetwork', 'hostPID', 'hostIPC'].map((name) => ({
  field: [name],
  level: 'baseline',
  allows: isFalse,
}));

const ofContexts: readonly Rule[] = [
  { field: ['windowsOptions', 'hostProcess'], level: 'baseline', allows: isFalse },
  { field: ['appArmorProfile', 'type'], level: 'baseline', allows: isConfined },
  { field: ['seccompProfile', 'type'], level: 'baseline', allows: isConfined },
  { field: ['seLinuxOptions', 'type'], level: 'baseline', allows: (value) => processTypes.includes(value) },
  { field: ['seLinuxOptions', 'user'], level: 'baseline', allows: isEmpty },
  { field: ['seLinuxOptions', 'role'], level: 'baseline', allows: isEmpty },
  { field: ['runAsNonRoot'], level: 'restricted', allows: (value) => value === true },
  { field: ['runAsUser'], level: 'restricted', allows: (value) => Number(value) !== 0 },
];

const ofContainerContexts: readonly Rule[] = [
  ...ofContexts,
  { field: ['privileged'], level: 'baseline', allows: isFalse },
  { field: ['procMount'], level: 'baseline', allows: (value) => value === 'Default' },
  { field: ['allowPrivilegeEscalation'], level: 'restricted', allows: isFalse },
  // Not part of the standard, but the trait guarantees it for this level.
  { field: ['readOnlyRootFilesystem'], level: 'restricted', allows: (value) => value === true },
];

/** Connections that the node makes for a container, to any host the field names. */
const ofContainers: readonly Rule[] = [
  ['livenessProbe'],
  ['readinessProbe'],
  ['startupProbe'],
  ['lifecycle', 'postStart'],
  ['lifecycle', 'preStop'],
].flatMap((place) =>
  ['httpGet', 'tcpSocket'].map((action): Rule => ({
    field: [...place, action, 'host'],
    level: 'baseline',
    allows: isEmpty,
  })),
);

const capabilities = {
  baseline: new Set<Json>(baselineCapabilities),
  restricted: new Set<Json>(['NET_BIND_SERVICE']),
};

const sysctls: ReadonlySet<string> = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ping_group_range',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_syncookies',
]);

const volumeTypes: readonly string[] = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/**
 * Fields of a pod that a level of the Pod Security Standards forbids. Missing fields are ignored: the trait sets them.
 */
export function findExcesses(pod: PodSite, level: Level): readonly Excess[] {
  if (level === 'privileged') return [];
  const excesses: Excess[] = [];
  const { spec, specPath } = pod;
  checkRules(spec, { rules: ofPods, of: 'the pod', path: specPath });
  const context = [...specPath, 'securityContext'];
  checkRules(spec['securityContext'], { rules: ofContexts, of: 'the pod', path: context });
  for (const [index, sysctl] of listAt(spec['securityContext'], 'sysctls').entries()) {
    const name = textAt(sysctl, 'name');
    if (name === undefined || sysctls.has(name)) continue;
    add('baseline', `the pod sets ${quote(name)}`, [...context, 'sysctls', index, 'name']);
  }
  for (const [index, volume] of listAt(spec, 'volumes').entries()) checkVolume(volume, [...specPath, 'volumes', index]);
  for (const site of containersOf(pod)) checkContainer(site);
  return excesses;

  function add(of: 'baseline' | 'restricted', what: string, path: Path): void {
    if (of === 'restricted' && level !== 'restricted') return;
    excesses.push({ path, what, allowedBy: of === 'baseline' ? 'privileged' : 'baseline' });
  }

  function checkRules(
    value: Json | undefined,
    { rules, of, path }: { readonly rules: readonly Rule[]; readonly of: string; readonly path: Path },
  ): void {
    for (const { field, level: least, allows } of rules) {
      const last = field.at(-1)!;
      const holder = field.slice(0, -1).reduce<Json | undefined>((inner, name) => mappingAt(inner, name), value);
      if (!isJsonObject(holder) || !has(holder, last) || allows(holder[last]!)) continue;
      add(least, `${quote(field.join('.'))} of ${of} is ${show(holder[last]!)}`, [...path, ...field]);
    }
  }

  function checkVolume(volume: Json, path: Path): void {
    const name = textAt(volume, 'name') ?? '';
    const type = isJsonObject(volume) ? Object.keys(volume).find((key) => key !== 'name') : undefined;
    if (type === undefined || volumeTypes.includes(type)) return;
    const least = type === 'hostPath' ? 'baseline' : 'restricted';
    const place = type === 'hostPath' ? [...path, type, 'path'] : [...path, type];
    add(least, `volume ${quote(name)} is of type ${type}`, place);
  }

  function checkContainer(site: ContainerSite): void {
    const { container } = site;
    const of = `container ${quote(textAt(container, 'name') ?? '')}`;
    checkRules(container, { rules: ofContainers, of, path: containerPath(site) });
    const { securityContext } = container;
    const path = containerPath(site, 'securityContext');
    checkRules(securityContext, { rules: ofContainerContexts, of, path });
    for (const [index, name] of listAt(mappingAt(securityContext, 'capabilities'), 'add').entries()) {
      if (typeof name !== 'string' || capabilities.restricted.has(name)) continue;
      const least = capabilities.baseline.has(name) ? 'restricted' : 'baseline';
      add(least, `${of} adds capability ${quote(name)}`, [...path, 'capabilities', 'add', index]);
    }
    for (const [index, port] of listAt(container, 'ports').entries()) {
      const rules: readonly Rule[] = [
        { field: ['hostPort'], level: 'baseline', allows: (value) => Number(value) === 0 },
      ];
      checkRules(port, { rules, of, path: containerPath(site, 'ports', index) });
    }
  }
}

function show(value: Json): string {
  return typeof value === 'string' ? quote(value) : JSON.stringify(value);
}
