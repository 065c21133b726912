import { decodeObjects } from '../../packages/kurel/src/kube/index.ts';
import { isJsonArray, isJsonObject, type Diagnostic, type Json } from '../../packages/kurel/src/model/index.ts';
import { castValues, readParameterSchema, validateValues } from '../../packages/kurel/src/index.ts';
import { loadRulesFor, validateObjects } from '../../packages/kurel/src/validate/index.ts';
import { readYaml } from '../../packages/kurel/src/yaml/index.ts';
import { joinParts, splitParts } from '../parts.ts';
import { readTexts } from '../read-repository.ts';
import { check, type Target } from '../target.ts';
import { schemaStore } from './patch-apply.ts';
import { yamlTokens } from './yaml.ts';

const definition = (rule: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-preserve-unknown-fields: true
            properties:
              size: {type: integer, minimum: 1, maximum: 9}
              name: {type: string, pattern: '^(a+)+$', maxLength: 9}
              list: {type: array, items: {type: string}, x-kubernetes-list-type: set}
            x-kubernetes-validations:
            - rule: ${JSON.stringify(rule)}
              message: no
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: w, namespace: n}
spec: {size: 3, name: aaa, list: [a, b], since: 2024-01-01T00:00:00Z}
`;

const rules = [
  'self.size > 1',
  'self.list.all(x, x.size() == 1) && self.list.exists_one(x, x == "a")',
  'self.name.matches("^(a+)+$") || self.name.startsWith("a")',
  'quantity("1Gi").isGreaterThan(quantity("500Mi"))',
  'cidr("10.0.0.0/8").containsIP(ip("10.1.2.3")) && url("https://a.b/c").getHost() == "a.b"',
  'self.list.map(x, self.list.map(y, x + y)).size() == 2',
  'has(self.size) ? duration("1h") > duration("1m") : timestamp("2024-01-01T00:00:00Z").getFullYear() == 2024',
  '"%d %s".format([1, "a"]) == "1 a" && "a,b".split(",").join("") == "ab"',
  '[1, 2].sum() == 3 && {"a": 1}["a"] == 1 && 1 in [1] && self.?name.orValue("") != ""',
];

export const validate: Target = {
  name: 'validate',
  isData: true,
  promise: 'any objects are validated, with the rules in their own CRDs, and the findings can be printed',
  seeds: () => [
    ...readTexts(['validate/cases', 'kube/cases'], { ending: /\.ya?ml$/, longest: 2500 }).map((text) =>
      joinParts({ 'a.yaml': text }),
    ),
    ...rules.map((rule) => joinParts({ 'a.yaml': definition(rule) })),
  ],
  tokens: [
    ...yamlTokens.slice(0, 16),
    ...rules,
    'self',
    'self.size',
    '.all(x, ',
    '.map(x, ',
    '.exists(x, x',
    '.filter(x, ',
    ')',
    '(',
    '[1, 2, 3]',
    ' && ',
    ' || ',
    ' ? ',
    ' : ',
    ' + ',
    ' / 0',
    '% 0',
    ' in ',
    'has(',
    'size(',
    'int(',
    'string(',
    'quantity(',
    'ip(',
    'cidr(',
    'url(',
    'semver(',
    'duration(',
    'timestamp(',
    '.matches(',
    '.find(',
    '.replace("a", "b")',
    '.substring(1, 0)',
    '.indexOf("")',
    '.format([',
    'type(self)',
    'dyn(',
    'optional.of(',
    'b"\\xff"',
    '-9223372036854775808',
    '18446744073709551615u',
    '1e400',
    '"\\u{110000}"',
    'x-kubernetes-int-or-string: true\n',
    'x-kubernetes-preserve-unknown-fields: true\n',
    'nullable: true\n',
    'pattern: "(a|a)*$"\n',
    'allOf:\n',
    'not: {}\n',
    'items: ',
    'additionalProperties: ',
    'enum: [',
    'format: date-time\n',
    'metadata: {name: a}\n',
    'kind: Widget\n',
  ],
  batch: 48,
  short: 500,
  async run(text) {
    for (const { path, text: own } of splitParts(text)) {
      if (path === '') continue;
      const { documents, diagnostics } = readYaml({ path, text: own });
      if (diagnostics.length > 0) continue;
      const objects = decodeObjects(documents, { file: path, report: () => {} }).map(({ object }) => object);
      const found: Diagnostic[] = [];
      validateObjects(objects, {
        store: schemaStore().with(objects, () => path),
        report: (diagnostic) => void found.push(diagnostic),
        rules: await loadRulesFor(objects),
        inPackage: own.length % 2 === 0,
      });
      for (const { message } of found) check(message !== '', 'a finding says something');
    }
  },
};

export const valueSchema: Target = {
  name: 'value-schema',
  isData: true,
  promise: 'a schema of parameters is accepted or refused, and casting and checking values has a bounded cost',
  seeds: () => [
    ...readTexts(['forms/patch-package/schema/cases', 'forms/patch-package/cases'], {
      ending: /schema.*\.(?:json|ya?ml)$/,
    }).map((schema) => joinParts({ schema, values: 'a: 1\nb: {c: "3"}\nd: [x]\n' })),
    joinParts({
      schema:
        'type: object\nproperties:\n  a: {type: integer, minimum: 1}\n  b: {oneOf: [{type: string}, {$ref: "#/definitions/x"}]}\ndefinitions: {x: {type: object, additionalProperties: {$ref: "#"}}}\nrequired: [a]\n',
      values: 'a: "1"\nb: {c: {a: 2}}\n',
    }),
    joinParts({
      schema:
        'patternProperties: {"^(a+)+$": {enum: [1, "2"]}}\nif: {required: [a]}\nthen: {not: {}}\nelse: {dependencies: {a: [b]}}\n',
      values: 'aaaa: 1\n',
    }),
  ],
  tokens: [
    ...yamlTokens.slice(0, 16),
    '$ref: "#"\n',
    '{$ref: "#/definitions/a"}',
    'definitions: ',
    'type: [string, "null"]\n',
    ...[
      'type',
      'items',
      'properties',
      'additionalProperties',
      'patternProperties',
      'propertyNames',
      'required',
      'enum',
      'const',
      'oneOf',
      'anyOf',
      'allOf',
      'not',
      'if',
      'then',
      'else',
      'minimum',
      'exclusiveMaximum',
      'multipleOf',
      'minLength',
      'pattern',
      'format',
      'uniqueItems',
      'contains',
      'minItems',
      'dependencies',
      'default',
    ].map((word) => `${word}: `),
    '"^(a|a)*$"',
    '1e400',
    'multipleOf: 0\n',
    'multipleOf: 1e-9\n',
    'uniqueItems: true\n',
    '=== values\n',
  ],
  short: 1500,
  run(text) {
    const files = new Map(splitParts(text).map((part) => [part.path, part.text]));
    const found: Diagnostic[] = [];
    const schema = readParameterSchema(
      { path: 'schema.yaml', text: files.get('schema') ?? '' },
      (one) => void found.push(one),
    );
    if (schema === undefined) {
      check(found.length > 0, 'a schema is refused with a reason');
      return;
    }
    const values = readYaml({ path: 'values.yaml', text: files.get('values') ?? '' }).documents[0]?.data;
    if (!isJsonObject(values)) return;
    const cast = castValues(values, schema);
    check(countLeaves(cast) === countLeaves(values), 'casting loses nothing');
    validateValues(cast, schema, { report: (one) => void found.push(one), locate: () => undefined });
  },
};

function countLeaves(value: Json): number {
  const inner = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : undefined;
  return inner === undefined ? 1 : inner.reduce((sum: number, one) => sum + countLeaves(one), 0);
}
