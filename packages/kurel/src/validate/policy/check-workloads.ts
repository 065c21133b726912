import { quote } from '../../diagnostics/index.ts';
import {
  eachMapping,
  explainHiddenImages,
  fieldOf,
  isOfKind,
  mappingAt,
  pathTo,
  placesOf,
  podPathsOf,
  textAt,
  workloadFieldsOf,
} from '../../kube/index.ts';
import { valueAt } from '../../model/index.ts';
import type { GroupVersionKind, JsonObject, KubeObject, Path } from '../../model/index.ts';
import { checkAnnotations, isAnnotations } from './check-annotations.ts';
import {
  checkBounds,
  checkCapacity,
  checkContainerLimits,
  checkEmptyDir,
  checkNestedCount,
  checkPossibleCount,
  checkScaling,
} from './check-bounds.ts';
import { exposureChecks } from './check-exposure.ts';
import { checkEmbeddedAccess } from './check-roles.ts';
import { checkImageTexts } from './check-image-texts.ts';
import { checkRequirements, checkSecurity, isControlled, refuseLocalVolume, requirementsOf } from './check-security.ts';
import { checkImage, checkLimit, isZeroAmount, reportExceeded, reportUnchecked } from './enforcing.ts';
import type { Enforcing } from './enforcing.ts';
import { explainField } from './explain-field.ts';
import { isInForce } from './rules.ts';
import { isContainer, pathOf, subjectAt } from './workload-field.ts';
import type { Check, Field } from './workload-field.ts';

/**
 * Checks by field name. A name means the same in every kind that runs pods, so kinds without a schema can be checked too.
 */
const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['image', checkImageField],
  ['resources', checkResources],
  ['requests', checkAmounts],
  ['limits', checkAmounts],
  ['size', checkStorage],
  ['capacity', checkCapacity],
  ['cacheCapacity', checkCapacity],
  ['emptyDir', checkEmptyDir],
]);

/** `replicas`, `maxReplicas`, `minReplicaCount`, `workerReplicas`, `replicaCount`, `instances` and the like. */
const countName = /^(?:(?:.*r|r)eplica(?:s|count)|(?:.*i|i)nstances|(?:.*r|r)unners|parallelism|shards)$/i;

/** Checks all fields of an object that run something or configure how it runs. */
export function checkWorkloads(enforcing: Enforcing, gvk: Pick<GroupVersionKind, 'group' | 'kind'>): void {
  const fields = workloadFieldsOf(gvk);
  const { object } = enforcing;
  if (fields === 'idle') {
    checkIdle(enforcing);
    return;
  }
  if (!isInForce(enforcing.layers)) {
    checkAccess(enforcing);
    return;
  }
  const isDescribed = fields?.isOpen === false;
  const isRunByOperator =
    isDescribed && fields.counts.length > 0 && podPathsOf(gvk) === undefined && gvk.group.includes('.');
  const requirements = requirementsOf(enforcing);
  if (isRunByOperator && requirements.length > 0) {
    reportUnchecked(enforcing, ['spec'], 'its operator creates pods, whose security settings are not known');
  }
  checkBounds(enforcing, gvk);
  checkLocalVolume(enforcing);
  for (const path of fields?.counts.flatMap((pattern) => placesOf(object, pattern)) ?? []) checkCount(enforcing, path);
  eachMapping(wantedOf(object), (holder, place) => {
    for (const key of Object.keys(holder)) {
      const field = { value: holder[key]!, key, holder, place, enforcing };
      checks.get(key)?.(field);
      exposureChecks.get(key)?.(field);
      checkAnnotations(field);
      checkImageTexts(field);
      checkSecurity(field);
      if (isDescribed) continue;
      if (countName.test(key)) {
        checkCount(enforcing, [...pathTo(place), key]);
        checkNestedCount(enforcing, key, place);
      } else checkPossibleCount(field);
      // Annotations are checked in every kind.
      if (isAnnotations(fieldOf(place))) continue;
      const reason = explainField(field);
      if (reason !== undefined) reportUnchecked(enforcing, pathOf(field), reason);
    }
    if (!isDescribed) {
      checkScaling(enforcing, holder, place);
      checkEmbeddedAccess(enforcing, holder, place);
    }
    // An operator merges containers without an image into its own.
    const isWhole = !isRunByOperator || textAt(holder, 'image') !== undefined;
    if (!isWhole || !isContainer(holder, place)) return;
    checkRequirements(enforcing, holder, { place, requirements });
    checkContainerLimits(enforcing, holder, place);
  });
  for (const path of fields?.images.flatMap((pattern) => placesOf(object, pattern)) ?? []) checkImage(enforcing, path);
}

/** Without a policy, only access to the node is reported. */
function checkAccess(enforcing: Enforcing): void {
  checkLocalVolume(enforcing);
  eachMapping(wantedOf(enforcing.object), (holder, place) => {
    for (const key in holder) {
      if (isControlled(key)) checkSecurity({ value: holder[key]!, key, holder, place, enforcing });
    }
  });
}

/** Without the status, which Kubernetes writes. */
function wantedOf(object: KubeObject): JsonObject {
  if (!Object.hasOwn(object, 'status')) return object;
  const { status: _, ...wanted } = object;
  return wanted;
}

function checkLocalVolume(enforcing: Enforcing): void {
  if (isOfKind(enforcing.object, { group: '', kind: 'PersistentVolume' })) refuseLocalVolume(enforcing);
}

/** Checks an object that runs nothing, but may have settings for pods or for the network. */
function checkIdle(enforcing: Enforcing): void {
  const { object } = enforcing;
  // Its fields describe the fields of other objects.
  if (!isInForce(enforcing.layers) || object.kind === 'CustomResourceDefinition') return;
  eachMapping(object, (holder, place) => {
    for (const key of Object.keys(holder)) {
      const field = { value: holder[key]!, key, holder, place, enforcing };
      exposureChecks.get(key)?.(field);
      checkAnnotations(field);
    }
  });
}

function checkCount(enforcing: Enforcing, path: Path): void {
  checkLimit(enforcing, { path, limit: 'maxReplicas', what: quote(String(path.at(-1))) });
}

function checkImageField(field: Field): void {
  const steps = textAt(field.value, 'reference') === undefined ? [] : ['reference'];
  if (steps.length > 0 || isContainer(field.holder, field.place))
    checkImage(field.enforcing, [...pathOf(field), ...steps], { subject: subjectAt(field) });
}

/** Requests and limits of a container, a pod or a claim. */
function checkResources(field: Field): void {
  for (const key of ['requests', 'limits'] as const) {
    const amounts = mappingAt(field.value, key);
    if (amounts !== undefined) checkAmountsAt(field, pathOf(field, key));
  }
}

/** Requests and limits outside of `resources`, as in some kinds without a schema. */
function checkAmounts(field: Field): void {
  if (fieldOf(field.place) !== 'resources') checkAmountsAt(field, pathOf(field));
}

function checkAmountsAt(field: Field, path: Path): void {
  const word = String(path.at(-1)).slice(0, -1);
  for (const [name, limit, what] of [
    ['cpu', 'maxCPU', `the cpu ${word}`],
    ['memory', 'maxMemory', `the memory ${word}`],
    // A claim with only a limit requests the same amount.
    ['storage', 'maxStorageSize', 'the storage size'],
  ] as const) {
    const amount = { path: [...path, name], limit, what, subject: subjectAt(field) };
    checkLimit(field.enforcing, amount);
    // Container runtimes take 0 for no limit.
    const isEndless =
      word === 'limit' && name !== 'storage' && isZeroAmount(valueAt(field.enforcing.object, amount.path));
    if (isEndless) reportExceeded(field.enforcing, { ...amount, amount: undefined, isSet: true });
  }
}

/** The size of a volume, as database operators name it. */
function checkStorage(field: Field): void {
  if (!/storage$/i.test(fieldOf(field.place))) return;
  checkLimit(field.enforcing, { path: pathOf(field), limit: 'maxStorageSize', what: 'the storage size' });
}

/** Reports an object from which the cluster renders other objects. */
export function reportRenderedElsewhere(enforcing: Enforcing): void {
  const { object } = enforcing;
  if (isOfKind(object, { group: 'postgresql.cnpg.io', kind: 'Cluster' })) return;
  const reason = explainHiddenImages(object);
  if (reason !== undefined) reportUnchecked(enforcing, ['spec'], reason);
}
