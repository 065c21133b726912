import { manifest, putFiles } from '../make-files.mjs';

const levels = 10_000;
const lists = '['.repeat(levels) + ']'.repeat(levels);
const objects = '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

export function make(directory) {
  const files = {
    'flow.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: web
x: ${lists}
`,
    'objects.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: web
x: ${objects}
`,
    'block.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: web
${Array.from({ length: 2000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')}\n`,
    'dashes.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: web
x:
  ${'- '.repeat(levels)}1\n`,
    'json.json': `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"web"},"x":${lists}}
`,
    'both.json': lists,
    'crd.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: ${'{type: object, properties: {a: '.repeat(levels)}{}${'}}'.repeat(levels)}}
`,
    'web.yaml': manifest,
    'deepest.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: web
x: ${'['.repeat(255)}${']'.repeat(255)}\n`,
    stdin: `apiVersion: v1
kind: ConfigMap
metadata:
  name: web
x: ${lists}
`,
  };
  putFiles(directory, files);
}
