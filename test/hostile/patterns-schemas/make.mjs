import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const patterns = [
  '^(a+)+$',
  '(a*)*b',
  '(a|a)*c',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(.*a){25}',
  '(?i)(A+)+B',
  '^(a|ab|abc|aa)+!x',
];
const text = `${'a'.repeat(50_000)}!`;

function definition(spec) {
  const schema = { type: 'object', properties: { spec } };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [version],
    },
  });
}

export function make(directory) {
  const fields = Object.fromEntries(patterns.map((_, index) => [`a${index}`, text]));
  const described = (describe) =>
    Object.fromEntries(patterns.map((pattern, index) => [`a${index}`, describe(pattern)]));
  const rules = (list) => ({
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    'x-kubernetes-validations': list.map((rule) => ({ rule })),
  });
  const list = Array.from({ length: 300 }, (_, index) => index);
  const nest = (levels, inner) => (levels === 0 ? inner : `self.list.all(x${levels}, ${nest(levels - 1, inner)})`);
  const double = (levels, name) =>
    levels === 0 ? `size(${name}) > 0` : `[${name} + ${name}].all(x${levels}, ${double(levels - 1, `x${levels}`)})`;
  const object = (spec) =>
    JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec });
  const files = {
    'widget.yaml': object(fields),
    'patterns.yaml': definition({ type: 'object', properties: described((pattern) => ({ type: 'string', pattern })) }),
    'rules.yaml': definition(
      rules(
        patterns.flatMap((pattern, index) => [
          `!self.a${index}.matches("${pattern}")`,
          `self.a${index}.find("${pattern}") == ""`,
        ]),
      ),
    ),
    'huge.yaml': definition({
      type: 'object',
      properties: described(() => ({ type: 'string', pattern: '(a{1,1000}){1,1000}' })),
    }),
    'broken.yaml': definition({ type: 'object', properties: described(() => ({ type: 'string', pattern: '(' })) }),
    'lists.yaml': object({ list }),
    'nested.yaml': definition(
      rules([
        nest(4, 'true'),
        nest(6, 'x1 / 0 == x2'),
        nest(3, 'self == self'),
        double(40, 'self.list'),
        `${'('.repeat(1000)}true${')'.repeat(1000)}`,
        'has('.repeat(100_000),
        nest(2, 'x1 == x2 || x1 != x2'),
      ]),
    ),
  };
  for (const [path, content] of Object.entries(files)) writeFileSync(join(directory, path), content);
}
