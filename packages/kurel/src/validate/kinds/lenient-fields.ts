import { stepInto } from '../../model/index.ts';
import type { Json, KubeObject, Path, Severity } from '../../model/index.ts';

// Words that Kubernetes' own types hold as plain strings: an empty one is as good as none, and gets the default.
const emptyWords = new Set([
  'containers.imagePullPolicy',
  'containers.terminationMessagePolicy',
  'ephemeralContainers.imagePullPolicy',
  'ephemeralContainers.terminationMessagePolicy',
  'exactly.allocationMode',
  'firstAvailable.allocationMode',
  'grpc.mode',
  'httpGet.protocol',
  'httpGet.scheme',
  'image.pullPolicy',
  'initContainers.imagePullPolicy',
  'initContainers.terminationMessagePolicy',
  'lifecycle.stopSignal',
  'ports.protocol',
  '.reclaimPolicy',
  'spec.concurrencyPolicy',
  'spec.dnsPolicy',
  'spec.persistentVolumeReclaimPolicy',
  'spec.podManagementPolicy',
  'spec.restartPolicy',
  'spec.sessionAffinity',
  'spec.type',
  'strategy.type',
  'tolerations.effect',
  'tolerations.operator',
  'updateStrategy.type',
  'persistentVolumeClaimRetentionPolicy.whenDeleted',
  'persistentVolumeClaimRetentionPolicy.whenScaled',
]);
// Pointers, where an empty string is a value.
const strictKinds = new Set(['NetworkPolicy', 'EndpointSlice']);

// What the published schemas require and the API server takes without.
const takenWithout = new Set([
  'CSIDriver .spec',
  'CSINode .spec',
  'CSINode spec.drivers',
  'CustomResourceDefinition versions.served',
  'CustomResourceDefinition versions.storage',
  'EndpointSlice forZones.name',
  'Job podFailurePolicy.rules',
  'LimitRange spec.limits',
  'PersistentVolumeClaim dataSource.kind',
  'StatefulSet spec.serviceName',
  'CSIDriver tokenRequests.audience',
]);
const takenInPods = new Set(['sysctls.value', 'httpHeaders.value', 'sleep.seconds', 'iscsi.lun']);
/** Fields that the API server fills in. */
const filledIn = new Set(['roleRef.apiGroup']);
const droppedInStatus = new Set(['field-required', 'field-enum', 'list-duplicate', 'list-item-null']);

/** How much of a finding of a schema the API server shares: all of it, only a warning's worth, or nothing. */
export function severityOfServer(object: KubeObject, code: string, path: Path): Severity | 'none' | undefined {
  // Nobody reads a status that comes in a manifest beyond its types.
  if (path[0] === 'status') return droppedInStatus.has(code) ? 'none' : undefined;
  if (code === 'field-enum') {
    if (path.reduce<Json | undefined>(stepInto, object) !== '' || strictKinds.has(object.kind)) return undefined;
    return emptyWords.has(shapeOf(path)) ? 'none' : undefined;
  }
  if (code !== 'field-required') return undefined;
  const shape = shapeOf(path);
  if (filledIn.has(shape)) return 'none';
  return takenInPods.has(shape) || takenWithout.has(`${object.kind} ${shape}`) ? 'warning' : undefined;
}

/** `containers.imagePullPolicy`: the field, and what it is in. */
function shapeOf(path: Path): string {
  const names = path.filter((step) => typeof step === 'string');
  return `${names.at(-2) ?? ''}.${names.at(-1) ?? ''}`;
}
