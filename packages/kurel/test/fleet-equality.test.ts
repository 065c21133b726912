import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createRandom } from '../../../fuzz/random.ts';
import { createFleetProject, inlineValues, readFiles } from './fleet-project.ts';
import { executable, programWords } from './kurel-program.ts';
import { runProgram } from './run-program.ts';
import { repository } from './source-tree.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-'));
const [program, ...programFiles] = programWords;
const preload = join(repository, 'packages', 'kurel', 'test', 'shuffle-listings.cjs');
const tools = join(repository, '.tools', 'bin');
const { directory } = createFleetProject(join(place, 'project'));
let expected: Readonly<Record<string, string>> = {};

interface ListedTarget {
  readonly name: string;
  readonly application: string;
  readonly set: readonly unknown[];
  readonly command: string;
}

beforeAll(async () => {
  const { exitCode } = await runProgram(['fleet', 'build'], { workingDirectory: directory });
  expect(exitCode).toBe(0);
  expected = readFiles(join(directory, 'rendered'));
}, 60_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe('kurel fleet build', () => {
  it('writes what the single commands write', { tags: 'slow' }, async () => {
    const { stdout } = await runProgram(['fleet', 'list', '--format', 'json'], { workingDirectory: directory });
    const { targets } = JSON.parse(stdout) as { readonly targets: readonly ListedTarget[] };
    expect(targets).toHaveLength(24);
    // Another copy, because Flux objects and inventories contain relative paths of the output.
    const { directory: single } = createFleetProject(join(place, 'single'));
    for (const { name, application, set, command } of targets) {
      const [, ...words] = command.split(' ');
      const inline = Object.hasOwn(inlineValues, application) ? ['--values', `inline/${application}.yaml`] : [];
      expect(set).toHaveLength(inline.length / 2);
      const { exitCode } = await runProgram([...words, ...inline], { workingDirectory: single });
      expect({ name, exitCode }).toEqual({ name, exitCode: 0 });
    }
    expect(readFiles(join(single, 'rendered'))).toEqual(expected);
  });

  it.each([1, 2, 4])(
    'writes the same with --jobs %i, in whatever order a disk lists files',
    { tags: 'slow' },
    async (jobs) => {
      const { directory: own } = createFleetProject(join(place, `jobs-${jobs}`));
      const { stderr } = await promisify(execFile)(
        program,
        // An executable loads nothing else, so its listings are as the disk gives them.
        [
          ...(executable === undefined ? ['--require', preload] : []),
          ...programFiles,
          'fleet',
          'build',
          '--jobs',
          `${jobs}`,
        ],
        { cwd: own, env: { PATH: `${tools}:${process.env['PATH']}`, SHUFFLE_SEED: `${jobs}` } },
      );
      expect(stderr).toMatch(
        /reference-missing[^]*in: c0\/file, c1\/file, c2\/file, c3\/file, c4\/file\n[^]*24 targets: 24 built\n$/,
      );
      expect(readFiles(join(own, 'rendered'))).toEqual(expected);
    },
  );

  it('writes the same after it was killed', { tags: 'slow' }, async () => {
    const random = createRandom(7);
    const patterns = ['*/web', '*/hello', '*/api', '*/file'];
    const own = Object.fromEntries(
      Object.entries(expected).filter(([path]) => !/^c\d\/(?:chart|kustomize)\//.test(path)),
    );
    const wholes: boolean[] = [];
    for (let round = 0; round < 3; round++) {
      const { directory: project } = createFleetProject(join(place, `killed-${round}`));
      const env = { PATH: process.env['PATH'], XDG_CACHE_HOME: join(place, `cache-${round}`) };
      const words = [...programFiles, 'fleet', 'build', '--jobs', '2', ...patterns];
      const child = spawn(program, words, { cwd: project, env, stdio: 'ignore' });
      const ended = new Promise<boolean>((resolve) => {
        child.once('exit', (_, signal) => resolve(signal === null));
      });
      // By time, a fast program would have ended, and a slow one would not have begun to write.
      const enough = 1 + random.below(12);
      const watch = setInterval(() => {
        if (countFiles(join(project, 'rendered')) >= enough) child.kill('SIGKILL');
      }, 1);
      wholes.push(await ended);
      clearInterval(watch);
      const { stderr } = await promisify(execFile)(program, words, { cwd: project, env });
      expect(stderr).toMatch(/\n20 targets: .*\n$/);
      expect(readFiles(join(project, 'rendered'))).toEqual(own);
    }
    expect(wholes).toContain(false);
  });
});

function countFiles(path: string): number {
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
  } catch {
    // It does not exist yet, or the program has just moved a directory.
    return 0;
  }
}
