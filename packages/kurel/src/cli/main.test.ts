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

  async function run(words: readonly string[], { stdout, closed }: { stdout?: number; closed?: 'stdout' | 'stderr' }) {
    const child = spawn(process.execPath, [program.file, ...words], { stdio: ['ignore', stdout ?? 'pipe', 'pipe'] });
    if (closed !== undefined) child[closed]!.destroy();
    const ended = new Promise((done) => void child.once('exit', done));
    const stderr = closed === 'stderr' ? '' : await text(child.stderr!);
    return { exitCode: await ended, stderr };
  }

  it('succeeds if the reader of its output has closed the pipe', async () => {
    expect(await run(['help'], { closed: 'stdout' })).toEqual({ exitCode: 0, stderr: '' });
  });

  it('fails if its output cannot be written', async () => {
    const { exitCode, stderr } = await run(['help'], { stdout: openSync('/dev/full', 'w') });
    expect(stderr).toMatch(/^error: cannot write to standard output: .*ENOSPC.*\n$/);
    expect(exitCode).toBe(1);
  });

  it('fails if nobody reads its messages', async () => {
    const words = ['build', import.meta.dirname, '--watch', '--output', join(program.file, '..', 'out')];
    expect(await run(words, { closed: 'stderr' })).toMatchObject({ exitCode: 1 });
  });
});
