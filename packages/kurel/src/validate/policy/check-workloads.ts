import { quote } from '../../diagnostics/index.ts';
import {
  eachMapping,
  explainHiddenImages,
  fieldOf,
  has,
  isOfKind,
  listAt,
  mappingAt,
  pathTo,
  placesOf,
  textAt,
  workloadFieldsOf,
} from '../../kube/index.ts';
import type { Place } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { GroupVersionKind, Json, JsonObject, Path } from '../../model/index.ts';
import { checkCapability, checkImage, checkLimit, refuse } from './enforcing.ts';
import type { Enforcing } from './enforcing.ts';
import { policyProblems } from './problems.ts';
import { isInForce } from './rules.ts';

/** A field of a workload, with its parent. */
interface Field {
  readonly value: Json;
  readonly key: string;
  readonly holder: JsonObject;
  readonly place: Place;
  readonly enforcing: Enforcing;
}

type Check = (field: Field) => void;

/**
 * Checks by field name. A name means the same in every kind that runs pods, so kinds without a schema can be checked too.
 */
const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['hostNetwork', (field) => refuseTrue(field, 'allowHostNetwork')],
  ['hostPID', (field) => refuseTrue(field, 'allowHostPID')],
  ['hostIPC', (field) => refuseTrue(field, 'allowHostIPC')],
  ['privileged', (field) => refuseTrue(field, 'allowPrivileged')],
  // A HostProcess container of a Windows node is as powerful as a privileged one.
  ['hostProcess', (field) => refuseTrue(field, 'allowPrivileged')],
  ['hostPort', checkHostPort],
  ['hostPath', refuseNodePath],
  ['seccompProfile', checkProfile],
  ['appArmorProfile', checkProfile],
  ['annotations', checkAnnotations],
  ['capabilities', checkCapabilities],
  ['image', checkImageField],
  ['resources', checkResources],
  ['requests', checkAmounts],
  ['limits', checkAmounts],
  ['size', checkStorage],
]);

/** `replicas`, `maxReplicas`, `minReplicaCount`, `workerReplicas`, `replicaCount`, `instances` and the like. */
const countName = /^(?:(?:.*r|r)eplica(?:s|count)|(?:.*i|i)nstances|parallelism|shards)$/i;

/** Checks all fields of an object that run something or configure how it runs. */
export function checkWorkloads(enforcing: Enforcing, gvk: Pick<GroupVersionKind, 'group' | 'kind'>): void {
  const fields = workloadFieldsOf(gvk);
  if (fields === 'idle') return;
  const { object } = enforcing;
  const isDescribed = fields?.isOpen === false;
  const { status: _, ...wanted } = object;
  if (isOfKind(object, { group: '', kind: 'PersistentVolume' })) refuseLocalVolume(enforcing);
  for (const path of fields?.counts.flatMap((pattern) => placesOf(object, pattern)) ?? []) checkCount(enforcing, path);
  eachMapping(wanted, (holder, place) => {
    for (const key of Object.keys(holder)) {
      const field = { value: holder[key]!, key, holder, place, enforcing };
      checks.get(key)?.(field);
      if (isDescribed) continue;
      if (countName.test(key)) checkCount(enforcing, [...pathTo(place), key]);
      const reason = explainField(field);
      if (reason !== undefined) report(enforcing, pathOf(field), reason);
    }
  });
  for (const path of fields?.images.flatMap((pattern) => placesOf(object, pattern)) ?? []) checkImage(enforcing, path);
}

function checkCount(enforcing: Enforcing, path: Path): void {
  checkLimit(enforcing, { path, limit: 'maxReplicas', what: quote(String(path.at(-1))) });
}

/** Includes Argo Workflows (`container`, `script`) and Tekton (`steps`, `sidecars`, `stepTemplate`). */
const containerField = /^(?:.*containers?|script|steps|sidecars?|stepTemplate)$/i;

const containerKeys = ['command', 'args', 'env', 'envFrom', 'volumeMounts', 'imagePullPolicy', 'workingDir', 'script'];

/** Whether an object is a container: by the field that contains it, or by fields that only containers have. */
function isContainer(holder: JsonObject, place: Place): boolean {
  return (
    containerField.test(fieldOf(place)) ||
    (typeof holder['image'] === 'string' && containerKeys.some((key) => has(holder, key)))
  );
}

/** `container "proxy" of apps/v1 Deployment "web"` */
function subjectAt({ place, enforcing: { subject } }: Field): string {
  for (let at: Place | undefined = place; at !== undefined; at = at.above) {
    const { value } = at;
    if (!isJsonObject(value)) continue;
    const isVolume = typeof at.step === 'number' && fieldOf(at) === 'volumes';
    if (!isVolume && !isContainer(value, at)) continue;
    return `${isVolume ? 'volume' : 'container'} ${quote(textAt(value, 'name') ?? '')} of ${subject}`;
  }
  return subject;
}

function pathOf({ place, key }: Field, ...steps: Path): Path {
  return [...pathTo(place), key, ...steps];
}

interface FieldRefusal extends Omit<Parameters<typeof refuse>[1], 'path' | 'subject'> {
  /** From the field. */
  readonly steps?: Path;
}

function refuseField(field: Field, { steps = [], ...refusal }: FieldRefusal): void {
  refuse(field.enforcing, { ...refusal, path: [...pathOf(field), ...steps], subject: subjectAt(field) });
}

function refuseTrue(field: Field, rule: FieldRefusal['rule']): void {
  if (isEnabled(field.value)) refuseField(field, { what: quote(field.key), rule });
}

/** Kinds without a schema may accept strings and numbers as booleans. */
function isEnabled(value: Json): boolean {
  if (typeof value === 'string') return !/^(?:|false|f|no|n|off|0)$/i.test(value);
  return value === true || (typeof value === 'number' && value !== 0);
}

function checkHostPort(field: Field): void {
  const { value } = field;
  if (value === null || typeof value === 'object' || Number(value) === 0) return;
  refuseField(field, { what: '"hostPort"', rule: 'allowHostNetwork', isCommon: true });
}

function refuseNodePath(field: Field): void {
  const isPath = typeof field.value === 'string' && field.value !== '';
  if (!isJsonObject(field.value) && !isPath) return;
  const steps = isPath ? [] : ['path'];
  refuseField(field, { what: '"hostPath"', steps, rule: 'allowHostPathVolumes', isCommon: true });
}

function refuseLocalVolume(enforcing: Enforcing): void {
  if (mappingAt(mappingAt(enforcing.object, 'spec'), 'local') === undefined) return;
  const path = ['spec', 'local', 'path'];
  refuse(enforcing, { what: '"local"', path, rule: 'allowHostPathVolumes', isCommon: true });
}

function checkProfile(field: Field): void {
  if (textAt(field.value, 'type') === 'Unconfined') refuseUnconfined(field, 'type');
}

function refuseUnconfined(field: Field, key: string): void {
  const what = `Unconfined in "${field.key === 'annotations' ? key : field.key}"`;
  refuseField(field, { what, steps: [key], rule: 'allowUnconfined' });
}

/** The old way to set profiles, which API servers still support. */
function checkAnnotations(field: Field): void {
  if (!isJsonObject(field.value)) return;
  for (const [key, value] of Object.entries(field.value)) {
    const isProfile = /^(?:container\.)?(?:apparmor\.security\.beta|seccomp\.security\.alpha)\.kubernetes\.io\//.test(
      key,
    );
    if (isProfile && value === 'unconfined') refuseUnconfined(field, key);
  }
}

function checkCapabilities(field: Field): void {
  for (const [index, capability] of listAt(field.value, 'add').entries()) {
    if (typeof capability !== 'string') continue;
    checkCapability(field.enforcing, capability, pathOf(field, 'add', index), subjectAt(field));
  }
}

function checkImageField(field: Field): void {
  const steps = textAt(field.value, 'reference') === undefined ? [] : ['reference'];
  if (steps.length > 0 || isContainer(field.holder, field.place))
    checkImage(field.enforcing, [...pathOf(field), ...steps], subjectAt(field));
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
    checkLimit(field.enforcing, { path: [...path, name], limit, what, subject: subjectAt(field) });
  }
}

/** The size of a volume, as database operators name it. */
function checkStorage(field: Field): void {
  if (!/storage$/i.test(fieldOf(field.place))) return;
  checkLimit(field.enforcing, { path: pathOf(field), limit: 'maxStorageSize', what: 'the storage size' });
}

/** Names of string fields that contain objects or patches. */
const written = /^manifests?$|patch/i;
/** Strings with objects in YAML or JSON contain both. */
const writtenVersion = /\bapiVersion["']? {0,9}:/;
const writtenKind = /\bkind["']? {0,9}:/;
/** `ghcr.io/team/app:1.2` in any field. */
const imageShape = /^(?:[a-z]+:\/\/)?(?:[\w-]+\.)+[\w-]+(?::\d+)?(?:\/[\w.-]+)+(?::[\w.-]+|@sha256:[0-9a-f]{64})$/i;
const longestImage = 500;
/** Fields that name sources to render in the cluster. */
const rendered: ReadonlySet<string> = new Set(['chart', 'chartContent', 'repo', 'repoURL', 'repository']);
const references: ReadonlySet<string> = new Set([
  'taskRef',
  'pipelineRef',
  'templateRef',
  'workflowTemplateRef',
  'clusterWorkflowTemplateRef',
  'workloadRef',
]);

/** Why a field of a kind without a schema could run something, although no check covers it. */
function explainField({ value, key, holder, place }: Field): string | undefined {
  if (typeof value === 'string') {
    if (value === '') return undefined;
    if (written.test(key) || holdsObject(value)) return 'it contains an object or a patch as a string';
    if (rendered.has(key) && !isImageName(fieldOf(place)))
      return 'it may refer to something that is rendered in the cluster';
    // Images of containers are checked.
    const isChecked = key === 'image' && isContainer(holder, place);
    if ((isImageName(key) || isImage(value)) && !isChecked) return unknownImage;
    // The top-level kind belongs to the object itself.
    const isEmbedded = key === 'kind' && place.above !== undefined && textAt(holder, 'apiVersion') !== undefined;
    return isEmbedded && (has(holder, 'metadata') || has(holder, 'spec')) ? 'it is an embedded object' : undefined;
  }
  if (isJsonArray(value)) {
    if (value.some((item) => typeof item === 'string' && holdsObject(item))) return 'it contains objects as strings';
    const isImages = value.some((item) => isImage(item) || (isImageName(key) && typeof item === 'string'));
    return isImages ? unknownImage : undefined;
  }
  if (!isJsonObject(value)) return undefined;
  if (references.has(key)) return 'it refers to a workload that is defined elsewhere';
  if (isImageName(key) && !has(value, 'reference') && (has(value, 'repository') || has(value, 'name'))) {
    return unknownImage;
  }
  return /template$/i.test(key) && isEmptyTemplate(value)
    ? 'it looks like a pod template without containers'
    : undefined;
}

const unknownImage = 'it may be an image, and the kind has no schema';

function isImageName(key: string): boolean {
  return /image(?:name|ref|reference|uri|url)?s?$/i.test(key);
}

function isImage(value: Json): boolean {
  return typeof value === 'string' && value.length <= longestImage && imageShape.test(value);
}

function holdsObject(text: string): boolean {
  return writtenVersion.test(text) && writtenKind.test(text);
}

function isEmptyTemplate({ spec }: JsonObject): boolean {
  if (!isJsonObject(spec)) return false;
  return !Object.entries(spec).some(
    ([key, value]) => (/containers$/i.test(key) && isJsonArray(value)) || /(?:template|steps|tasks)s?$/i.test(key),
  );
}

/** Reports an object from which the cluster renders other objects. */
export function reportRenderedElsewhere(enforcing: Enforcing): void {
  const { object } = enforcing;
  if (isOfKind(object, { group: 'postgresql.cnpg.io', kind: 'Cluster' })) return;
  const reason = explainHiddenImages(object);
  if (reason !== undefined) report(enforcing, ['spec'], reason);
}

function report(enforcing: Enforcing, path: Path, reason: string): void {
  if (!isInForce(enforcing.layers)) return;
  const field = path.map((step, index) =>
    typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`,
  );
  const args = { field: field.join(''), subject: enforcing.subject, reason };
  enforcing.reportFinding(policyProblems.create('policy-not-checked', args), path);
}
