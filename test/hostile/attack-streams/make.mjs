// How texts are cut into documents. kubectl and kustomize cut them at lines that begin with `---`, before anybody reads YAML.
import { putFiles } from '../make-files.mjs';

const one = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\n';
const two = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: two}\n';
const json = (name, more = '') => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"}${more}}`;
// Taken for one Widget by readers of YAML, and for two objects by kubectl.
const hidden = `<<: {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: evil}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
---#x: 1
apiVersion: example.com/v1
kind: Widget
metadata: {name: web, namespace: shop}
`;

export function make(directory) {
  putFiles(directory, {
    'policy.yaml': 'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Policy\nmetadata: {name: p}\nspec: {}\n',
    'hidden-object.yaml': hidden,
    'hidden/app.yaml': `apiVersion: launcher.gokure.dev/v1alpha1
kind: Application
metadata: {name: shop, namespace: shop}
spec:
  components:
  - name: web
    type: manifests
    properties:
      inline: |
${hidden.replaceAll(/^/gm, '        ')}
`,
    'key.yaml': `${one}---b: 1\n`,
    'quoted-string.yaml': `${one}data: {a: "x\n---# y"}\n`,
    'quoted-key.yaml': `${one}"---#x": 1\n`,
    'after-return.yaml': `${one}data:\n  a: |\n    x\r---\n${two}`,
    'only-returns.yaml': `${one}---\n${two}`.replaceAll('\n', '\r'),
    'before-return.yaml': `${one}---\r${two}`,
    'windows.yaml': `${one}---\n${two}`.replaceAll('\n', '\r\n'),
    'map-on-marker.yaml': `${one}--- {apiVersion: v1, kind: ConfigMap, metadata: {name: two}}\n`,
    'tag-on-marker.yaml': `${one}--- !!map\n${two}`,
    'anchor-on-marker.yaml': `${one}--- &x\n${two}`,
    'comment-on-marker.yaml': `${one}---\t# c\n${two}`,
    'directive.yaml': `%YAML 1.1\n---\n${one}`,
    'directive-after-end.yaml': `${one}...\n%YAML 1.1\n---\n${two}`,
    'directive-with-mark.yaml': `\ufeff%YAML 1.1\n---\n${one}`,
    'marker-at-end.yaml': `${one}---`,
    'empty-documents.yaml': `---\n---\n# c\n---\n${one}---\n...\n`,
    'no-break.yaml': `${one}data:\n  a: |\n    x`,
    'no-break-kept.yaml': `${one}data:\n  a: |+\n    x`,
    'no-break-blanks.yaml': `${one}data:\n  a: |+\n    x\n    `,
    'no-break-folded.yaml': `${one}data:\n  a: >\n    x\n    y`,
    'no-break-stripped.yaml': `${one}data:\n  a: |-\n    x`,
    'two.yaml': two,
    'pair/a.yaml': `${one}data:\n  a: |\n    x`,
    'pair/b.yaml': two,
    'hidden.kurel/parameters.yaml': 'kurel: {name: p, version: 1.0.0, appVersion: "1"}\n',
    'hidden.kurel/resources/web.yaml': hidden,
    'json-stream.json': `${json('one')}\n${json('two')}\n`,
    'json-then-yaml.yaml': `${json('one')}\n---\n${two}`,
    'json-comment.json': `${json('one')} # c\n`,
    'json-same-key.json': json('one', ',"data":{"x":"1","\\u0078":"2"}'),
    'json-half-character.json': json('one', ',"data":{"x":"\\ud800"}'),
    'list.json': `[${json('one')}]`,
    'numbers.yaml':
      'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one}\nspec: {a: 0o17, b: 0b11, c: 1_0, d: 08, e: 1e400, f: 0x, g: 9223372036854775808, h: "1:30", i: -0}\n',
    'keys.yaml': `${one}data: {1: "a", 0x1: "b", 1.0: "c"}\n`,
    'merge-quoted.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: one}\nspec:\n  "<<": {hostNetwork: true}\n',
    'merge-tagged.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: one}\nspec:\n  !!merge <<: {hostNetwork: true}\n',
    'alias-true.yaml':
      'apiVersion: v1\nkind: Pod\nmetadata: {name: &t one, annotations: {a: *t}}\nspec: {hostNetwork: &t true, hostPID: *t, containers: [{name: a, image: "x:1"}]}\n',
    'many.yaml': '--- x\n'.repeat(50_000),
    'many-returns.yaml': '\r---'.repeat(50_000),
  });
}
