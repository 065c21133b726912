import { valueAt } from '../../model/index.ts';
import type { KubeObject, Path, Severity } from '../../model/index.ts';

// Enums that are plain strings in the Go types of Kubernetes: an empty string selects the default.
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
// In these kinds enums are pointers, so an empty string is a value.
const strictKinds = new Set(['NetworkPolicy', 'EndpointSlice']);

// Fields that the published schemas require, but the API server does not.
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

/** The severity of a schema finding when the API server is more lenient; `none` if it accepts the value without a problem. */
export function severityOfServer(object: KubeObject, code: string, path: Path): Severity | 'none' | undefined {
  // The API server drops the status of a manifest after it has decoded it, so only the types matter.
  if (path[0] === 'status') return droppedInStatus.has(code) ? 'none' : undefined;
  if (code === 'field-enum') {
    if (valueAt(object, path) !== '' || strictKinds.has(object.kind)) return undefined;
    return emptyWords.has(shapeOf(path)) ? 'none' : undefined;
  }
  if (code !== 'field-required') return undefined;
  const shape = shapeOf(path);
  if (filledIn.has(shape)) return 'none';
  return takenInPods.has(shape) || takenWithout.has(`${object.kind} ${shape}`) ? 'warning' : undefined;
}

/** The field with its parent: `containers.imagePullPolicy`. */
function shapeOf(path: Path): string {
  const names = path.filter((step) => typeof step === 'string');
  return `${names.at(-2) ?? ''}.${names.at(-1) ?? ''}`;
}
