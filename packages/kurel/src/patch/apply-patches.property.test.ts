import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bundledSchemas } from '../host/index.ts';
import type { Diagnostic, JsonObject, KubeObject } from '../model/index.ts';
import { createSchemaStore } from '../schema/index.ts';
import { writeYaml } from '../yaml/index.ts';
import { applyPatches, readPatchFile } from './index.ts';
import type { PatchFile } from './index.ts';

const store = createSchemaStore({ files: bundledSchemas() });

const web: KubeObject = deepFreeze({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          { name: 'main', image: 'nginx:1', args: ['x', 'y'], env: [{ name: 'A', value: '1' }] },
          { name: 'side', image: 'envoy:1' },
        ],
      },
    },
  },
});
const config: KubeObject = deepFreeze({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'web' },
  data: { mode: 'dev', 'app.yaml': 'a: 1' },
});
const widget: KubeObject = deepFreeze({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w' },
  spec: { items: [{ name: 'a' }], nested: { deep: { er: [1, 2] } } },
});
const objects = deepFreeze([web, config, widget]);

/** Makes any change of an input fail at once. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

function read(text: string, name: string): PatchFile {
  const file = readPatchFile({ path: name, text }, ({ message }) => expect.unreachable(message));
  return deepFreeze(file);
}

function apply(files: readonly PatchFile[]) {
  const diagnostics: Diagnostic[] = [];
  const result = applyPatches(objects, files, {
    store,
    variables: { scope: 'alone', values: {} },
    report: (diagnostic) => diagnostics.push(diagnostic),
  });
  return { ...result, errors: diagnostics.filter(({ severity }) => severity === 'error') };
}

/** Each sets one field; no path contains another, and every field exists or can be created. */
const settings: readonly string[] = [
  '[deployment.web]\nreplicas: 5',
  '[deployment.web]\nspec.paused: true',
  '[deployment.web]\nminReadySeconds: 3',
  '[deployment.web.labels]\ntier: fe',
  '[deployment.web.template.labels]\ntier: be',
  '[deployment.web.containers.name=main]\nimage.tag: "2"',
  '[deployment.web.containers.name=main.env.name=A]\nvalue: 9',
  '[deployment.web.containers.name=main]\nargs.0: z',
  '[deployment.web.containers.name=side]\nimage: other:1',
  '[deployment.web.containers]\nimagePullPolicy: Always',
  '[deployment.web]\nserviceAccountName: robot',
  '[configmap.web]\ndata.mode: prod',
  '[configmap.web]\ndata.app.yaml: hello',
  '[configmap.web]\nmetadata.annotations["x.y/z"]: "1"',
  '[widget.w]\nsize: 3',
  '[widget.w.items.name=a]\ncolor: red',
  '[widget.w.nested.deep]\ner.1: 7',
  'metadata.labels.env: prod',
];

describe('applyPatches', () => {
  it('gives the same result in either order for two patches on different paths', () => {
    const pair = fc
      .tuple(fc.nat(settings.length - 1), fc.nat(settings.length - 1))
      .filter(([a, b]) => a !== b)
      .map(([a, b]) => [read(settings[a]!, 'a.kpatch'), read(settings[b]!, 'b.kpatch')] as const);
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const [first, second] = [apply([a, b]), apply([b, a])];
        expect(first.errors).toEqual([]);
        expect(first.objects).not.toEqual(objects);
        expect(second.objects).toEqual(first.objects);
      }),
      { numRuns: 400 },
    );
  });

  it('does not change its input, and applies all patches or none', () => {
    const name = fc.constantFrom('deployment.web', 'configmap.web', 'widget.w', 'nobody.x', '*.*', 'deployment.w?b');
    const steps = fc
      .array(
        fc.constantFrom(
          'spec',
          'replicas',
          'containers',
          'name=main',
          'template',
          'labels',
          'env',
          '0',
          '*',
          'data',
          'mode',
          'items',
          'nested',
          'image',
          'tag',
          'metadata',
        ),
        { maxLength: 4 },
      )
      .map((words) => words.map((word) => `.${word}`).join(''));
    const key = fc.constantFrom(
      'x',
      'image',
      'a.b.c',
      'list[-]',
      'items[+0]',
      'items[delete=name=a]',
      'env[-].name',
      'mode[delete]',
      'args[5]',
      'kind[delete]',
      'enabled',
    );
    const value = fc.constantFrom('1', 'text', '"8"', 'true', 'null', '', '0644', '99999999999999999999');
    const entry = fc
      .tuple(key, value)
      .map(([path, text]) => (path.includes('delete') ? `${path}:` : `${path}: ${text}`));
    const section = fc
      .tuple(name, steps, fc.array(entry, { minLength: 1, maxLength: 3 }))
      .map(([target, path, entries]) => `[${target}${path}]\n${entries.join('\n')}\n`);
    fc.assert(
      fc.property(fc.array(section, { minLength: 1, maxLength: 4 }), (sections) => {
        const diagnostics: Diagnostic[] = [];
        const file = readPatchFile({ path: 'x.kpatch', text: sections.join('\n') }, (one) => diagnostics.push(one));
        const result = apply([deepFreeze(file)]);
        if (result.errors.length > 0) expect(result).toMatchObject({ objects, changes: [] });
        // Every result must be writable, whatever the patches did.
        for (const object of result.objects) expect(writeYaml(object)).not.toBe('');
      }),
      { numRuns: 1500 },
    );
  });

  it('records a change for every field that differs', () => {
    fc.assert(
      fc.property(fc.subarray(settings.slice(), { minLength: 1 }), (picked) => {
        const { objects: after, changes } = apply([read(picked.join('\n\n').replace(/^(?=\[)/, '\n'), 'a.kpatch')]);
        for (const [index, object] of after.entries()) {
          const touched = changes.some((change) => change.index === index);
          expect(object !== objects[index]).toBe(touched);
        }
        for (const { index, path, after: value } of changes) expect(valueAt(after[index]!, path)).toEqual(value);
      }),
    );
  });
});

function valueAt(root: JsonObject, path: readonly (string | number)[]): unknown {
  let value: unknown = root;
  for (const step of path) value = (value as Record<string | number, unknown>)[step];
  return value;
}
