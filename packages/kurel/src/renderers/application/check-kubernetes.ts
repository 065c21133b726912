import { parseApiVersion } from '../../kube/index.ts';
import { fieldAt } from '../../schema/index.ts';
import type { SchemaNode, SchemaStore } from '../../schema/index.ts';
import { checkPart } from '../../validate/door.ts';
import type { KubernetesField } from './documents/field.ts';
import type { KubernetesCheck } from './documents/findings.ts';

/** Checks properties that are fields of Kubernetes by the schema that it has for them. The store is made when it is needed. */
export function createKubernetesCheck(createStore: () => SchemaStore, onUse: () => void): KubernetesCheck {
  const nodes = new Map<string, SchemaNode | undefined>();
  let store: SchemaStore | undefined;
  return (field, value, place) => {
    onUse();
    const key = field.join('\n');
    if (!nodes.has(key)) {
      store ??= createStore();
      nodes.set(key, findKubernetesField(field, store));
    }
    const schema = nodes.get(key);
    if (schema !== undefined) checkPart(value, { schema, ...place });
  };
}

/** What a store knows of a field; of one item, where the field is a list and the property is one of its items. */
export function findKubernetesField(
  [apiVersion, kind, ...path]: KubernetesField,
  store: SchemaStore,
): SchemaNode | undefined {
  const version = parseApiVersion(apiVersion);
  const schema = version === undefined ? undefined : store.find({ ...version, kind });
  if (schema === undefined) return undefined;
  const field = fieldAt(schema, path);
  if (!('found' in field)) return undefined;
  // A name passes through a list: the last one is then an item of it.
  return isItem(path) ? field.found.items : field.found;
}

const lists: ReadonlySet<string> = new Set(['containers']);

function isItem(path: readonly string[]): boolean {
  return lists.has(path.at(-1) ?? '');
}
