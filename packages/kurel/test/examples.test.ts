import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { isAccepted } from '../src/forms/patch-package/schema/validate-values.ts';
import type { Json, JsonObject } from '../src/model/index.ts';
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

describe('the example fleet', () => {
  let directory = '';
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'kurel-fleet-'))));
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('builds without warnings, and gives what single builds give', async () => {
    // The outputs of someone who tries the example are not part of it.
    cpSync(join(repository, 'examples/fleet'), directory, {
      recursive: true,
      filter: (path) => !/rendered$|\.outputs$/.test(path),
    });
    const options = { workingDirectory: directory };
    const built = await runProgram(['fleet', 'build'], options);
    expect(built).toEqual({ exitCode: 0, stdout: '', stderr: '6 targets: 6 built; 2 findings accepted\n' });
    const { stdout } = await runProgram(['fleet', 'list', '--format', 'json'], options);
    const { targets } = JSON.parse(stdout) as { readonly targets: readonly { name: string; command: string }[] };
    for (const { name, command } of targets.filter((one) => !one.name.endsWith('/worker'))) {
      const [, ...words] = command.split(' ');
      expect({ name, ...(await runProgram([...words, '--check'], options)) }).toMatchObject({ name, exitCode: 0 });
    }
  });

  it('is valid to an editor', async () => {
    const { stdout } = await runProgram(['schema', 'fleet']);
    const [fleet] = dataOf(readFileSync(join(repository, 'examples/fleet/kurel.fleet.yaml'), 'utf8'));
    expect(isAccepted(fleet as Json, JSON.parse(stdout) as JsonObject)).toBe(true);
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
