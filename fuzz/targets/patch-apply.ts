import { bundledSchemas } from '../../packages/kurel/src/host/index.ts';
import type { Diagnostic, KubeObject } from '../../packages/kurel/src/model/index.ts';
import { applyPatches, readPatchFile } from '../../packages/kurel/src/patch/index.ts';
import { createSchemaStore, type SchemaStore } from '../../packages/kurel/src/schema/index.ts';
import { readTexts } from '../read-repository.ts';
import { check, type Target } from '../target.ts';
import { kpatchTokens } from './kpatch.ts';
import { checkWriting } from './yaml.ts';

let shared: SchemaStore | undefined;

/** One for all targets, made when the first needs it. */
export function schemaStore(): SchemaStore {
  shared ??= createSchemaStore({ files: bundledSchemas() });
  return shared;
}

const objects: readonly KubeObject[] = freeze([
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: {
          containers: [
            {
              name: 'main',
              image: 'nginx:1',
              args: ['x', 'y'],
              env: [{ name: 'A', value: '1' }],
              ports: [{ containerPort: 80 }],
            },
            { name: 'side', image: 'envoy@sha256:0000' },
          ],
          tolerations: [{ key: 'a' }],
        },
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'web' },
    data: { mode: 'dev', 'app.yaml': 'a: 1', '0': 'zero' },
  },
  { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { ports: [{ port: 80, targetPort: 'http' }] } },
  {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w' },
    spec: { items: [{ name: 'a' }], big: 9007199254740993n },
  },
]);

/** Code that changes its input fails at once. */
function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) freeze(inner);
    Object.freeze(value);
  }
  return value;
}

export const patchApply: Target = {
  name: 'patch-apply',
  promise: 'a patch file is applied completely or not at all, does not change its input, and the result can be written',
  seeds: () => [
    ...readTexts(['patch', 'forms/patch-package/cases'], { ending: /\.kpatch$/ }),
    ...readTexts(['patch/yaml-patch', 'patch/merge', 'patch/json-patch', 'patch/apply'], {
      ending: /patch.*\.ya?ml$|input.*\.ya?ml$/,
    }),
    '- target: deployment.web\n  patch:\n    spec: {replicas: 3}\n',
    '- target: web\n  type: json\n  patch:\n    - {op: move, from: /spec/replicas, path: /metadata/labels/x}\n',
    '- target: shop/deployment.web\n  type: strategic\n  patch: {spec: {template: {spec: {containers: [{name: main, $patch: delete}]}}}}\n',
    'deployment.web.spec.replicas: 3\nspec.ports[port=80].nodePort: 3\n',
  ],
  tokens: [
    ...kpatchTokens,
    '- target: deployment.web\n  patch:\n    ',
    '  type: json\n',
    '  type: merge\n',
    '  type: strategic\n',
    '$patch: delete',
    '$patch: replace',
    '$setElementOrder/containers: [{name: main}]',
    '$deleteFromPrimitiveList/args: [x]',
    '$retainKeys: [a]',
    '{op: add, path: /spec/-, value: 1}',
    '{op: copy, from: /spec, path: /spec/a/b}',
    '{op: test, path: "", value: {}}',
    '/spec/template/~1~0/0',
    '[configmap.web]\n',
    '[service.web.ports]\n',
    '[widget.w]\n',
    'image.digest: ',
    'env[-].name: ',
  ],
  batch: 100,
  short: 2500,
  run(text) {
    for (const path of ['x.kpatch', 'x.yaml', 'x']) {
      const found: Diagnostic[] = [];
      const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
      const file = freezeFile(readPatchFile({ path, text }, report));
      const read = found.length;
      const variables = { scope: 'package' as const, values: { a: 1, b: { c: 'x', d: [true] } } };
      const settings = { store: schemaStore(), report, variables, conflicts: true };
      const { objects: after, changes } = applyPatches(objects, [file], settings);
      // The readable part of a file is applied: callers look at read errors first.
      if (found.slice(read).some(({ severity }) => severity === 'error')) {
        check(changes.length === 0 || after === objects, 'nothing is applied in part');
      }
      for (const object of after) {
        check(typeof object.kind === 'string' && object.kind !== '', 'an object stays an object');
        if (!objects.includes(object)) checkWriting(object);
      }
    }
  },
};

/** All but the source, whose identity is a key of caches. */
function freezeFile<T extends { readonly patches: unknown }>(file: T): T {
  freeze(file.patches);
  return file;
}
