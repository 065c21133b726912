import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readYaml } from '../src/yaml/index.ts';
import { runProgram } from './run-program.ts';
import { repository } from './source-tree.ts';

// The examples must say what the real programs say about them, object by object.
const examples = [
  { program: 'helm', args: ['template', 'release-name', 'examples/chart'], path: 'examples/chart' },
  {
    program: 'kustomize',
    args: ['build', 'examples/kustomize/overlays/production'],
    path: 'examples/kustomize/overlays/production',
  },
];

describe('examples', () => {
  it('has plain manifests that come out as they are', async () => {
    const { exitCode, stdout, stderr } = await runProgram(['build', 'examples/plain']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('# no CPU limit on purpose: bursts are fine');
    expect(dataOf(stdout)).toHaveLength(6);
  });

  it.each(examples.filter(isInstalled))('$path is what $program makes of it', async ({ program, args, path }) => {
    const theirs = execFileSync(join(repository, '.tools', 'bin', program), args, {
      cwd: repository,
      encoding: 'utf8',
    });
    const ours = await runProgram(['build', path]);
    expect(ours).toMatchObject({ exitCode: 0, stderr: '' });
    expect(dataOf(ours.stdout)).toEqual(dataOf(theirs));
  });
});

/** Without its program an example is left out loudly, and fails in continuous integration. */
function isInstalled({ program, path }: (typeof examples)[number]): boolean {
  if (existsSync(join(repository, '.tools', 'bin', program)) || process.env['CI'] === 'true') return true;
  console.warn(`SKIPPED: ${path}: ${program} is not installed; run npm run tools`);
  return false;
}

function dataOf(text: string): readonly unknown[] {
  const { documents, diagnostics } = readYaml({ path: 'output', text });
  expect(diagnostics).toEqual([]);
  return documents.map(({ data }) => data).filter((data) => data !== undefined);
}
