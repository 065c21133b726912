import { putFiles } from '../make-files.mjs';

const fill = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const keys = (count, value) => Object.fromEntries(fill(count, (index) => [`k${index}`, value]));
const listOf = (items, rest = {}) => ({ type: 'object', properties: { l: { type: 'array', items, ...rest } } });
const loose = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const rules = { 'x-kubernetes-validations': [{ rule: 'true' }] };
const definition = (spec) =>
  JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  });

function nest(levels, leaf, around) {
  let inner = leaf;
  for (let level = 0; level < levels; level += 1) inner = around(inner);
  return inner;
}

const many = { l: fill(100_000, () => ({})) };
const deep = nest(
  36,
  fill(100_000, () => ({ a: 1 })),
  (inner) => ({ a: inner }),
);

/** What a schema says, times what a value has: a definition and a value for each command. */
const shapes = {
  'defaults-alternatives': [
    listOf({ type: 'object', properties: keys(15_000, { default: 1 }), anyOf: [{ required: ['k0'] }] }),
    many,
  ],
  'defaults-rules': [listOf({ type: 'object', properties: keys(15_000, { default: 1 }), ...rules }), many],
  'defaults-rule-outside': [
    { ...listOf({ type: 'object', properties: keys(15_000, { default: 1 }) }), ...rules },
    many,
  ],
  'nested-rules': [
    nest(36, { type: 'array', items: loose }, (a) => ({ type: 'object', properties: { a }, ...rules })),
    deep,
  ],
  'nested-alternatives': [
    nest(36, { type: 'array', items: { type: 'object', properties: { a: {}, c: { default: 1 } } } }, (a) => ({
      type: 'object',
      properties: { a, b: { default: 1 } },
      anyOf: [{ required: ['a'] }],
    })),
    deep,
  ],
  'list-keys': [
    listOf(loose, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': fill(3000, (at) => `k${at}`) }),
    { l: fill(60_000, (a) => ({ a })) },
  ],
  'list-keys-defaults': [
    listOf(
      { type: 'object', properties: keys(3000, { type: 'integer', default: 1 }) },
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': fill(3000, (at) => `k${at}`) },
    ),
    { l: fill(60_000, (at) => ({ k0: at })) },
  ],
  set: [listOf(loose, { 'x-kubernetes-list-type': 'set' }), { l: fill(60_000, (a) => ({ a })) }],
  'any-of': [listOf({ ...loose, anyOf: fill(15_000, (at) => ({ required: [`k${at}`] })) }), many],
  'one-of': [
    listOf({ type: 'integer', oneOf: fill(15_000, (at) => ({ minimum: at, maximum: at })) }),
    { l: fill(80_000, () => -1) },
  ],
  'all-of': [
    listOf({ type: 'string', allOf: fill(15_000, (at) => ({ enum: [`a${at}`] })) }),
    { l: fill(50_000, () => 'x') },
  ],
  not: [
    listOf({ type: 'string', not: { anyOf: fill(15_000, (at) => ({ pattern: `^a${at}$` })) } }),
    { l: fill(50_000, () => 'x') },
  ],
  required: [listOf({ type: 'object', required: fill(50_000, (at) => `k${at}`) }), many],
  'required-few': [listOf({ type: 'object', required: fill(32, (at) => `k${at}`) }), { l: fill(100_000, () => ({})) }],
  enum: [listOf({ type: 'string', enum: fill(50_000, (at) => `k${at}`) }), { l: fill(80_000, () => 'x') }],
  'enum-objects': [listOf({ ...loose, enum: fill(30_000, (a) => ({ a })) }), { l: fill(50_000, () => ({ a: -1 })) }],
  unknown: [{ type: 'object', properties: keys(15_000, { default: 1 }) }, keys(40_000, 1)],
};

export function make(directory, words) {
  const name = words[1].replace('.yaml', '');
  const [schema, spec] = shapes[name];
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec };
  const patch = [{ target: 'widget.w', type: 'strategic', patch: { spec: { l: fill(1000, (a) => ({ a })) } } }];
  putFiles(directory, {
    [`${name}.yaml`]: JSON.stringify(widget),
    'crd.yaml': definition(schema),
    'patch.yaml': JSON.stringify(patch),
  });
}
