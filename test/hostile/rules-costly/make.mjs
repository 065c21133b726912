import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const rules = {
  nested: 'self.list.all(a, self.list.all(b, self.list.all(c, true)))',
  'nested-map': 'self.list.map(a, self.list.map(b, self.list.map(c, c))).size() > 0',
  'nested-exists': 'self.list.exists(a, self.list.exists(b, a + b < 0))',
  // A step that looks small and is not.
  membership: 'self.list.all(a, !(-1 in self.list))',
  index: 'self.list.all(a, self.list.indexOf(-1) < 0)',
  sets: 'self.list.all(a, sets.contains(self.list, self.list))',
  sorted: 'self.list.all(a, self.list.isSorted())',
  sum: 'self.list.all(a, self.list.sum() > 0)',
  equality: 'self.list.map(a, self.list) == self.list.map(a, self.list)',
  'equality-whole': 'self.list.all(a, self == self)',
  literals: '[self, self, self, self].all(a, self.list.all(b, [self, self] == [self, self]))',
  contains: 'self.list.all(a, !self.text.contains("b"))',
  'text-size': 'self.list.all(a, self.text.size() > 0)',
  'text-order': 'self.list.all(a, self.text <= self.text)',
  'text-split': 'self.list.all(a, self.text.split("").size() > 0)',
  'text-replace': 'self.text.replace("", self.text) != ""',
  'text-join': '[self.text, self.text].map(a, self.list.map(b, self.text).join(",")).size() > 0',
  'text-format': '"%s%s%s%s".format([self.list, self.list, self.list, self.list]) != ""',
  'text-upper': 'self.list.all(a, self.text.upperAscii() != "")',
  doubling:
    'cel.bind(a, self.text + self.text, cel.bind(b, a + a, cel.bind(c, b + b, cel.bind(d, c + c, cel.bind(e, d + d, e != "")))))',
  growing:
    'cel.bind(a, [self.list, self.list], cel.bind(b, [a, a], cel.bind(c, [b, b], cel.bind(d, [c, c], [d, d, d, d, d, d] == [d, d, d, d, d, d]))))',
  errors: 'self.list.exists(a, self.list.exists(b, 1 / 0 == a))',
  pattern: 'self.list.all(a, !self.text.matches("(a*)*b"))',
  // Its parser calls itself.
  negations: `${'!'.repeat(19_990)}true`,
  message: 'false',
};

/** The last word is the file of a rule; the others are not made. */
export function make(directory, [, , , file]) {
  const name = file.replace(/\.yaml$/, '');
  const messageExpression = 'self.list.map(a, string(a)).join("").replace("1", self.text)';
  const list = { type: 'array', items: { type: 'integer' } };
  const spec = {
    type: 'object',
    properties: { list, text: { type: 'string' } },
    'x-kubernetes-validations': [{ rule: rules[name], ...(name === 'message' ? { messageExpression } : {}) }],
  };
  const schema = { type: 'object', properties: { spec } };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
  const widget = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'a' },
    spec: { list: Array.from({ length: 50_000 }, (_, index) => index), text: 'a'.repeat(500_000) },
  };
  writeFileSync(join(directory, file), JSON.stringify(definition));
  writeFileSync(join(directory, 'widget.yaml'), JSON.stringify(widget));
}
