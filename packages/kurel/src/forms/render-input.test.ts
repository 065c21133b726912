import { describe, expect, it } from 'vitest';
import { diagnosticsOf } from '../diagnostics/index.ts';
import { createRenderContext } from '../engine/index.ts';
import type { Diagnostic, ProgramCall } from '../model/index.ts';
import type { InputRequest } from './form-types.ts';
import { renderInput } from './render-input.ts';
import { memoryFileSystem } from './memory-file-system.ts';

const printed = `apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: own}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b}
---
apiVersion: v1
kind: Namespace
metadata: {name: c}
`;

const fileSystem = memoryFileSystem({
  'chart/Chart.yaml': '',
  'app/kustomization.yaml': 'resources: []\n',
  'plain/a.yaml': printed,
});

async function render(request: Partial<InputRequest>) {
  const calls: ProgramCall[] = [];
  const reported: Diagnostic[] = [];
  const programs = {
    run(call: ProgramCall) {
      calls.push(call);
      return { exitCode: 0, stdout: printed, stderr: '' };
    },
  };
  const report = (diagnostic: Diagnostic): void => void reported.push(diagnostic);
  const context = createRenderContext({ report });
  const { objects } = await renderInput({ path: '.', fileSystem, programs, ...request }, context);
  const [renderer] = objects.map((object) => context.origins.get(object)!.renderer);
  const namespaces = objects.map(({ metadata }) => (metadata as { namespace?: string }).namespace);
  const [call] = calls;
  return { renderer, namespaces, args: call?.args, network: call?.network, codes: reported.map(({ code }) => code) };
}

describe('renderInput', () => {
  const widget = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n';
  const definition = (scope: string): string =>
    `---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\nspec: {group: example.com, scope: ${scope}, names: {kind: Widget}}\n`;
  it.each<[string, string, object]>([
    ['an unknown kind', `${widget}---\n${widget}`, { namespaces: ['n', 'n'], codes: ['input-scope-unknown'] }],
    ['a kind defined as namespaced', widget + definition('Namespaced'), { namespaces: ['n', undefined], codes: [] }],
    [
      'a kind defined for the cluster',
      widget + definition('Cluster'),
      { namespaces: [undefined, undefined], codes: [] },
    ],
  ])('puts %s where it belongs', async (_, stdin, expected) => {
    expect(await render({ path: '-', stdin, namespace: 'n' })).toMatchObject(expected);
  });

  it.each<[Partial<InputRequest>, object]>([
    [{ path: 'plain' }, { renderer: 'manifests', namespaces: ['own', undefined, undefined], codes: [] }],
    [{ path: 'plain', namespace: 'n' }, { namespaces: ['n', 'n', undefined] }],
    [{ path: 'plain', values: { a: 1 } }, { codes: ['input-takes-no-values'] }],
    [
      { path: '-', stdin: printed, namespace: 'n' },
      { renderer: 'manifests', namespaces: ['n', 'n', undefined] },
    ],
    [{ path: '-', stdin: printed, values: { a: 1 } }, { codes: ['input-takes-no-values'] }],
    [
      { path: '-', stdin: printed, as: 'manifests' },
      { renderer: 'manifests', codes: [] },
    ],
    [
      { path: 'app', namespace: 'n' },
      { renderer: 'kustomize', namespaces: ['n', 'n', undefined] },
    ],
    [
      { path: 'app', kustomization: { loadRestrictions: 'none' } },
      { args: ['build', '--load-restrictor=LoadRestrictionsNone', '--', './app'] },
    ],
    [
      { path: 'app/kustomization.yaml' },
      { args: ['build', '--load-restrictor=LoadRestrictionsRootOnly', '--', './app'] },
    ],
    [
      { path: 'app', as: 'manifests' },
      { namespaces: [], args: undefined },
    ],
    [{ path: 'chart' }, { renderer: 'helm', args: ['template', '--', 'release-name', './chart'] }],
    [{ path: 'chart' }, { network: false }],
    [{ path: 'oci://example.com/charts/shop', as: 'chart', allowNetwork: true }, { network: true }],
    [
      {
        path: 'chart',
        namespace: 'n',
        chart: { releaseName: 'r', includeCrds: true, skipTests: true, kubeVersion: '1.31', apiVersions: ['a/v1'] },
      },
      {
        namespaces: ['own', 'n', undefined],
        args: [
          'template',
          '--namespace=n',
          '--kube-version=1.31',
          '--api-versions=a/v1',
          '--include-crds',
          '--skip-tests',
          '--',
          'r',
          './chart',
        ],
      },
    ],
  ])('%j', async (request, expected) => {
    expect(await render(request)).toMatchObject(expected);
  });

  it('names the setting that cannot be used', async () => {
    const chart = { releaseName: 'Shop', kubeVersion: 'x', apiVersions: ['v1', '--x'] };
    const error: unknown = await render({ path: 'chart', namespace: 'a b', chart }).catch((reason: unknown) => reason);
    expect(diagnosticsOf(error)?.map(({ hint }) => hint)).toEqual([
      'change "releaseName"',
      'change "namespace"',
      'change "kubeVersion"',
      'change "apiVersions"',
    ]);
  });

  it.each<[Partial<InputRequest>, readonly string[]]>([
    [
      { path: '-', stdin: printed, as: 'chart' },
      ['input-setting-refused: standard input must be manifests, not a chart'],
    ],
    [{ path: 'chrt' }, ['input-not-found: "chrt" does not exist']],
    [
      { path: 'chart', chart: { releaseName: 'Shop', kubeVersion: 'x' } },
      [
        'input-setting-refused: the release name "Shop" must consist of lower-case letters, digits and inner hyphens',
        'input-setting-refused: the Kubernetes version of the chart "x" must be a version such as 1.33 or v1.33.2',
      ],
    ],
    [
      { path: 'chart', programs: undefined },
      ['input-needs-program: helm is required, but programs cannot be run here'],
    ],
    [{ path: 'app', as: 'chart' }, ['chart-without-chart-yaml: "app" is not a chart: it has no Chart.yaml']],
  ])('refuses %j', async (request, expected) => {
    const error: unknown = await render(request).catch((reason: unknown) => reason);
    expect(diagnosticsOf(error)?.map(({ code, message }) => `${code}: ${message}`)).toEqual(expected);
  });
});
