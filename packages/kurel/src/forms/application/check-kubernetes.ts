import { getOrAdd } from '../../budget/index.ts';
import { parseApiVersion } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { once } from '../../provenance/index.ts';
import { fieldAt, fieldName } from '../../schema/index.ts';
import type { SchemaNode, SchemaStore } from '../../schema/index.ts';
import { checkPart } from '../../validate/index.ts';
import type { KubernetesCheck, KubernetesField } from '../../documents/index.ts';
import { applicationProblems } from './problems.ts';

/** Finds the schema of a Kubernetes field. */
export type FindKubernetesField = (field: KubernetesField) => SchemaNode | undefined;

/** The store is created on first use. */
export function createFindField(createStore: () => SchemaStore): FindKubernetesField {
  const nodes = new Map<string, { readonly node: SchemaNode | undefined }>();
  // The fields of properties are constants.
  const byField = new WeakMap<KubernetesField, { readonly node: SchemaNode | undefined }>();
  const store = once(createStore);
  const find = (field: KubernetesField): { readonly node: SchemaNode | undefined } =>
    getOrAdd(nodes, field.join('\n'), () => ({ node: findKubernetesField(field, store()) }));
  return (field) => getOrAdd(byField, field, () => find(field)).node;
}

/** Checks properties that are Kubernetes fields against the Kubernetes schema. */
export function createKubernetesCheck(findField: FindKubernetesField): KubernetesCheck {
  return (field, value, place) => {
    const schema = findField(field);
    if (schema === undefined) return;
    const { path: start, found: reportAt, writtenAt } = place;
    // Nulls are rare.
    if (!holdsNull(value)) return checkPart(value, { schema, path: start, found: reportAt, writtenAt });
    const nulls = new Set<string>();
    for (const path of findNulls(value, schema, start)) {
      nulls.add(JSON.stringify(path));
      const args = { field: fieldName(path) };
      reportAt(path, (locate) => applicationProblems.create('field-null', args, { location: locate(path) }));
    }
    // The schema check would report each null again.
    const add: typeof reportAt = (path, createAt) =>
      nulls.has(JSON.stringify(path)) ? undefined : reportAt(path, createAt);
    checkPart(value, { schema, path: start, found: add, writtenAt });
  };
}

/** The schema of a field, or of one item if the field is a list and the property is a single item. */
export function findKubernetesField(
  [apiVersion, kind, ...path]: KubernetesField,
  store: SchemaStore,
): SchemaNode | undefined {
  const version = parseApiVersion(apiVersion);
  const schema = version === undefined ? undefined : store.find({ ...version, kind });
  if (schema === undefined) return undefined;
  const field = fieldAt(schema, path);
  if (!('found' in field)) return undefined;
  // A path through a list leads to the list; the property is one of its items.
  return path.at(-1) === 'containers' ? field.found.items : field.found;
}

/**
 * Paths where a value is null although its schema expects something. Kubernetes treats most nulls as absent and some as
 * "match everything". A user who leaves a key without a value means neither.
 */
function findNulls(value: Json, schema: SchemaNode, path: Path): readonly Path[] {
  const nulls: Path[] = [];
  const walk = (inner: Json, node: SchemaNode | undefined, place: Path): void => {
    if (node === undefined) return;
    if (inner === null) {
      const isMeant = node.nullable === true && node.nullIsAbsent !== true;
      if (!isMeant && node.type !== 'any') nulls.push(place);
    } else if (isJsonArray(inner)) {
      for (const [index, item] of inner.entries()) walk(item, node.items, [...place, index]);
    } else if (isJsonObject(inner)) {
      for (const key of Object.keys(inner)) walk(inner[key]!, node.property(key), [...place, key]);
    }
  };
  walk(value, schema, path);
  return nulls;
}

function holdsNull(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return value === null;
  if (isJsonArray(value)) return value.some(holdsNull);
  for (const key in value) if (holdsNull(value[key]!)) return true;
  return false;
}
