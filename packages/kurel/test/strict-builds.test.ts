import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { blocksOfPages, sessionsOf } from './page-blocks.ts';
import { runProgram } from './run-program.ts';
import { repository } from './source-tree.ts';
import { listTutorials, playTutorial, tutorials } from './tutorial.ts';

// CI should use --strict, so everything that we show must work with it.

const web = 'examples/applications/web';
const gitea = 'examples/packages/gitea.kurel';
const profiles = ['ingress', 'gateway'].map((name) => `${web}/${name}.yaml`);
const teams = ['staging', 'production'].map((name) => `examples/applications/shop/${name}.yaml`);

const examples: readonly string[][] = [
  ['examples/accepted'],
  ['examples/chart'],
  ['examples/kustomize/overlays/production'],
  ['examples/plain'],
  ['examples/plain', '--patch', 'examples/patch/production.kpatch', '--set', 'version=2.0', '--feature', 'avatars'],
  ...below('examples/packages', '.kurel')
    .filter((path) => !path.endsWith('.local.kurel'))
    .map((path) => [path]),
  [gitea, '--local', 'examples/packages/gitea.local.kurel'],
  ...below(`${gitea}/examples`, '.yaml').map((values) => [gitea, '--values', values]),
  ['examples/applications/metrics', '--no-profile', '--offline'],
  ['examples/applications/shop/manifests'],
  ...profiles.flatMap((profile) =>
    [...below(`${web}/package/examples`, '.yaml'), ...teams].map((values) => [
      `${web}/package`,
      '--profile',
      profile,
      '--policy',
      `${web}/policy.yaml`,
      '--values',
      values,
    ]),
  ),
];

describe('with --strict', () => {
  it.each(examples.map((words) => ({ line: words.join(' '), words })))('$line', async ({ words }) => {
    const { exitCode, stderr } = await runProgram(['build', ...words, '--strict']);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  });

  const builds = blocksOfPages()
    .filter(({ page, language }) => language === 'console' && !page.startsWith('docs/tutorials/'))
    .flatMap(({ page, text }) => sessionsOf(text).map(({ words }) => ({ page, words })))
    .filter(({ words }) => words[0] === 'build');

  it.each(builds)('$page: kurel $words', async ({ words }) => {
    const { exitCode } = await runProgram(words);
    const strict = await runProgram([...words, '--strict']);
    expect({ exitCode: strict.exitCode, stderr: strict.stderr }).toMatchObject({ exitCode });
  });

  it.each(listTutorials())('the tutorial %s builds', async (page) => {
    const directory = mkdtempSync(join(tmpdir(), 'kurel-strict-'));
    try {
      const text = readFileSync(join(tutorials, page), 'utf8');
      const failed: unknown[] = [];
      const afterKurel = async (words: readonly string[], exitCode: number): Promise<void> => {
        if (words[0] !== 'build') return;
        const strict = await runProgram([...words, '--strict'], { workingDirectory: directory });
        if (strict.exitCode !== exitCode) failed.push({ words, stderr: strict.stderr });
      };
      await playTutorial(text, directory, { afterKurel });
      expect(failed).toEqual([]);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

function below(directory: string, ending: string): readonly string[] {
  return readdirSync(join(repository, directory))
    .filter((name) => name.endsWith(ending))
    .map((name) => `${directory}/${name}`);
}
