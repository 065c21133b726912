import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openCase } from './golden-case.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';
import { listFiles, repository } from './source-tree.ts';

let scratch = '';
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'kurel-line-ends-'));
  for (const directory of ['lf', 'crlf']) {
    cpSync(join(repository, 'examples'), join(scratch, directory), { recursive: true });
    openCase(join(repository, 'packages/kurel/test/fixtures/vendored')).copyTo(join(scratch, directory, 'vendored'));
  }
  convert(join(scratch, 'crlf'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** What git does to text files at a checkout with `core.autocrlf`. */
function convert(directory: string): void {
  for (const path of listFiles(directory, '').map((one) => join(directory, one))) {
    if (statSync(path).isFile()) writeFileSync(path, readFileSync(path, 'utf8').replaceAll('\n', '\r\n'));
  }
}

function runIn(directory: string, line: string): Promise<ProgramOutcome> {
  return runProgram(line.split(' '), { workingDirectory: join(scratch, directory) });
}

const web =
  'build applications/web/package --profile applications/web/gateway.yaml --values applications/shop/staging.yaml';
const gitea = 'build packages/gitea.kurel --values packages/gitea.kurel/examples/production.yaml';

const lines = [
  'build plain',
  'build plain --label team=shop --namespace other',
  'build plain --patch patch/day.kpatch',
  'build plain --patch patch/strategic.yaml',
  'build policy/mistakes.yaml --policy policy/policy.yaml',
  'validate accepted --strict',
  web,
  `${web} --policy applications/web/policy.yaml`,
  'build applications/metrics --no-profile --offline',
  'build vendored --no-profile --offline',
  'build packages/hello.kurel --set ingress.enabled=true --set ingress.host=hi.example.org',
  'build packages/queue-operator.kurel',
  gitea,
  `${gitea} --no-local`,
];

describe('files with Windows line breaks', () => {
  it.each(lines)('%s gives the same objects and findings', (line) => expectSame(line));

  it('the files are converted', () => {
    expect(readFileSync(join(scratch, 'crlf/packages/gitea.kurel/parameters.yaml'), 'utf8')).toContain('\r\n');
  });

  it('are kept in manifests, also in what is added', async () => {
    for (const line of ['build plain/cache.yaml', 'build plain/cache.yaml --label team=shop']) {
      const [lf, crlf] = await Promise.all([runIn('lf', line), runIn('crlf', line)]);
      expect(crlf.stdout).toBe(lf.stdout.replaceAll('\n', '\r\n'));
    }
  });

  it.each([web, 'build applications/metrics --no-profile --offline'])('%s writes none', async (line) => {
    expect(await runIn('crlf', line)).toEqual(await runIn('lf', line));
  });

  it('of an output directory do not make its files foreign', async () => {
    cpSync(join(repository, 'examples/plain'), join(scratch, 'again/plain'), { recursive: true });
    const out = join(scratch, 'again/out');
    const read = () => new Map(listFiles(out, '.yaml').map((path) => [path, readFileSync(join(out, path), 'utf8')]));
    expect(await runIn('again', 'build plain -o out')).toMatchObject({ exitCode: 0, stderr: '' });
    const before = read();
    convert(out);
    rmSync(join(scratch, 'again/plain/cache.yaml'));
    expect(await runIn('again', 'build plain -o out')).toMatchObject({ exitCode: 0, stderr: '' });
    // What is no longer built is removed, and the rest has its own line breaks again.
    const rest = [...before].filter(([, text]) => !text.includes('name: cache'));
    expect(rest.length).toBeLessThan(before.size);
    expect([...read()]).toEqual(rest);
  });
});

describeWithProgram('helm', 'a chart with Windows line breaks', () => {
  it('gives the same objects', () => expectSame('build chart'));
});

describeWithProgram('kustomize', 'a kustomization with Windows line breaks', () => {
  it('gives the same objects', () => expectSame('build kustomize/overlays/production'));
});

async function expectSame(line: string): Promise<void> {
  const asJson = line.startsWith('build ') ? `${line} --format json` : line;
  const [lf, crlf] = await Promise.all([runIn('lf', asJson), runIn('crlf', asJson)]);
  expect(`${lf.stdout}${lf.stderr}`).not.toBe('');
  expect(crlf).toEqual(lf);
}
