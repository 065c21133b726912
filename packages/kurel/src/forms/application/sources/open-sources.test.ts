import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { describeWithHelms } from '../../../../test/render-case.ts';
import { writeTar } from '../../../../test/write-tar.ts';
import { DiagnosticError } from '../../../diagnostics/index.ts';
import { programRunner } from '../../../host/index.ts';
import type { Diagnostic, JsonObject, ProgramCall, ProgramRunner } from '../../../model/index.ts';
import { renderChart } from './open-sources.ts';
import type { ChartRequest } from './source-request.ts';

const request: ChartRequest = {
  kind: 'chart',
  url: 'https://charts.example.com',
  chart: 'web',
  releaseName: 'store',
  namespace: 'shop',
  values: {},
};

function pack(files: Readonly<Record<string, string>>): Uint8Array {
  const all = { 'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n', ...files };
  return gzipSync(writeTar(Object.entries(all).map(([name, content]) => ({ name: `web/${name}`, content }))));
}

async function render(archive: Uint8Array, programs: ProgramRunner, values: JsonObject = {}) {
  const warnings: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void warnings.push(diagnostic);
  const text = await renderChart(archive, { ...request, values }, { programs, report });
  return { text, warnings: warnings.map(({ code, message }) => `${code}: ${message}`) };
}

async function failureOf(result: Promise<unknown>): Promise<readonly string[]> {
  const error: unknown = await result.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DiagnosticError);
  return (error as DiagnosticError).diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

describe('renderChart', () => {
  it('passes the archive and the values to helm, without network', async () => {
    const calls: ProgramCall[] = [];
    const programs = {
      run(call: ProgramCall) {
        calls.push(call);
        return { exitCode: 0, stdout: 'kind: A\n', stderr: '' };
      },
    };
    const archive = new Uint8Array([1, 2]);
    expect(await render(archive, programs, { a: 1n, b: null })).toEqual({ text: 'kind: A\n', warnings: [] });
    expect(calls).toEqual([
      expect.objectContaining({
        program: 'helm',
        stdin: 'a: 1\nb: null\n',
        network: false,
        workspace: { token: '{workspace}', files: new Map([['chart.tgz', archive]]) },
      }),
    ]);
    expect(calls[0]!.args.slice(-3)).toEqual(['--', 'store', '{workspace}/chart.tgz']);
  });
});

describeWithHelms('charts that are rendered', ({ directory }) => {
  const programs = programRunner({ environment: { KUREL_TOOLS: directory } });
  const template = (text: string): Uint8Array => pack({ 'templates/a.yaml': text });

  it('have the name and the namespace of the release, their values, and no tests', async () => {
    const archive = pack({
      'values.yaml': 'size: 1\nkept: yes\n',
      'crds/a.yaml': 'kind: CustomResourceDefinition\n',
      'templates/a.yaml':
        'kind: A\nname: {{ .Release.Name }}\nnamespace: {{ .Release.Namespace }}\nsize: {{ .Values.size }}\nkept: {{ .Values.kept }}\n',
      'templates/test.yaml': 'kind: Pod\nmetadata: {name: a, annotations: {helm.sh/hook: test}}\n',
      'templates/hook.yaml': 'kind: Job\nmetadata: {name: a, annotations: {helm.sh/hook: pre-install}}\n',
    });
    const { text, warnings } = await render(archive, programs, { size: 42n });
    expect(warnings).toEqual([]);
    expect(Array.from(text.matchAll(/^kind: (.*)$/gm), ([, kind]) => kind)).toEqual([
      'CustomResourceDefinition',
      'A',
      'Job',
    ]);
    expect(text).toContain('name: store\nnamespace: shop\nsize: 42\nkept: true\n');
  });

  it('fail with one sentence if a template fails', async () => {
    const failed = await failureOf(
      render(template('kind: {{ required "a size is needed" .Values.size }}\n'), programs),
    );
    expect(failed).toEqual([
      expect.stringMatching(
        /^source-chart-failed: helm cannot render chart "web" of "https:\/\/charts\.example\.com": .*web\/templates\/a\.yaml:1:\d+.*a size is needed$/,
      ),
    ]);
  });

  it('fail if they are invalid', async () => {
    const [failed] = await failureOf(render(new Uint8Array([1, 2, 3]), programs));
    expect(failed).toMatch(/^source-chart-failed: helm cannot render chart "web" of /);
    expect(failed).not.toContain('/tmp');
  });

  it('name each value that their schema rejects', async () => {
    const schema = '{"properties": {"size": {"type": "integer"}, "name": {"type": "string"}}}';
    const archive = pack({ 'values.schema.json': schema, 'templates/a.yaml': 'kind: A\n' });
    const failed = await failureOf(render(archive, programs, { size: 'big', name: 7 }));
    expect(failed).toHaveLength(2);
    for (const one of failed) expect(one).toMatch(/^source-chart-values: chart "web" of .* rejects the values /);
    expect(failed.join('\n')).toMatch(/size.*\n?.*name|name.*\n?.*size/s);
  });

  it('pass on warnings of helm', async () => {
    const archive = pack({ 'values.yaml': 'size: 1\n', 'templates/a.yaml': 'kind: A\n' });
    const { warnings } = await render(archive, programs, { size: { a: 1 } });
    expect(warnings).toEqual([expect.stringMatching(/^source-chart-warning: helm warns about chart "web" of .*size/)]);
  });
});
