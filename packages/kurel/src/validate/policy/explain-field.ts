import { fieldOf, has, textAt } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject } from '../../model/index.ts';
import { isContainer } from './workload-field.ts';
import type { Field } from './workload-field.ts';

/** Names of string fields that contain objects or patches. */
const written = /^manifests?$|patch/i;
/** Strings with objects in YAML or JSON contain both. */
const writtenVersion = /\bapiVersion["']? {0,9}:/;
const writtenKind = /\bkind["']? {0,9}:/;
/** `ghcr.io/team/app:1.2` in any field. */
const imageShape = /^(?:[a-z]+:\/\/)?(?:[\w-]+\.)+[\w-]+(?::\d+)?(?:\/[\w.-]+)+(?::[\w.-]+|@sha256:[0-9a-f]{64})$/i;
/** `oci://ghcr.io/team/app`, whose tag is optional. */
const imageUrl = /^(?:docker|oci):\/\/./i;
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

/** `hostDisk` of KubeVirt, `dataDirHostPath` of Rook, `allowPrivilegedContainer` of OpenShift */
const nodeAccess =
  /(?:^h|H)ost(?:Dev|Dir|Disk|File|Folder|IPC|Mount|Network|PID|Path|Port|Volume)|^privileged|Privileged/;
/** Those of pods, which have checks of their own. */
const podAccess: ReadonlySet<string> = new Set([
  'hostIPC',
  'hostNetwork',
  'hostPID',
  'hostPath',
  'hostPort',
  'privileged',
]);

/** Why a field of a kind without a schema could run something, although no check covers it. */
export function explainField({ value, key, holder, place }: Field): string | undefined {
  const isSet = value !== null && value !== false && value !== '';
  if (isSet && nodeAccess.test(key) && !podAccess.has(key)) return 'it may give access to the node';
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
  // A step of Tekton may refer to a StepAction.
  const isReference = references.has(key) || (key === 'ref' && isContainer(holder, place));
  if (isReference) return 'it refers to a workload that is defined elsewhere';
  if (isImageName(key) && !has(value, 'reference') && (has(value, 'repository') || has(value, 'name'))) {
    return unknownImage;
  }
  return /template$/i.test(key) && isEmptyTemplate(value)
    ? 'it looks like a pod template without containers'
    : undefined;
}

/** Also registries from which operators take images: `hub`, `imageRegistry`, and `package` of Crossplane. */
const imageName = /(?:image(?:name|ref|reference|registry|repo|repository|uri|url)?s?|registry|^hub|^package)$/i;

const unknownImage = 'it may be an image, and the kind has no schema';

function isImageName(key: string): boolean {
  return imageName.test(key);
}

export function isImage(value: Json): boolean {
  if (typeof value !== 'string' || value.length > longestImage) return false;
  return imageShape.test(value) || imageUrl.test(value);
}

export function holdsObject(text: string): boolean {
  return writtenVersion.test(text) && writtenKind.test(text);
}

function isEmptyTemplate({ spec }: JsonObject): boolean {
  if (!isJsonObject(spec)) return false;
  return !Object.entries(spec).some(
    ([key, value]) => (/containers$/i.test(key) && isJsonArray(value)) || /(?:template|steps|tasks)s?$/i.test(key),
  );
}
