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
  /** The field is one of a container, all of which are checked. */
  readonly isContainer: boolean;
}

/** Strings that hold objects, or changes to some. */
const written = /^manifests?$|patch/i;
/** What is rendered in the cluster. */
const rendered: ReadonlySet<string> = new Set(['chart', 'chartContent', 'repo', 'repoURL', 'repository']);
const references: ReadonlySet<string> = new Set([
  'taskRef',
  'pipelineRef',
  'templateRef',
  'workflowTemplateRef',
  'clusterWorkflowTemplateRef',
  'workloadRef',
]);

/** Reports a field of a kind without a schema that could run something, and that no check understands. */
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
    if (written.test(key)) return 'it holds an object or a patch as a string';
    if (rendered.has(key) && !isOfImage) return 'it may name something that is rendered in the cluster';
    if (isImageName(key) && !isContainer) return 'it may be an image, and the schema of the kind is not known';
    // What an object is, is known of the object itself.
    const isEmbedded = key === 'kind' && !isTop && textAt(holder, 'apiVersion') !== undefined;
    return isEmbedded && (has(holder, 'metadata') || has(holder, 'spec'))
      ? 'it is an object inside another'
      : undefined;
  }
  if (!isJsonObject(value)) return undefined;
  if (references.has(key)) return 'it refers to something that runs and is described elsewhere';
  if (isImageName(key) && !has(value, 'reference') && (has(value, 'repository') || has(value, 'name'))) {
    return 'it may be an image, and the schema of the kind is not known';
  }
  return /template$/i.test(key) && isEmptyTemplate(value)
    ? 'it looks like the template of a pod without containers'
    : undefined;
}

function isImageName(key: string): boolean {
  return /image(?:name)?$/i.test(key);
}

function isEmptyTemplate({ spec }: JsonObject): boolean {
  if (!isJsonObject(spec)) return false;
  return !Object.entries(spec).some(
    ([key, value]) => (/containers$/i.test(key) && isJsonArray(value)) || /(?:template|steps|tasks)s?$/i.test(key),
  );
}

/** Reports an object that stands for others, which are rendered in the cluster. */
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
  enforcing.tell(policyProblems.create('policy-not-checked', args), path);
}
