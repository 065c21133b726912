import { expect, it } from 'vitest';
import { formatField, locateInYaml, memoryFileSystem } from '../../../index.ts';
import type { Location, SourceFile } from '../../../index.ts';
import { explain } from '../../../../test/explain.ts';
import { positionAt, spell, spellPlainly } from '../../../diagnostics/index.ts';

const head = 'apiVersion: launcher.gokure.dev/v1alpha1\n';

const files = {
  'shop/kurel.yaml': `${head}kind: Package
metadata: {name: shop, version: 1.0.0}
spec:
  parameters:
  - {name: size, type: string, default: "3"}
`,
  'shop/app.yaml': `${head}kind: Application
metadata:
  name: shop
  namespace: shop
  labels: {team: checkout}
spec:
  components:
  - name: text
    type: manifests
    properties:
      inline: |
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: text
        data:
          size: "\${size}"
          other: "7"
  - name: file
    type: manifests
    properties:
      file: all.yaml
  - name: object
    type: passthrough
    properties:
      object:
        apiVersion: v1
        kind: ConfigMap
        data:
          size: \${size}
          other: "7"
    traits:
    - type: prune-protection
`,
  'shop/all.yaml': `apiVersion: v1
kind: ConfigMapList
items:
- metadata:
    name: file
    labels: {team: platform}
  data:
    other: "7"
`,
};

/** `data.other` → `app.yaml:19 size`: the line and the parameters in it. */
async function explainAll(): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>> {
  const { result, sources, traceOf } = await explain({
    path: 'shop',
    fileSystem: memoryFileSystem(files),
    application: { profile: false },
  });
  const entries = result.objects.map((object) => {
    const fields = traceOf(object).map(({ path, steps }) => {
      const parsed = steps.map(({ location, words, parameters }) =>
        [place(location, sources), spell(words, spellPlainly), ...parameters.map(({ name }) => name)]
          .filter((word) => word !== '')
          .join(' '),
      );
      return [formatField(path, object), parsed.join(', ')];
    });
    return [(object['metadata'] as { name: string }).name, Object.fromEntries(fields)];
  });
  return Object.fromEntries(entries);
}

function place(location: Location | undefined, sources: readonly SourceFile[]): string {
  const source = sources.find(({ path }) => path === location?.file);
  const range = source === undefined ? undefined : locateInYaml(source, location!);
  return range === undefined
    ? ''
    : `${source!.path.replace('shop/', '')}:${positionAt(source!.text, range.start).line}`;
}

it('explains each field of an object by its line', async () => {
  expect(await explainAll()).toEqual({
    text: {
      apiVersion: 'app.yaml:13',
      kind: 'app.yaml:14',
      'metadata.name': 'app.yaml:16',
      'metadata.namespace': 'app.yaml:5',
      'metadata.labels.team': 'app.yaml:6',
      'data.size': 'app.yaml:18 size',
      'data.other': 'app.yaml:19',
    },
    file: {
      apiVersion: 'all.yaml:1',
      kind: 'all.yaml:2',
      'metadata.name': 'all.yaml:5',
      'metadata.namespace': 'app.yaml:5',
      'metadata.labels.team': 'all.yaml:6',
      'data.other': 'all.yaml:8',
    },
    object: {
      apiVersion: 'app.yaml:28',
      kind: 'app.yaml:29',
      'metadata.name': 'app.yaml:24',
      'metadata.namespace': 'app.yaml:5',
      'metadata.labels.team': 'app.yaml:6',
      'metadata.annotations["kustomize.toolkit.fluxcd.io/prune"]': 'default of passthrough',
      'data.size': 'app.yaml:31 size',
      'data.other': 'app.yaml:32',
    },
  });
});
