import { quote } from '../../../diagnostics/index.ts';
import { labelsOf } from '../../../kube/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { JsonObject, KubeObject, Path } from '../../../model/index.ts';
import type { ApplicationDocument } from '../documents/read-application-document.ts';

type Labels = Readonly<Record<string, string>>;

/** Labels that the author sets for the objects of a component: those of the application and its own. */
export function sharedLabels({ metadata, spec }: ApplicationDocument, component: number | undefined): Labels {
  const own = component === undefined ? {} : spec.components[component]!.labels;
  return Object.keys(own).length === 0 ? metadata.labels : { ...metadata.labels, ...own };
}

/** A label without effect on the objects of a kind. */
interface TakenLabel {
  readonly key: string;
  readonly owner: string;
  readonly kind: string;
  /** Path of the label in the application. */
  readonly path: Path;
}

interface LabelledObject {
  readonly object: KubeObject;
  readonly components: readonly number[];
}

/** Labels of the author that kurel sets itself, each once. */
export function findTakenLabels(
  objects: readonly LabelledObject[],
  document: ApplicationDocument,
): readonly TakenLabel[] {
  const taken = new Map<string, TakenLabel>();
  for (const { object, components } of objects) {
    const actual = labelsOf(object);
    for (const [key, value] of Object.entries(sharedLabels(document, components[0]))) {
      if (actual[key] === value || setsLabel(document, components[0], key)) continue;
      const label = describeLabel(key, document, components[0]);
      const id = JSON.stringify(label.path);
      if (!taken.has(id)) taken.set(id, { key, kind: object.kind, ...label });
    }
  }
  return [...taken.values()];
}

/** Whether the author sets another value for an object of the component. */
function setsLabel({ spec }: ApplicationDocument, component: number | undefined, key: string): boolean {
  return component !== undefined && hasLabel(spec.components[component]!.properties, key);
}

function hasLabel(properties: JsonObject, key: string): boolean {
  return Object.entries(properties).some(
    ([name, value]) => isJsonObject(value) && (name === 'labels' ? Object.hasOwn(value, key) : hasLabel(value, key)),
  );
}

function describeLabel(
  key: string,
  { spec }: ApplicationDocument,
  component: number | undefined,
): Pick<TakenLabel, 'owner' | 'path'> {
  const { name, labels } = component === undefined ? { name: '', labels: {} } : spec.components[component]!;
  return Object.hasOwn(labels, key)
    ? { owner: `component ${quote(name)}`, path: ['spec', 'components', component!, 'labels', key] }
    : { owner: 'the application', path: ['metadata', 'labels', key] };
}
