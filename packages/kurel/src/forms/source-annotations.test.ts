import { describe, expect, it } from 'vitest';
import { createRenderContext, type RendererOptions } from '../engine/index.ts';
import type { ProgramRunner, Renderer } from '../model/index.ts';
import { memoryFileSystem } from './memory-file-system.ts';
import { renderers } from './index.ts';

const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const fileSystem = memoryFileSystem({
  'deploy/a.yaml': text,
  'chart/Chart.yaml': '',
  'app/kustomization.yaml': 'resources: []\n',
});
const programs: ProgramRunner = {
  run: ({ program }) => {
    const comment = program === 'helm' ? '---\n# Source: web/templates/a.yaml\n' : '';
    return { exitCode: 0, stdout: comment + text, stderr: '' };
  },
};
const object = { apiVersion: 'v1', kind: 'ConfigMap' };

/** Source annotations of an object, for each renderer: type, path, file. */
const rows: readonly (readonly [create: (options: RendererOptions) => Renderer, expected: object])[] = [
  [
    (options) => renderers.manifests({ fileSystem, path: 'deploy' }, options),
    { 'source.type': 'manifests', 'source.file': 'deploy/a.yaml' },
  ],
  [
    (options) => renderers.manifests({ name: 'stdin', text }, options),
    { 'source.type': 'manifests', 'source.file': 'stdin' },
  ],
  [(options) => renderers.memory({ objects: [object] }, options), { 'source.type': 'memory' }],
  [
    (options) => renderers.helm({ chart: 'chart', releaseName: 'shop' }, { ...options, programs, fileSystem }),
    { 'source.type': 'helm', 'source.path': 'chart', 'source.file': 'chart/templates/a.yaml' },
  ],
  [
    (options) => renderers.kustomize({ path: 'app' }, { ...options, programs, fileSystem }),
    { 'source.type': 'kustomize', 'source.path': 'app' },
  ],
];

describe('source annotations', () => {
  it.each(rows)('%#', async (create, expected) => {
    const [annotated] = await create({ sourceAnnotations: true }).process({}, createRenderContext());
    const prefixed = Object.entries(expected).map(([key, value]) => [`kurel.dev/${key}`, value] as const);
    expect(annotated).toHaveProperty('metadata.annotations', Object.fromEntries(prefixed));
    const [plain] = await create({}).process({}, createRenderContext());
    expect(plain).not.toHaveProperty('metadata.annotations');
  });
});
