import { gvkOf, pluralOf } from '../kube/index.ts';
import type { KubeObject } from '../model/index.ts';
import { fileStemOf } from './file-stem.ts';

/** Kinds that people keep together, by the file they keep them in; `Kind.group` where others use the kind for other things. */
const files: Readonly<Record<string, readonly string[]>> = {
  rbac: [
    'ServiceAccount.',
    'Role.rbac.authorization.k8s.io',
    'RoleBinding.rbac.authorization.k8s.io',
    'ClusterRole.rbac.authorization.k8s.io',
    'ClusterRoleBinding.rbac.authorization.k8s.io',
  ],
  monitoring: ['ServiceMonitor', 'PodMonitor', 'PrometheusRule', 'Probe.monitoring.coreos.com', 'AlertmanagerConfig'],
  backups: ['Backup', 'ScheduledBackup', 'BackupSchedule', 'Schedule.velero.io', 'ReplicationSource', 'VolumeSnapshot'],
  crds: ['CustomResourceDefinition'],
};

const fileOf: ReadonlyMap<string, string> = new Map(
  Object.entries(files).flatMap(([file, kinds]) => kinds.map((kind) => [kind, file] as const)),
);

/** The file of a phase that an object goes to, without its ending: `deployments`, `rbac`. */
export function phaseFileOf(object: KubeObject): string {
  const { kind } = object;
  const known = fileOf.get(kind) ?? fileOf.get(`${kind}.${gvkOf(object)?.group ?? ''}`);
  return known ?? fileStemOf(pluralOf(kind).toLowerCase());
}
