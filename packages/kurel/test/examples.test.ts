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

  it.each(examples)('$path is what $program makes of it', async ({ program, args, path }) => {
    const file = join(repository, '.tools', 'bin', program);
    if (!existsSync(file)) {
      console.warn(`SKIPPED: ${program} is not installed; run npm run tools`);
      expect(process.env['CI'], `${program} must be there in continuous integration`).not.toBe('true');
      return;
    }
    const theirs = execFileSync(file, args, { cwd: repository, encoding: 'utf8' });
    const ours = await runProgram(['build', path]);
    expect(ours).toMatchObject({ exitCode: 0, stderr: '' });
    expect(dataOf(ours.stdout)).toEqual(dataOf(theirs));
  });
});

function dataOf(text: string): readonly unknown[] {
  const { documents, diagnostics } = readYaml({ path: 'output', text });
  expect(diagnostics).toEqual([]);
  return documents.map(({ data }) => data).filter((data) => data !== undefined);
}
