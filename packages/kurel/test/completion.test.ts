import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from './run-program.ts';

const gitea = 'examples/packages/gitea.kurel';
const web = 'examples/applications/web/package';
const fleet = ['--fleet', 'examples/fleet/kurel.fleet.yaml'];

async function complete(words: readonly string[], workingDirectory?: string): Promise<readonly string[]> {
  const { stdout } = await runProgram(
    ['__complete', ...words],
    workingDirectory === undefined ? {} : { workingDirectory },
  );
  return stdout.split('\n').slice(0, -1);
}

describe('completion', () => {
  it.each([
    { words: ['im'], offers: ['images'] },
    { words: ['build', gitea, '--lay'], offers: ['--layout'] },
    { words: ['build', gitea, '--layout', 'fl'], offers: ['flat', 'flux'] },
    { words: ['build', gitea, '--layout', '=', 'flu'], offers: ['flux'] },
    { words: ['build', gitea, '--set', 'monitoring.e'], offers: ['monitoring.enabled='] },
    { words: ['build', web, '--set', 'im'], offers: ['image='] },
    { words: ['build', gitea, '--enable', 'features/10'], offers: ['features/10-monitoring'] },
    { words: ['build', gitea, '--kind', 'dep'], offers: ['deployment'] },
    { words: ['explain', gitea, 'gitea/dep'], offers: ['gitea/deployment.gitea'] },
    { words: ['explain', gitea, 'gitea/deployment.gitea', 'spec.rep'], offers: ['spec.replicas'] },
    { words: ['schema', 'show', 'Deployment.spec.strat'], offers: ['Deployment.spec.strategy'] },
    { words: ['schema', 'show', 'webser'], offers: ['webservice'] },
    { words: ['help', 'field-unk'], offers: ['field-unknown'] },
    { words: ['help', 'output-st'], offers: ['output-stale'] },
    { words: ['help', 'usa'], offers: ['usage'] },
    { words: ['completion', 'install', 'z'], offers: ['zsh'] },
    { words: ['fleet', 'v'], offers: ['validate'] },
    { words: ['fleet', 'build', ...fleet, 'production/s'], offers: ['production/shop', 'production/search'] },
    { words: ['fleet', 'build', ...fleet, 'staging/shop', 'staging/w'], offers: ['staging/worker'] },
    { words: ['fleet', 'explain', ...fleet, 'staging/shop', 'shop/dep'], offers: ['shop/deployment.shop'] },
    {
      words: ['fleet', 'explain', ...fleet, 'staging/shop', 'shop/deployment.shop', 'spec.rep'],
      offers: ['spec.replicas'],
    },
    { words: ['fleet', 'diff', ...fleet, '--since', ''], offers: [] },
    { words: ['fleet', 'build', ''], offers: [] },
    { words: ['build', 'missing', '--set', ''], offers: [] },
    { words: ['unknown', ''], offers: [] },
  ])('of $words offers $offers', async ({ words, offers }) => {
    const lines = await complete(words);
    expect(lines.at(-1)).toBe(':end');
    expect(lines.slice(0, -1).map((line) => line.split('\t')[0])).toEqual(offers);
  });

  it.each([[['build', '']], [['build', gitea, '--values', '']], [['schema', 'generate', '']]])(
    'of %j leaves files to the shell',
    async (words) => expect(await complete(words)).toEqual([':files']),
  );
});

describe('completion in a directory of its own', () => {
  let directory = '';
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'kurel-completion-'))));
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('never offers what a shell would execute', async () => {
    mkdirSync(join(directory, 'a.kurel', 'resources'), { recursive: true });
    const parameters =
      'kurel: {name: a, version: 1.0.0, appVersion: "1"}\n"$(touch x)": 1\n"a b": 1\n"`x`": 1\nfine: 1\nunset: null\n';
    writeFileSync(join(directory, 'a.kurel', 'parameters.yaml'), parameters);
    const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
    writeFileSync(join(directory, 'a.kurel', 'resources', 'a.yaml'), map);
    expect(await complete(['build', 'a.kurel', '--set', ''], directory)).toEqual([
      'fine=\tinteger',
      'unset=\tnull',
      ':end',
    ]);
  });

  it.each([
    ['bash', '.local/share/bash-completion/completions/kurel'],
    ['zsh', '.zshrc'],
    ['fish', '.config/fish/completions/kurel.fish'],
    ['powershell', '.config/powershell/profile.ps1'],
  ])('is installed once for %s', async (shell, file) => {
    const variables = { HOME: directory, SHELL: `/usr/bin/${shell}` };
    expect((await runProgram(['completion', 'install'], { variables })).exitCode).toBe(0);
    const text = readFileSync(join(directory, file), 'utf8');
    expect((await runProgram(['completion', 'install', shell], { variables })).exitCode).toBe(0);
    expect(readFileSync(join(directory, file), 'utf8')).toBe(text);
    expect(text).toContain('kurel');
  });

  it('asks for the shell if it cannot be detected', async () => {
    const { exitCode, stderr } = await runProgram(['completion', 'install'], { variables: { HOME: directory } });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('cannot detect your shell');
  });
});
