import { describe, expect, it } from 'vitest';
import { diagnosticsOf } from '../../diagnostics/index.ts';
import { memoryFileSystem } from '../memory-file-system.ts';
import { scanKustomization } from './scan-kustomization.ts';

const address = 'http://127.0.0.1:8099/x.yaml';
const plugin = (fields: string): string =>
  `apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: p}\n${fields}\n`;

async function scan(files: Readonly<Record<string, string>>, allowNetwork = false): Promise<readonly string[]> {
  const fileSystem = memoryFileSystem(files);
  try {
    await scanKustomization('.', { fileSystem, allowNetwork });
    return [];
  } catch (error) {
    return diagnosticsOf(error)!.map(({ code, location }) => `${code} ${location!.file} ${location!.path!.join('.')}`);
  }
}

describe('the network', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['a key in another case', { 'kustomization.yaml': `Resources: ["${address}"]` }, 'kustomization.yaml Resources.0'],
    [
      'a key with a long s',
      { 'kustomization.yaml': `re\u{17F}ources: ["${address}"]` },
      'kustomization.yaml re\u{17F}ources.0',
    ],
    ['a merge key', { 'kustomization.yaml': `<<: {resources: ["${address}"]}` }, 'kustomization.yaml resources.0'],
    ['a patch', { 'kustomization.yaml': `patches: [{Path: "${address}"}]` }, 'kustomization.yaml patches.0.Path'],
    ['a schema', { 'kustomization.yaml': `openapi: {Path: "${address}"}` }, 'kustomization.yaml openapi.Path'],
    [
      'a generator',
      { 'kustomization.yaml': `ConfigMapGenerator: [{Files: ["a=${address}"]}]` },
      'kustomization.yaml ConfigMapGenerator.0.Files.0',
    ],
    [
      'the file of a transformer',
      { 'kustomization.yaml': 'transformers: [t.yaml]', 't.yaml': plugin(`path: ${address}`) },
      't.yaml path',
    ],
    [
      'the file of a validator, deep inside',
      { 'kustomization.yaml': 'validators: [t.yaml]', 't.yaml': plugin(`replacements: [{Path: "${address}"}]`) },
      't.yaml replacements.0.Path',
    ],
    [
      'a transformer in place',
      { 'kustomization.yaml': `transformers:\n- |\n  kind: PatchTransformer\n  path: ${address}\n` },
      'kustomization.yaml transformers.0',
    ],
    [
      'a generator in place, on one line',
      { 'kustomization.yaml': `generators: ['{kind: ConfigMapGenerator, files: ["a=${address}"]}']` },
      'kustomization.yaml generators.0',
    ],
    [
      'a directory of transformers',
      {
        'kustomization.yaml': 'transformers: [t]',
        't/kustomization.yaml': 'resources: [t.yaml]',
        't/t.yaml': plugin(`path: ${address}`),
      },
      't/t.yaml path',
    ],
    [
      'a patch for transformers',
      {
        'kustomization.yaml': 'transformers: [t]',
        't/kustomization.yaml': 'patches: [{path: p.yaml}]',
        't/p.yaml': `- {op: replace, path: /path, value: "${address}"}`,
      },
      't/p.yaml ',
    ],
    [
      'a patch in place for transformers',
      {
        'kustomization.yaml': 'transformers: [t]',
        't/kustomization.yaml': `patches: [{patch: '[{op: add, path: /path, value: "${address}"}]'}]`,
      },
      't/kustomization.yaml patches',
    ],
    [
      'a directory that kustomize takes for a repository',
      { 'kustomization.yaml': 'resources: [github.com/foo/bar]', 'github.com/foo/bar/kustomization.yaml': '' },
      'kustomization.yaml resources.0',
    ],
    ...['example.com/org/repo', 'git.example.com:org/repo', 'deploy@host:repo', 'repo?ref=main'].map(
      (text): [string, Record<string, string>, string] => [
        `what kustomize takes for an address: ${text}`,
        { 'kustomization.yaml': `resources: ["${text}"]` },
        'kustomization.yaml resources.0',
      ],
    ),
  ])('is refused to %s', async (_, files, place) => {
    expect(await scan(files)).toEqual([`kustomization-needs-network ${place}`]);
    expect(await scan(files, true)).toEqual([]);
  });

  it('is not refused to plain data', async () => {
    const files = {
      'kustomization.yaml': `resources: [./github.com/foo/bar]
commonAnnotations: {docs: "${address}"}
labels: [{pairs: {a: "${address}"}}]
configMapGenerator: [{name: a, literals: ["url=${address}"]}]
patches: [{patch: "- {op: add, path: /data/x, value: '${address}'}"}]
patchesStrategicMerge: ["{kind: ConfigMap, path: '${address}'}"]
transformers: [t.yaml]
`,
      't.yaml': plugin(`patch: "a: ${address}"\nfieldSpecs: [{path: metadata/annotations}]`),
      'github.com/foo/bar/kustomization.yaml': '',
    };
    expect(await scan(files)).toEqual([]);
  });
});
