import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

  describe.skipIf(process.platform !== 'linux')('with a closed standard output', () => {
    const place = mkdtempSync(join(tmpdir(), 'kurel-streams-'));
    const manifest = join(place, 'web.yaml');
    writeFileSync(manifest, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n');
    writeFileSync(join(place, 'wrong.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Web}\n');
    afterAll(() => rmSync(place, { recursive: true, force: true }));

    /** As a shell starts it. */
    const runIn = (words: readonly string[], redirections: string) => {
      const script = `"$0" "$@" ${redirections}; exit $?`;
      const { status, stdout, stderr } = spawnSync('sh', ['-c', script, process.execPath, program.file, ...words], {
        cwd: place,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], XDG_CACHE_HOME: place },
        input: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: stdin}\n',
      });
      return { status, stdout, stderr };
    };
    const closed = 'error: cannot write to standard output: it is closed\n   = hint: to discard it, use > /dev/null\n';
    const printing: readonly (readonly string[])[] = [
      ['build', 'web.yaml'],
      ['build', '-'],
      ['images', 'web.yaml', '--format', 'json'],
      ['explain', 'web.yaml', 'ConfigMap/web'],
      ['diff', 'web.yaml', '-'],
      ['help'],
      ['version', '--json'],
      ['completion', 'bash'],
    ];

    it.each(printing)('fails: %s %s', (...words) => {
      expect(runIn(words, '>&-')).toMatchObject({ status: 1, stderr: closed });
    });

    it('writes into no file that it opens', () => {
      runIn(['build', 'web.yaml'], '>&-');
      expect(readFileSync(manifest, 'utf8')).toMatch(/^apiVersion: v1\nkind: ConfigMap\nmetadata: \{name: web\}\n$/);
      expect(runIn(['build', 'web.yaml', '-o', 'out/'], '>&- 2>&-')).toMatchObject({ status: 0 });
      expect(readdirSync(join(place, 'out')).filter((name) => !name.startsWith('.'))).toHaveLength(1);
    });

    it('fails without a message if nobody could read it', () => {
      expect(runIn(['version'], '>&- 2>&-')).toMatchObject({ status: 1 });
    });

    it('succeeds if nothing has to be written, or if the exit code says it', () => {
      expect(runIn(['version'], '>/dev/null')).toMatchObject({ status: 0, stderr: '' });
      expect(runIn(['validate', 'web.yaml'], '>&-')).toMatchObject({ status: 0 });
      expect(runIn(['validate', 'wrong.yaml'], '>&-')).toMatchObject({ status: 1 });
      expect(runIn(['build', 'wrong.yaml', '--strict'], '2>&-')).toMatchObject({ status: 1 });
    });

    it.each(['ignore', 'pipe'] as const)('succeeds if a program ignores its output, with input: %s', (input) => {
      for (const messages of ['ignore', 'pipe'] as const) {
        const stdio = [input, 'ignore', messages] as const;
        const { status } = spawnSync(process.execPath, [program.file, 'build', manifest], { stdio: [...stdio] });
        expect(status).toBe(0);
      }
    });

    it.each(['timeout 60', 'env -i timeout 60', 'timeout 60 timeout 60'])(
      'fails below another program: %s',
      (before) => {
        const script = `${before} "$0" "$@" >&-; exit $?`;
        const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, program.file, 'version'], {
          encoding: 'utf8',
        });
        expect({ status, stderr }).toEqual({ status: 1, stderr: closed });
      },
    );

    it('succeeds in a script whose output is ignored', () => {
      const script = `"$0" "$@"; exit $?`;
      for (const shell of ['sh', 'timeout']) {
        const words = shell === 'sh' ? ['-c', script] : ['60', 'sh', '-c', script];
        const stdio = ['ignore', 'ignore', 'pipe'] as const;
        const run = [...words, process.execPath, program.file, 'build', manifest];
        const { status, stderr } = spawnSync(shell, run, { stdio: [...stdio], encoding: 'utf8' });
        expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      }
    });

    it('reports that nothing can be read from a closed standard input', () => {
      expect(runIn(['build', '-'], '<&-')).toMatchObject({ status: 1, stdout: '' });
    });

    it('keeps its exit code if the reader of findings has closed the pipe', () => {
      const script = `{ "$0" "$@"; echo $? >&2; } | true`;
      const words = [program.file, 'validate', ...Array.from({ length: 300 }, () => 'wrong.yaml')];
      const { stderr } = spawnSync('sh', ['-c', script, process.execPath, ...words], { cwd: place, encoding: 'utf8' });
      expect(stderr).toBe('1\n');
    });
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
