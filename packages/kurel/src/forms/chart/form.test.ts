import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectCaseFile } from '../../../test/check-case.ts';
import { listCases, openCase } from '../../../test/golden-case.ts';
import { diagnosticsOf } from '../../diagnostics/index.ts';
import { createOriginTable, createRenderContext } from '../../engine/index.ts';
import type { ProgramCall, ProgramResult, Values } from '../../model/index.ts';
import { readYaml } from '../../yaml/index.ts';
import { memoryFileSystem } from '../memory-file-system.ts';
import {
  type CaseWorld,
  copyCases,
  decodeOutput,
  describeWithHelms,
  readCase,
  renderCase,
} from '../../../test/render-case.ts';
import { writeTar } from '../../../test/write-tar.ts';
import { ChartLocateError, ChartRenderError } from './helm-source.ts';
import { helmRenderer } from './form.ts';
import type { HelmSource } from './helm-source.ts';

const cases = join(import.meta.dirname, 'cases');
const packed = new Uint8Array(gzipSync(writeTar([{ name: 'web/Chart.yaml', content: 'name: web\nversion: 1.0.0\n' }])));

/** The flags that a person would type for a source. */
function flagsOf(source: HelmSource): readonly string[] {
  const { releaseNamespace, kubeVersion, apiVersions = [], includeCrds, skipTests } = source;
  return [
    ...(releaseNamespace === undefined ? [] : ['--namespace', releaseNamespace]),
    ...(kubeVersion === undefined ? [] : ['--kube-version', kubeVersion]),
    ...apiVersions.flatMap((one) => ['--api-versions', one]),
    ...(includeCrds === true ? ['--include-crds'] : []),
    ...(skipTests === true ? ['--skip-tests'] : []),
  ];
}

describeWithHelms('charts', (helm) => {
  let copies = '';
  beforeAll(() => void (copies = copyCases(cases)));
  afterAll(() => rmSync(copies, { recursive: true, force: true }));

  it.each(listCases(cases))('%s', async (name) => {
    const one = openCase(join(cases, name));
    const directory = join(copies, name);
    const { source: given, values } = readCase(one);
    const source = given as HelmSource;
    const create = (world: CaseWorld) => helmRenderer(source, world);
    const { objects, origins, findings } = await renderCase(directory, { values, create, tools: helm.directory });
    // What helm 4 prints differently has files of its own.
    const nameOf = (file: string, text: string): string => {
      const own = file.replace('expected', 'expected-helm-4');
      return helm.major === 4 && (one.has(own) || !one.has(file) || one.read(file) !== text) ? own : file;
    };
    expectCaseFile(one, nameOf('expected.txt', findings), findings === '' ? undefined : findings);
    if (objects === undefined) return;
    const text = origins.get(objects[0]!)?.text?.source.text ?? '';
    expectCaseFile(one, nameOf('expected.yaml', text), text);
    const valuesFlags = Object.keys(values).length === 0 ? [] : ['--values', 'values.json'];
    const args = ['template', source.releaseName, `./${source.chart}`, ...valuesFlags, ...flagsOf(source)];
    const printed = execFileSync(helm.file, args, {
      cwd: directory,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { HOME: tmpdir() },
    });
    expect(text).toBe(printed);
    expect(objects).toEqual(decodeOutput(printed));
    const files = objects.map((object) => origins.get(object)?.file);
    expectCaseFile(one, 'expected-files.txt', `${files.join('\n')}\n`);
  });
});

describe('the call', () => {
  const fileSystem = memoryFileSystem({ 'chart/Chart.yaml': '', 'web.tgz': packed });

  async function render(
    source: Partial<HelmSource>,
    options: { result?: Partial<ProgramResult>; values?: Values; allowNetwork?: boolean } = {},
  ) {
    const calls: ProgramCall[] = [];
    const warnings: string[] = [];
    const programs = {
      run(call: ProgramCall) {
        calls.push(call);
        return { exitCode: 0, stdout: '', stderr: '', ...options.result };
      },
    };
    const { allowNetwork = false, values = {} } = options;
    const renderer = helmRenderer(
      { chart: 'chart', releaseName: 'shop', ...source },
      { programs, fileSystem, allowNetwork },
    );
    const context = createRenderContext({ report: ({ message }) => warnings.push(message) });
    const { objects } = await renderer.process(values, context);
    return { call: calls[0]!, objects, warnings };
  }

  it('has no flags and no input that nobody asked for', async () => {
    const { call } = await render({});
    expect(call).toMatchObject({ program: 'helm', args: ['template', '--', 'shop', './chart'], network: false });
    expect(call).not.toHaveProperty('stdin');
  });

  it('hands over the merged values on standard input, exactly', async () => {
    const { call } = await render(
      { values: () => ({ a: { x: 1, y: 2 }, b: 2n ** 64n }) },
      { values: { a: { y: 'yes' } } },
    );
    expect(call.args).toEqual(['template', '--values=-', '--', 'shop', './chart']);
    const [document] = readYaml({ path: 'stdin', text: call.stdin! }).documents;
    expect(document!.data).toEqual({ a: { x: 1, y: 'yes' }, b: 2n ** 64n });
  });

  it('fetches only when the network is allowed', async () => {
    const remote = { chart: 'web', repo: 'https://charts.example.com', version: '^1.0.0' };
    await expect(render(remote)).rejects.toMatchObject({
      cause: { name: 'ChartLocateError', chart: 'web', version: '^1.0.0' },
    });
    const { call } = await render(remote, { allowNetwork: true });
    expect(call.network).toBe(true);
    expect(call.args).toEqual([
      'template',
      '--version=^1.0.0',
      '--repo=https://charts.example.com',
      '--',
      'shop',
      'web',
    ]);
    // A chart on the disk is rendered without the network, whatever is allowed.
    expect((await render({}, { allowNetwork: true })).call.network).toBe(false);
  });

  it('names files inside of a packed chart as helm does', async () => {
    const stdout = '---\n# Source: web/templates/a.yaml\napiVersion: v1\nkind: ConfigMap\n';
    const origins = createOriginTable();
    const programs = { run: () => ({ exitCode: 0, stdout, stderr: '' }) };
    const renderer = helmRenderer({ chart: 'web.tgz', releaseName: 'shop' }, { programs, fileSystem });
    const {
      objects: [object],
    } = await renderer.process({}, createRenderContext({ origins }));
    expect(origins.get(object!)?.file).toBe('web/templates/a.yaml');
  });

  it('passes warnings on', async () => {
    const lines = [
      'coalesce.go:298: warning: cannot overwrite table with non table for web.a (map[])',
      'WARNING: old',
      'level=WARN msg="the \\"old\\" way" chart=web',
      'time=2026-01-01T00:00:00Z level=WARN msg=careful',
      'level=INFO msg="all is well"',
    ];
    expect((await render({}, { result: { stderr: lines.join('\n') } })).warnings).toEqual([
      'helm warning for chart "chart": cannot overwrite table with non table for web.a (map[])',
      'helm warning for chart "chart": old',
      'helm warning for chart "chart": the "old" way',
      'helm warning for chart "chart": careful',
    ]);
  });

  it.each<[string, Partial<HelmSource>, string, typeof ChartLocateError | typeof ChartRenderError]>([
    ['a failure to fetch', { chart: 'oci://r.example/web' }, 'Error: not found', ChartLocateError],
    ['a failure to render', {}, 'Error: broken', ChartRenderError],
    ['silence', {}, '', ChartRenderError],
  ])('makes %s a typed error', async (_, source, stderr, type) => {
    const failure = render(source, { result: { exitCode: 1, stderr }, allowNetwork: true });
    const error: unknown = await failure.catch((reason: unknown) => reason);
    expect((error as Error).cause).toBeInstanceOf(type);
    const code = type === ChartLocateError ? 'chart-not-located' : 'chart-render-failed';
    expect(diagnosticsOf(error)?.map((one) => one.code)).toEqual([code]);
    expect((error as Error).message).toContain(stderr === '' ? 'no reason given' : stderr.slice('Error: '.length));
  });

  it.each<[string, Partial<HelmSource>]>([
    ['chart must not be blank', { chart: ' ' }],
    ['releaseName must not be blank', { releaseName: '' }],
    ['releaseName must not be blank', { releaseName: undefined as never }],
    [`releaseName "${'x'.repeat(54)}" must have at most 53 characters`, { releaseName: 'x'.repeat(54) }],
    ['releaseName "Shop" must consist of', { releaseName: 'Shop' }],
    ['releaseName "--post-renderer=x" must consist of', { releaseName: '--post-renderer=x' }],
    ['releaseNamespace "a b" must', { releaseNamespace: 'a b' }],
    ['repo must not be blank', { repo: '' }],
    ['kubeVersion "latest" must be a version', { kubeVersion: 'latest' }],
    ['apiVersions[1] "--x" must have a form such as apps/v1', { apiVersions: ['v1', '--x'] }],
  ])('refuses at construction: %s', async (message, source) => {
    await expect(render(source)).rejects.toThrow(`source 0: ${message}`);
  });
});
