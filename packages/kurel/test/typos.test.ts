import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { runProgram } from './run-program.ts';
import { repository } from './source-tree.ts';

// The tables of typos in README.md and docs/validate.md.

const place = mkdtempSync(join(tmpdir(), 'kurel-typos-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const at = (path: string): string => join(place, path);
const files: Readonly<Record<string, string>> = {
  'hots.yaml': 'hots: a\n',
  'replcas.yaml': 'replcas: 3\n',
  'closed/Chart.yaml': 'apiVersion: v2\nname: closed\nversion: 1.0.0\n',
  'closed/values.schema.json': '{"type": "object", "additionalProperties": false, "properties": {"replicas": {}}}',
  'closed/templates/config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: closed}\n',
};

beforeAll(() => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  }
});

const inputs: Readonly<Record<string, readonly string[]>> = {
  application: [
    'examples/applications/web/package',
    '--profile=examples/applications/web/ingress.yaml',
    '--values=examples/applications/shop/staging.yaml',
  ],
  'patch package': ['examples/packages/hello.kurel'],
  manifests: ['examples/plain'],
  kustomization: ['examples/kustomize/base'],
  chart: ['examples/chart'],
  'chart with a closed schema': [at('closed')],
};

const set = ['--set=replcas=3'];
const values = [`--values=${at('replcas.yaml')}`];
const field = ['--kind=Deployment', '--jq=.spec.replcas = 3'];
const ignored = 'values are ignored';
const ofPackage = 'value "replcas" has no effect: no such parameter is declared or used [value-without-effect]';
const ofSchema = 'do not match its values.schema.json';
const unknown = 'unknown field "replcas" in spec';

/** What the report says, in parts; nothing about the typo if there are none. */
type Row = readonly [form: keyof typeof inputs, words: readonly string[], exitCode: number, parts: readonly string[]];

const rows: readonly Row[] = [
  ['application', ['--set=hots=a'], 1, ['Error: unknown parameter "hots"', '--> --set hots', 'did you mean "host"?']],
  [
    'application',
    [`--values=${at('hots.yaml')}`],
    1,
    ['Error: unknown parameter "hots"', 'hots.yaml:1:1\n', 'did you mean "host"?'],
  ],
  ['patch package', set, 0, [`Warning: ${ofPackage}`, '--> --set replcas', 'did you mean replicas?']],
  ['patch package', values, 0, [`Warning: ${ofPackage}`, 'replcas.yaml:1:1\n', 'did you mean replicas?']],
  ['patch package', [...set, '--strict'], 1, [`Error: ${ofPackage}`]],
  ['patch package', [...values, '--strict'], 1, [`Error: ${ofPackage}`]],
  ['manifests', set, 0, [`Warning: ${ignored}`]],
  ['manifests', [...values, '--strict'], 1, [`Error: ${ignored}`]],
  ['kustomization', set, 0, []],
  ['chart', set, 0, []],
  ['chart', values, 0, []],
  ['chart with a closed schema', set, 1, ['Error: values of chart "closed"', ofSchema, 'replcas']],
  ['chart with a closed schema', values, 1, ['Error: values of chart "closed"', ofSchema, 'replcas']],
  ['chart with a closed schema', [...set, '--strict'], 1, [ofSchema]],
  ...Object.keys(inputs).flatMap((form): readonly Row[] =>
    form === 'chart with a closed schema' ? [] : [[form, field, 1, [`Error: ${unknown}`, 'did you mean "replicas"?']]],
  ),
];

const hasPrograms = ['helm', 'kustomize'].every((name) => existsSync(join(repository, '.tools', 'bin', name)));
const ofPrograms = /^(?:chart|kustomization)/;

it.each(rows.filter(([form]) => hasPrograms || !ofPrograms.test(form)))(
  'a typo in %s is reported: %j',
  async (form, words, exitCode, parts) => {
    const result = await runProgram(['validate', ...inputs[form]!, ...words]);
    for (const part of parts) expect(result.stdout).toContain(part);
    if (parts.length === 0) expect(result.stdout + result.stderr).not.toContain('replcas');
    expect(result.exitCode).toBe(exitCode);
  },
);

it.runIf(hasPrograms)('nothing to report is nothing for --strict to refuse', async () => {
  const { stdout } = await runProgram(['validate', 'examples/chart', ...set, '--strict']);
  expect(stdout).not.toMatch(/replcas|ignored/);
});
