import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram } from '../../test/hostile-process.ts';

// The entry point in a process of its own, because it decides how the process ends.
describe('the process', { tags: 'slow' }, () => {
  let program: Awaited<ReturnType<typeof bundleProgram>>;
  beforeAll(async () => {
    program = await bundleProgram(join(import.meta.dirname, 'main.ts'));
  }, 60_000);
  afterAll(() => program.remove());

  interface Surroundings {
    readonly stdout?: number;
    readonly closed?: 'stdout' | 'stderr';
    /** Code that runs before the program. */
    readonly preload?: string;
  }

  async function run(words: readonly string[], { stdout, closed, preload = '' }: Surroundings) {
    const imported = `data:text/javascript,${encodeURIComponent(preload)}`;
    const child = spawn(process.execPath, ['--import', imported, program.file, ...words], {
      stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
      timeout: 15_000,
    });
    if (closed !== undefined) child[closed]!.destroy();
    const ended = new Promise((done) => void child.once('exit', done));
    const stderr = closed === 'stderr' ? '' : await text(child.stderr!);
    return { exitCode: await ended, stderr };
  }

  /** Does not end by itself. */
  const watching = () => ['build', import.meta.dirname, '--watch', '--output', join(program.file, '..', 'out')];

  it('succeeds if the reader of its output has closed the pipe', async () => {
    expect(await run(['help'], { closed: 'stdout' })).toEqual({ exitCode: 0, stderr: '' });
  });

  it.skipIf(process.platform !== 'linux')('fails if its output cannot be written', async () => {
    const { exitCode, stderr } = await run(['help'], { stdout: openSync('/dev/full', 'w') });
    expect(stderr).toMatch(/^error: cannot write to standard output: .*ENOSPC.*\n$/);
    expect(exitCode).toBe(1);
  });

  it('fails if nobody reads its messages', async () => {
    expect(await run(watching(), { closed: 'stderr' })).toMatchObject({ exitCode: 1 });
  });

  it('reports an error in a callback', async () => {
    const preload = `setInterval(() => {
      if (process.listenerCount('uncaughtException') > 0) throw new Error('broken');
    }, 1)`;
    const { exitCode, stderr } = await run(watching(), { preload });
    expect(stderr).toMatch(/^error\[internal-error\]: internal error \(Error\)/m);
    expect(exitCode).toBe(1);
  });
});
