import { describeObject, gvkOf, mappingAt, nameOf, namespaceOf, textAt } from '../../../kube/index.ts';
import type { JsonObject } from '../../../model/index.ts';
import { policyProblems } from '../../../validate/door.ts';
import type { Rules } from '../../../validate/door.ts';
import type { ComposedObject, ObjectFinding } from './composition.ts';

/** Where objects of Flux name the object that says where something comes from. */
const references: readonly (readonly string[])[] = [
  ['spec', 'chart', 'spec', 'sourceRef'],
  ['spec', 'chartRef'],
  ['spec', 'sourceRef'],
];

/** Those that have a registry in their URL. */
const kinds: ReadonlySet<string> = new Set(['HelmRepository', 'OCIRepository']);

/** Sources that are on the cluster already: the registry that they are of can be held against no policy. */
export function findUnknownSources(
  objects: readonly ComposedObject[],
  { layers }: Pick<Rules, 'layers'>,
): readonly ObjectFinding[] {
  const layer = layers.find(({ enforced }) => enforced.allowedRegistries !== undefined);
  if (layer === undefined) return [];
  const { allowedRegistries: allowed = [] } = layer.enforced;
  const known = new Set(objects.map(({ object }) => identify(object.kind, namespaceOf(object), nameOf(object))));
  const location = layer.locate(['enforced', 'allowedRegistries']);
  const related = location === undefined ? [] : [{ message: 'the rule is here', location }];
  const findings: ObjectFinding[] = [];
  for (const made of objects) {
    const { object } = made;
    if (gvkOf(object)?.group.endsWith('.toolkit.fluxcd.io') !== true) continue;
    for (const path of references) {
      const reference = path.reduce<JsonObject | undefined>(mappingAt, object);
      const [kind, name] = [textAt(reference, 'kind') ?? '', textAt(reference, 'name')];
      const namespace = textAt(reference, 'namespace') ?? namespaceOf(object);
      if (name === undefined || !kinds.has(kind) || known.has(identify(kind, namespace, name))) continue;
      const args = { kind, name, subject: describeObject(object), allowed };
      const diagnostic = policyProblems.create('policy-source-unknown', args, { related });
      findings.push({ made, path: [...path, 'name'], diagnostic });
    }
  }
  return findings;
}

function identify(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
