import { explainHiddenImages, fieldOf, has, isOfKind, pathTo, textAt } from '../../kube/index.ts';
import type { Place } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import type { Enforcing } from './enforcing.ts';
import { policyProblems } from './problems.ts';
import { isInForce } from './rules.ts';

interface Field {
  readonly value: Json;
  readonly key: string;
  readonly holder: JsonObject;
  readonly place: Place;
  readonly enforcing: Enforcing;
}

interface FieldFacts {
  /** The field is in a container, where images are checked. */
  readonly isContainer: boolean;
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

/** Reports a field of a kind without a schema that could run something, but that no check covers. */
export function reportUnchecked({ value, key, holder, place, enforcing }: Field, { isContainer }: FieldFacts): void {
  const [isTop, isOfImage] = [place.above === undefined, isImageName(fieldOf(place))];
  const reason = explainField({ value, key, holder }, { isContainer, isTop, isOfImage });
  if (reason !== undefined) report(enforcing, [...pathTo(place), key], reason);
}

function explainField(
  { value, key, holder }: Pick<Field, 'value' | 'key' | 'holder'>,
  { isContainer, isTop, isOfImage }: FieldFacts & { readonly isTop: boolean; readonly isOfImage: boolean },
): string | undefined {
  if (typeof value === 'string') {
    if (value === '') return undefined;
    if (written.test(key) || holdsObject(value)) return 'it contains an object or a patch as a string';
    if (rendered.has(key) && !isOfImage) return 'it may refer to something that is rendered in the cluster';
    const isChecked = isContainer && key === 'image';
    if ((isImageName(key) || isImage(value)) && !isChecked) return unknownImage;
    // The top-level kind belongs to the object itself.
    const isEmbedded = key === 'kind' && !isTop && textAt(holder, 'apiVersion') !== undefined;
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
