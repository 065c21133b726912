import { describe, expect, it } from 'vitest';
import { createRenderContext, defineRenderer, type RendererOptions } from '../engine/index.ts';
import { annotationsOf } from '../kube/index.ts';
import type { KubeObject, ProgramRunner, Rendered, Renderer } from '../model/index.ts';
import { memoryFileSystem } from './memory-file-system.ts';
import { renderers } from './index.ts';

const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
const application = `apiVersion: launcher.gokure.dev/v1alpha1
kind: Application
metadata: {name: shop}
spec: {components: [{name: a, type: worker, properties: {image: "a:1"}}]}
`;

const inputs = {
  'deploy/a.yaml': text,
  'deploy/below/b.yaml': text,
  'chart/Chart.yaml': '',
  'app/kustomization.yaml': 'resources: [../base/a.yaml]\n',
  'base/a.yaml': text,
  'demo.kurel/parameters.yaml': 'kurel: {name: demo, version: 1.0.0, appVersion: "1"}\n',
  'demo.kurel/resources/a.yaml': text,
  'shop/app.yaml': application,
};

/** Prints what the programs would, with the origin that kustomize adds on request. */
function createPrograms(origin: string): ProgramRunner {
  return {
    run({ program, workspace }) {
      if (program === 'helm')
        return { exitCode: 0, stdout: `---\n# Source: web/templates/a.yaml\n${text}`, stderr: '' };
      const isAsked = [...(workspace?.files.values() ?? [])].some((file) => String(file).includes('originAnnotations'));
      const annotations = { 'config.kubernetes.io/origin': origin };
      const printed = isAsked ? { ...object, metadata: { name: 'a', annotations } } : object;
      return { exitCode: 0, stdout: JSON.stringify(printed), stderr: '' };
    },
  };
}

const programs = createPrograms('path: ../base/a.yaml\n');

/** What objects are annotated with, by what is below the root of all inputs: type, path, file. */
type Row = readonly [
  input: string,
  create: (root: string, options: RendererOptions) => Renderer<Rendered>,
  expected: Sources,
];
interface Sources {
  readonly type: string;
  readonly path?: string;
  readonly file?: string;
}

function fileSystemAt(root: string) {
  return memoryFileSystem(Object.fromEntries(Object.entries(inputs).map(([path, content]) => [root + path, content])));
}

const rows: readonly Row[] = [
  [
    'a directory of manifests',
    (root, options) => renderers.manifests({ fileSystem: fileSystemAt(root), path: `${root}deploy/below` }, options),
    { type: 'manifests', path: 'deploy/below', file: 'b.yaml' },
  ],
  [
    'a manifest',
    (root, options) => renderers.manifests({ fileSystem: fileSystemAt(root), path: `${root}deploy/a.yaml` }, options),
    { type: 'manifests', path: 'deploy/a.yaml', file: 'a.yaml' },
  ],
  [
    'a pattern',
    (root, options) => renderers.manifests({ fileSystem: fileSystemAt(root), path: `${root}deploy/*/*.yaml` }, options),
    { type: 'manifests', path: 'deploy/*/*.yaml', file: 'below/b.yaml' },
  ],
  [
    'a chart',
    (root, options) =>
      renderers.helm(
        { chart: `${root}chart`, releaseName: 'shop' },
        { ...options, programs, fileSystem: fileSystemAt(root) },
      ),
    { type: 'helm', path: 'chart', file: 'templates/a.yaml' },
  ],
  [
    'a kustomization',
    (root, options) =>
      renderers.kustomize({ path: `${root}app` }, { ...options, programs, fileSystem: fileSystemAt(root) }),
    { type: 'kustomize', path: 'app', file: '../base/a.yaml' },
  ],
  [
    'a patch package',
    (root, options) => renderers.patchPackage({ fileSystem: fileSystemAt(root), path: `${root}demo.kurel` }, options),
    { type: 'patch-package', path: 'demo.kurel', file: 'resources/a.yaml' },
  ],
  [
    'an application package',
    (root, options) =>
      renderers.application({ fileSystem: fileSystemAt(root), path: `${root}shop`, profile: false }, options),
    { type: 'application', path: 'shop', file: 'app.yaml' },
  ],
  [
    'the file of an application',
    (root, options) =>
      renderers.application({ fileSystem: fileSystemAt(root), path: `${root}shop/app.yaml`, profile: false }, options),
    { type: 'application', path: 'shop/app.yaml', file: 'app.yaml' },
  ],
];

async function render(renderer: Renderer<Rendered>): Promise<KubeObject> {
  const {
    objects: [first],
  } = await renderer.process({}, createRenderContext());
  return first!;
}

function annotated({ type, path, file }: Sources): Readonly<Record<string, string>> {
  return {
    'kurel.dev/source.type': type,
    ...(path === undefined ? {} : { 'kurel.dev/source.path': path }),
    ...(file === undefined ? {} : { 'kurel.dev/source.file': file }),
  };
}

describe('source annotations', () => {
  it.each(rows)('of %s', async (_, create, expected) => {
    expect(annotationsOf(await render(create('', { sourceAnnotations: true })))).toEqual(annotated(expected));
    expect(annotationsOf(await render(create('', {})))).toEqual({});
  });

  it.each(rows)('of %s at an absolute path, which is peculiar to a machine', async (input, create, expected) => {
    const [first, ...rest] = expected.path!.split('/');
    const path = input === 'a pattern' ? expected.path! : (rest.at(-1) ?? first!);
    const result = await render(create('/home/me/', { sourceAnnotations: true }));
    expect(annotationsOf(result)).toEqual(annotated({ ...expected, path }));
  });

  it('of a text and of objects in memory', async () => {
    const options = { sourceAnnotations: true };
    const read = await render(renderers.manifests({ name: 'stdin', text }, options));
    expect(annotationsOf(read)).toEqual(annotated({ type: 'manifests', file: 'stdin' }));
    const given = await render(renderers.memory({ objects: [object] }, options));
    expect(annotationsOf(given)).toEqual(annotated({ type: 'memory' }));
  });

  it.each([
    ['path: a.yaml\n', 'a.yaml'],
    [
      'configuredIn: ../base/kustomization.yaml\nconfiguredBy: {kind: ConfigMapGenerator}\n',
      '../base/kustomization.yaml',
    ],
    [
      'path: base/a.yaml\nrepo: https://me:word@example.com/shop\nref: v1\n',
      'https://example.com/shop//base/a.yaml?ref=v1',
    ],
    ['path: base/a.yaml\nrepo: git@example.com:shop\n', 'git@example.com:shop//base/a.yaml'],
    ['nothing', undefined],
  ])('of an object with the origin %j in kustomize', async (origin, file) => {
    const options = { programs: createPrograms(origin), fileSystem: fileSystemAt(''), sourceAnnotations: true };
    const result = await render(renderers.kustomize({ path: 'app' }, options));
    const path = { type: 'kustomize', path: 'app' };
    expect(annotationsOf(result)).toEqual(annotated(file === undefined ? path : { ...path, file }));
  });

  it.each(['/home/me/a.yaml', String.raw`C:\work\a.yaml`, 'C:/work/a.yaml'])(
    'of a renderer that says %s',
    async (path) => {
      const renderer = defineRenderer({
        name: 'own',
        sources: {},
        options: { sourceAnnotations: true },
        describe: () => path,
        pathOf: () => path,
        render(_source, _values, { origins }) {
          const made = { ...object };
          origins.set(made, { renderer: 'own', source: path, file: path });
          return [made];
        },
      });
      expect(annotationsOf(await render(renderer))).toEqual(annotated({ type: 'own', path: 'a.yaml', file: 'a.yaml' }));
    },
  );
});
