import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { JsonObject, KubeObject, Path } from '../model/index.ts';
import { objectNameOf, parseApiVersion } from './identity.ts';
import { kindsNamed } from './kind-names.ts';
import { mappingAt, textAt } from './metadata.ts';
import { pathTo, pushInner } from './pod-site.ts';
import type { Place } from './pod-site.ts';
import { referencesOf, usualKinds } from './reference-table.ts';
import type { ReferenceTable, Target } from './reference-table.ts';

/** A field that names another object. */
export interface ObjectReference {
  readonly kind: string;
  /** Any group when absent. */
  readonly group?: string | undefined;
  readonly name: string;
  /** The namespace field next to the name; absent if the reference is to the object's own namespace. */
  readonly namespace?: string | undefined;
  /** The object works even if the target does not exist. */
  readonly isOptional: boolean;
  /** Path of the name. */
  readonly path: () => Path;
  /** The object that contains the name and further details of the reference. */
  readonly holder: JsonObject;
}

/** Parts of an object that contain text of other programs, or that authors do not write. */
const skipped: ReadonlySet<string> = new Set(['metadata', 'status', 'data', 'stringData', 'binaryData']);

type Visit = (reference: ObjectReference) => void;

/**
 * The references of an object, recognised by the field names in the schemas of Kubernetes and of widely used kinds: by the field
 * around a name (`configMapKeyRef`), by the field itself (`serviceAccountName`), or by a kind next to the name (`scaleTargetRef`, `roleRef`).
 */
export function eachReference(object: KubeObject, visit: Visit): void {
  const isDefinition = object.kind === 'CustomResourceDefinition';
  const visiting = { object, table: referencesOf(objectNameOf(object).group), visit };
  const left: Place[] = [];
  const root: Place = { value: object };
  pushInner(left, root, (key) => !skipped.has(key));
  // A schema describes fields, and its examples are not references.
  const isTaken = isDefinition ? (key: string): boolean => key === 'conversion' : undefined;
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    if (isJsonObject(place.value)) visitMapping(place.value, place, visiting);
    pushInner(left, place, place.above === root ? isTaken : undefined);
  }
}

interface Visiting {
  readonly object: KubeObject;
  readonly table: ReferenceTable;
  readonly visit: Visit;
}

function visitMapping(mapping: JsonObject, place: Place, visiting: Visiting): void {
  const { table, visit } = visiting;
  const { name, namespace, optional } = mapping;
  const isOptional = optional === true;
  const target = typeof name === 'string' ? targetOf(mapping, holderOf(place), visiting) : undefined;
  if (typeof name === 'string' && target !== undefined && (namespace === undefined || typeof namespace === 'string')) {
    visit({ isOptional, ...target, name, namespace, path: () => [...pathTo(place), 'name'], holder: mapping });
  }
  for (const key in mapping) {
    const text = mapping[key];
    const named = typeof text === 'string' ? table.fields.get(key) : undefined;
    if (typeof text === 'string' && named !== undefined) {
      visit({ isOptional, ...named, name: text, path: () => [...pathTo(place), key], holder: mapping });
    }
  }
  if (isJsonArray(mapping['resourceNames'])) visitRule(mapping, place, visit);
}

/** The field that contains an object, directly or as an item of its list. */
function holderOf({ step, above }: Place): string {
  const field = typeof step === 'number' ? above?.step : step;
  return typeof field === 'string' ? field : '';
}

function targetOf(mapping: JsonObject, holder: string, { object, table }: Visiting): Target | undefined {
  const known = table.holders.get(holder);
  if (known !== undefined) return known;
  const usual = usualKinds.get(holder);
  const kind = textAt(mapping, 'kind') ?? usual?.kind;
  // Flux objects of one kind that wait for each other.
  if (kind === undefined) return holder === 'dependsOn' && isFlux(object) ? { kind: object.kind } : undefined;
  // A complete object inside another is not a reference.
  if (mappingAt(mapping, 'metadata') !== undefined) return undefined;
  const group =
    textAt(mapping, 'apiGroup') ??
    textAt(mapping, 'group') ??
    parseApiVersion(textAt(mapping, 'apiVersion') ?? '')?.group ??
    (kind === usual?.kind ? usual.group : undefined);
  return group === undefined ? { kind } : { kind, group };
}

function isFlux(object: KubeObject): boolean {
  return objectNameOf(object).group.endsWith('.toolkit.fluxcd.io');
}

/** `resourceNames` in a rule of a Role: the objects that the rule applies to. */
function visitRule(mapping: JsonObject, place: Place, visit: Visit): void {
  const { resourceNames, resources } = mapping;
  if (!isJsonArray(resourceNames) || !isJsonArray(resources)) return;
  resourceNames.forEach((name, index) => {
    if (typeof name !== 'string') return;
    const kinds = new Set(resources.flatMap((one) => (typeof one === 'string' ? kindsNamed(one.split('/')[0]!) : [])));
    for (const kind of kinds)
      visit({
        kind,
        name,
        isOptional: true,
        path: () => [...pathTo(place), 'resourceNames', index],
        holder: mapping,
      });
  });
}
