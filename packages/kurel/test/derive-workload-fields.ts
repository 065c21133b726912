import type { SchemaNode, SchemaStore } from '../src/schema/index.ts';

/** Fields of one kind, as dotted paths: `spec.images[].image`. */
interface DerivedFields {
  readonly pods: Set<string>;
  readonly containers: Set<string>;
  readonly images: Set<string>;
  readonly counts: Set<string>;
  readonly amounts: Set<string>;
  readonly contexts: Set<string>;
  readonly nodePaths: Set<string>;
  readonly open: Set<string>;
}

const containerLists = ['containers', 'initContainers', 'ephemeralContainers'];
const countNames = new Set(['replicas', 'instances', 'parallelism', 'maxReplicas', 'shards']);

/** Every field of a kind that holds a pod, a container, an image, a replica count, an amount, a security context or a path of the node. */
function deriveWorkloadFields(schema: SchemaNode): DerivedFields {
  const found: DerivedFields = {
    pods: new Set(),
    containers: new Set(),
    images: new Set(),
    counts: new Set(),
    amounts: new Set(),
    contexts: new Set(),
    nodePaths: new Set(),
    open: new Set(),
  };
  for (const name of schema.propertyNames) {
    if (name === 'metadata' || name === 'status') continue;
    const field = schema.property(name)!;
    // Anything may be in it, a pod as well.
    if (field.type === 'any' || (field.open === true && field.propertyNames.length === 0)) found.open.add(name);
    visit(field, name, [schema]);
  }
  return found;

  function visit(node: SchemaNode, path: string, above: readonly SchemaNode[]): void {
    // Schemas of schemas hold themselves.
    if (above.includes(node)) return;
    const around = [...above, node];
    if (node.type === 'list') {
      if (node.items !== undefined) visit(node.items, `${path}[]`, around);
      return;
    }
    if (isContainer(node)) return void found.containers.add(path);
    const pod = containerLists.filter((name) => {
      const items = node.property(name)?.items;
      return items !== undefined && isContainer(items);
    });
    if (pod.length > 0) found.pods.add(path);
    // What is in a whole pod is known; only fields beside its own are to be listed.
    if (pod.length > 0 && has(node, 'restartPolicy')) return;
    if (isContext(node)) return void found.contexts.add(path);
    for (const name of node.propertyNames) {
      const field = node.property(name)!;
      const inner = `${path}.${name}`;
      if (field.type === 'string' && isImage(node, name)) found.images.add(inner);
      if (field.type === 'integer' && countNames.has(name)) found.counts.add(inner);
      if (name === 'resources' && has(field, 'requests') && has(field, 'limits')) found.amounts.add(inner);
      if (name === 'hostPath') found.nodePaths.add(inner);
      if (!pod.includes(name)) visit(field, inner, around);
    }
    if (node.values !== undefined) visit(node.values, `${path}.*`, around);
  }
}

function isContainer(node: SchemaNode): boolean {
  return node.property('image')?.type === 'string' && node.property('command') !== undefined && has(node, 'args');
}

/** A security context of a pod or of a container. */
function isContext(node: SchemaNode): boolean {
  return has(node, 'seccompProfile') && has(node, 'runAsNonRoot');
}

/** An image in a registry; Ceph has images too, in pools. */
function isImage(holder: SchemaNode, name: string): boolean {
  if (name === 'reference') return has(holder, 'pullPolicy');
  return (name === 'imageName' || /(?:^i|I)mage$/.test(name)) && !has(holder, 'pool');
}

function has(node: SchemaNode, name: string): boolean {
  return node.propertyNames.includes(name);
}

/** Fields by group and kind, of all versions of all kinds of some stores. */
export function deriveWorkloadTable(stores: readonly SchemaStore[]): ReadonlyMap<string, DerivedFields> {
  const table = new Map<string, DerivedFields>();
  for (const store of stores) {
    for (const gvk of store.kinds()) {
      const key = `${gvk.group}/${gvk.kind}`;
      const derived = deriveWorkloadFields(store.find(gvk)!.schema);
      const known = table.get(key) ?? derived;
      for (const part of Object.keys(known) as (keyof DerivedFields)[]) {
        for (const path of derived[part]) known[part].add(path);
      }
      table.set(key, known);
    }
  }
  return table;
}

/** The source text of the table. */
export function writeWorkloadTable(table: ReadonlyMap<string, DerivedFields>): string {
  const sorted = [...table].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const isEmpty = (fields: DerivedFields): boolean =>
    Object.values(fields).every((paths: Set<string>) => paths.size === 0);
  const rows = sorted.flatMap(([kind, fields]) => {
    if (isEmpty(fields)) return [];
    const parts = (['images', 'counts', 'open'] as const).flatMap((part) =>
      fields[part].size === 0 ? [] : [`${part}: '${[...fields[part]].toSorted().join(' ')}'`],
    );
    return [`  '${kind}': ${parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`},`];
  });
  const groups = new Map<string, string[]>();
  for (const [key, fields] of sorted) {
    const [group = '', kind = ''] = key.split('/');
    if (isEmpty(fields)) groups.set(group, [...(groups.get(group) ?? []), kind]);
  }
  const idle = Array.from(groups, ([group, kinds]) => `  '${group}': '${kinds.join(' ')}',`);
  return [
    '// Derived from the shipped schemas by test/derive-workload-fields.ts. To write it again:',
    '// UPDATE_CASES=1 npx vitest run packages/kurel/test/workload-fields.test.ts',
    '',
    '/** Fields as dotted paths, separated by blanks: `spec.images[].image`. */',
    'export interface WorkloadRow {',
    ...[
      ['images', 'Images outside of containers.'],
      ['counts', 'Numbers of pods.'],
      ['open', 'Fields that the schema says nothing about.'],
    ].flatMap(([part, words]) => [`  /** ${words} */`, `  readonly ${part}?: string;`]),
    '}',
    '',
    '/** Kinds that run something, or say how something is run, perhaps only in fields that all kinds share, such as containers. */',
    'export const workloadTable: Readonly<Record<string, WorkloadRow>> = {',
    ...rows,
    '};',
    '',
    '/** Kinds with a schema that has no such field, by group. */',
    'export const idleKinds: Readonly<Record<string, string>> = {',
    ...idle,
    '};',
    '',
  ].join('\n');
}
