// A table: long, and nothing to follow.
import { bundledSchemas } from '../../src/host/index.ts';
import { parseGroupVersionKind } from '../../src/kube/index.ts';
import type { Json, JsonObject } from '../../src/model/index.ts';
import { createSchemaStore } from '../../src/schema/index.ts';
import type { SchemaNode } from '../../src/schema/index.ts';

export interface Kind {
  readonly schema: SchemaNode | undefined;
  readonly builtIn: boolean;
}

const store = createSchemaStore({ files: bundledSchemas() });

function schemaOf(kind: string): SchemaNode {
  return store.find(parseGroupVersionKind(kind)!)!.schema;
}

export const pod: Kind = { schema: schemaOf('v1/Pod'), builtIn: true };
const deployment: Kind = { schema: schemaOf('apps/v1/Deployment'), builtIn: true };
const service: Kind = { schema: schemaOf('v1/Service'), builtIn: true };
const budget: Kind = { schema: schemaOf('policy/v1/PodDisruptionBudget'), builtIn: true };
const unknown: Kind = { schema: undefined, builtIn: false };

const [a, b, d, n, x] = ['a', 'b', 'd', 'n', 'x'].map((name) => ({ name })) as JsonObject[];

/** A part of an object, a patch of that part, and what becomes of it, or the code of the error. */
export type Row = readonly [
  title: string,
  kind: Kind,
  at: string,
  before: JsonObject,
  patch: JsonObject,
  after: JsonObject | string,
];

const volumes = (items: readonly Json[]): JsonObject => ({ volumes: items });
export const containers = (...items: readonly Json[]): JsonObject => ({ containers: items });

/** The cases of the specification, by their numbers. */
export const pinned: readonly Row[] = [
  [
    '111 merge and add',
    pod,
    'spec',
    containers(a!, b!, d!),
    containers({ name: 'b', image: 'b2' }, x!),
    containers(a!, { name: 'b', image: 'b2' }, x!, d!),
  ],
  ['112 add', pod, 'spec', containers(a!, b!), containers(x!), containers(x!, a!, b!)],
  ['113 reorder', pod, 'spec', containers(a!, b!, d!), containers(d!, a!), containers(b!, d!, a!)],
  ['114 delete', pod, 'spec', containers(a!, b!), containers({ name: 'a', $patch: 'delete' }), containers(b!)],
  ['115 replace the list', pod, 'spec', containers(a!, b!), containers({ $patch: 'replace' }, n!), containers(n!)],
  [
    '116 ports of a container',
    pod,
    'spec',
    containers({ name: 'a', ports: [{ containerPort: 80, name: 'http' }, { containerPort: 90 }] }),
    containers({ name: 'a', ports: [{ containerPort: 80n, name: 'web' }, { containerPort: 81 }] }),
    containers({
      name: 'a',
      ports: [{ containerPort: 80, name: 'web' }, { containerPort: 81 }, { containerPort: 90 }],
    }),
  ],
  [
    '117 ports of a service',
    service,
    'spec',
    {
      ports: [
        { port: 80, name: 'a' },
        { port: 81, name: 'b' },
      ],
    },
    { ports: [{ port: 80, targetPort: 8080 }, { port: 90 }] },
    { ports: [{ port: 80, name: 'a', targetPort: 8080 }, { port: 90 }, { port: 81, name: 'b' }] },
  ],
  [
    '118 args',
    pod,
    'spec',
    containers({ name: 'a', args: ['x', 'y'] }),
    containers({ name: 'a', args: ['z'] }),
    containers({ name: 'a', args: ['z'] }),
  ],
  [
    '119 tolerations',
    pod,
    'spec',
    { tolerations: [{ key: 'k' }] },
    { tolerations: [{ key: 'z' }] },
    { tolerations: [{ key: 'z' }] },
  ],
  [
    '120 retained keys',
    pod,
    'spec',
    volumes([{ name: 'v', configMap: { name: 'c' } }]),
    volumes([{ name: 'v', $retainKeys: ['name', 'secret'], secret: { secretName: 's' } }]),
    volumes([{ name: 'v', secret: { secretName: 's' } }]),
  ],
  [
    '121 without retained keys',
    pod,
    'spec',
    volumes([{ name: 'v', configMap: { name: 'c' } }]),
    volumes([{ name: 'v', secret: { secretName: 's' } }]),
    volumes([{ name: 'v', configMap: { name: 'c' }, secret: { secretName: 's' } }]),
  ],
  [
    '122 a key that is not retained',
    pod,
    'spec',
    volumes([{ name: 'v' }]),
    volumes([{ name: 'v', $retainKeys: ['name'], secret: {} }]),
    'smp-directive-invalid',
  ],
  [
    '123 strategy',
    deployment,
    'spec',
    { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
    { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
    { strategy: { type: 'Recreate' } },
  ],
  ['124 null', pod, 'metadata', { labels: { a: '1', b: '2' } }, { labels: { b: null } }, { labels: { a: '1' } }],
  [
    '125 finalizers',
    pod,
    'metadata',
    { finalizers: ['b', 'a'] },
    { finalizers: ['c', 'a'] },
    { finalizers: ['c', 'b', 'a'] },
  ],
  [
    '126 values to delete',
    pod,
    'metadata',
    { finalizers: ['a', 'b'] },
    { '$deleteFromPrimitiveList/finalizers': ['a', 'zz'] },
    { finalizers: ['b'] },
  ],
  [
    '127 order',
    pod,
    'spec',
    containers(a!, b!),
    { '$setElementOrder/containers': [n!, b!, a!], ...containers(n!) },
    containers(n!, b!, a!),
  ],
  [
    '128 order of some',
    pod,
    'spec',
    containers(a!, b!, d!),
    { '$setElementOrder/containers': [d!, a!] },
    containers(b!, d!, a!),
  ],
  ['129 no merge key', pod, 'spec', containers(a!), containers({ image: 'i' }), 'smp-merge-key-missing'],
  ['130 unknown word', pod, 'spec', {}, { $patch: 'zap' }, 'smp-directive-invalid'],
  ['130 merge', pod, 'spec', {}, { $patch: 'merge' }, 'smp-directive-invalid'],
  ['131 delete an object', pod, 'spec', { nodeName: 'n' }, { $patch: 'delete', hostname: 'h' }, {}],
  [
    '132 a list of an unknown kind',
    unknown,
    'spec',
    { items: [a!, b!] },
    { items: [{ name: 'c' }] },
    { items: [{ name: 'c' }] },
  ],
  [
    '133 an object of an unknown kind',
    unknown,
    'spec',
    { m: { x: 1, y: 2 } },
    { m: { x: null, z: 3 } },
    { m: { y: 2, z: 3 } },
  ],
  [
    '134 a directive for an unknown kind',
    unknown,
    'spec',
    { m: {} },
    { m: { $patch: 'replace' } },
    'smp-directive-unsupported',
  ],
];

export const more: readonly Row[] = [
  [
    'a string is not a number',
    service,
    'spec',
    { ports: [{ port: 80 }] },
    { ports: [{ port: '80' }] },
    { ports: [{ port: '80' }, { port: 80 }] },
  ],
  [
    'the first of two with one key',
    pod,
    'spec',
    containers(a!, { name: 'a', tty: true }),
    containers({ name: 'a', image: 'i' }),
    containers({ name: 'a', image: 'i' }, { name: 'a', tty: true }),
  ],
  [
    'two patches of one key',
    pod,
    'spec',
    containers(a!),
    containers({ name: 'a', image: 'i' }, { name: 'a', tty: true }),
    containers({ name: 'a', image: 'i', tty: true }),
  ],
  [
    'two new ports of one number',
    service,
    'spec',
    {},
    {
      ports: [
        { port: 53, protocol: 'TCP' },
        { port: 53, protocol: 'UDP' },
      ],
    },
    {
      ports: [
        { port: 53, protocol: 'TCP' },
        { port: 53, protocol: 'UDP' },
      ],
    },
  ],
  ['an empty list', pod, 'spec', containers(a!), containers(), containers(a!)],
  ['a replacing item alone', pod, 'spec', containers(a!), containers({ $patch: 'replace' }), containers()],
  [
    'a replacing item with more',
    pod,
    'spec',
    containers(a!),
    containers({ $patch: 'replace', name: 'a' }),
    'smp-directive-invalid',
  ],
  ['a deletion of nothing', pod, 'spec', containers(a!), containers({ name: 'zz', $patch: 'delete' }), containers(a!)],
  ['a deletion without a key', pod, 'spec', containers(a!), containers({ $patch: 'delete' }), 'smp-merge-key-missing'],
  [
    'an item of the object without a key',
    pod,
    'spec',
    containers({ tty: true }),
    containers(a!),
    'smp-merge-key-missing',
  ],
  ['an item that is a text', pod, 'spec', containers(a!), containers('a'), 'smp-type-mismatch'],
  ['an item of the object that is a text', pod, 'spec', containers('a'), containers(a!), 'smp-type-mismatch'],
  [
    'a deletion in a list that is replaced',
    pod,
    'spec',
    { tolerations: [{ key: 'k' }] },
    { tolerations: [{ key: 'k', $patch: 'delete' }] },
    'smp-directive-invalid',
  ],
  [
    'a replacing item in a list that is replaced',
    pod,
    'spec',
    { tolerations: [{ key: 'k' }] },
    { tolerations: [{ $patch: 'replace' }, { key: 'z' }] },
    { tolerations: [{ key: 'z' }] },
  ],
  [
    'an object replaced',
    pod,
    'metadata',
    { labels: { a: '1' } },
    { labels: { $patch: 'replace', b: '2', c: null } },
    { labels: { b: '2' } },
  ],
  [
    'an object replaced where none was',
    pod,
    'metadata',
    {},
    { labels: { $patch: 'replace', b: '2' } },
    { labels: { b: '2' } },
  ],
  ['an object deleted where none was', pod, 'metadata', {}, { labels: { $patch: 'delete' } }, {}],
  [
    'a selector that is only ever replaced',
    budget,
    'spec',
    { selector: { matchLabels: { a: '1' } } },
    { selector: { matchLabels: { b: '2' } } },
    { selector: { matchLabels: { b: '2' } } },
  ],
  [
    'nulls in something new',
    pod,
    'spec',
    {},
    { securityContext: { runAsUser: null, sysctls: [{ name: 's', value: null }] } },
    { securityContext: { sysctls: [{ name: 's' }] } },
  ],
  [
    'nulls in new items',
    pod,
    'spec',
    containers(a!),
    containers({ name: 'x', image: null, env: [{ name: 'E', value: null }] }),
    containers({ name: 'x', env: [{ name: 'E' }] }, a!),
  ],
  ['a list over a text', pod, 'metadata', { finalizers: 'x' }, { finalizers: ['a'] }, { finalizers: ['a'] }],
  ['a string over an object', pod, 'metadata', { labels: { a: '1' } }, { labels: 'x' }, { labels: 'x' }],
  [
    'fields that no schema knows',
    pod,
    'spec',
    { own: { m: { x: 1 }, l: [a!] } },
    { own: { m: { y: 2 }, l: [b!] } },
    { own: { m: { x: 1, y: 2 }, l: [b!] } },
  ],
  [
    'directives in something new',
    pod,
    'spec',
    {},
    { containers: [{ name: 'a', $retainKeys: ['name', 'ports'], ports: [{ containerPort: 1, $patch: 'delete' }] }] },
    containers({ name: 'a', ports: [] }),
  ],
  [
    'an order in something new',
    pod,
    'metadata',
    {},
    { '$setElementOrder/finalizers': ['b', 'a'], finalizers: ['b', 'a'], '$deleteFromPrimitiveList/finalizers': [] },
    { finalizers: ['b', 'a'] },
  ],
  [
    'a bad directive in something new',
    pod,
    'spec',
    {},
    { securityContext: { $patch: 'zap' } },
    'smp-directive-invalid',
  ],
  [
    'an order that lacks an item',
    pod,
    'spec',
    containers(a!),
    { '$setElementOrder/containers': [a!], ...containers(x!) },
    'smp-element-order',
  ],
  [
    'an order against the patch',
    pod,
    'spec',
    containers(a!, b!),
    { '$setElementOrder/containers': [b!, a!], ...containers(a!, b!) },
    'smp-element-order',
  ],
  ['an order of texts', pod, 'spec', containers(a!), { '$setElementOrder/containers': ['a'] }, 'smp-directive-invalid'],
  [
    'an order that is not a list',
    pod,
    'spec',
    containers(a!),
    { '$setElementOrder/containers': 'a' },
    'smp-directive-invalid',
  ],
  ['an order for no list', pod, 'spec', containers(a!), { $setElementOrder: [a!] }, 'smp-directive-invalid'],
  [
    'an order for a list that is replaced',
    pod,
    'spec',
    { tolerations: [] },
    { '$setElementOrder/tolerations': [{ key: 'k' }] },
    'smp-directive-invalid',
  ],
  [
    'an order for a list that goes',
    pod,
    'spec',
    containers(a!),
    { '$setElementOrder/containers': [a!], containers: null },
    'smp-directive-invalid',
  ],
  ['an order for a list that does not exist', pod, 'spec', {}, { '$setElementOrder/containers': [a!] }, {}],
  [
    'values to delete from a list that is replaced',
    pod,
    'spec',
    { containers: [{ name: 'a', args: ['x', 'y'] }] },
    { containers: [{ name: 'a', '$deleteFromPrimitiveList/args': ['x'] }] },
    { containers: [{ name: 'a', args: ['y'] }] },
  ],
  [
    'values to delete from objects',
    pod,
    'spec',
    containers(a!),
    { '$deleteFromPrimitiveList/containers': ['a'] },
    'smp-directive-invalid',
  ],
  [
    'objects to delete',
    pod,
    'metadata',
    { finalizers: ['a'] },
    { '$deleteFromPrimitiveList/finalizers': [{ a: 1 }] },
    'smp-directive-invalid',
  ],
  [
    'a value both added and deleted',
    pod,
    'metadata',
    { finalizers: ['a'] },
    { finalizers: ['b'], '$deleteFromPrimitiveList/finalizers': ['b'] },
    'smp-directive-invalid',
  ],
  ['a number among texts', pod, 'metadata', { finalizers: ['a'] }, { finalizers: [1] }, 'smp-type-mismatch'],
  ['retained keys that are not a list', pod, 'spec', {}, { $retainKeys: 'name' }, 'smp-directive-invalid'],
  ['a misspelled directive', pod, 'spec', {}, { $pach: 'replace' }, 'smp-directive-invalid'],
  [
    'a misspelled directive with a list',
    pod,
    'spec',
    {},
    { '$setElementsOrder/containers': [] },
    'smp-directive-invalid',
  ],
  [
    'a key that only looks like a directive',
    pod,
    'metadata',
    { labels: { a: '1' } },
    { labels: { $pach: '2' } },
    { labels: { a: '1', $pach: '2' } },
  ],
  [
    'an unknown item of a replaced list',
    unknown,
    'spec',
    { l: [1, null, { a: null }] },
    { l: [null, { a: null }] },
    { l: [null, { a: null }] },
  ],
];
