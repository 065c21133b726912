import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { programWords } from './kurel-program.ts';
import { isIsolating, runContainer } from './run-container.ts';
import { repository } from './source-tree.ts';

// The built program, as a shell runs it.
const [program, ...programFiles] = programWords;
let place = '';
let child: ChildProcess | undefined;
beforeEach(() => (place = mkdtempSync(join(tmpdir(), 'kurel-watch-'))));
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(place, { recursive: true, force: true });
});

function start(words: readonly string[]) {
  const started = spawn(program, [...programFiles, ...words, '--watch'], {
    cwd: place,
    env: { PATH: process.env['PATH'], XDG_CACHE_HOME: join(place, 'cache') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child = started;
  let stderr = '';
  started.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve) => {
    started.once('exit', (code, signal) => resolve([code, signal]));
  });
  return {
    ended,
    child: started,
    async until(pattern: RegExp) {
      const deadline = performance.now() + 30_000;
      while (!pattern.test(stderr)) {
        if (performance.now() > deadline) throw new Error(`timed out waiting for ${pattern}:\n${stderr}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}

function writeInput(version: number): void {
  mkdirSync(join(place, 'in'), { recursive: true });
  for (let index = 0; index < 30; index++) {
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c${index}\ndata:\n  version: "${version}"\n`;
    writeFileSync(join(place, 'in', `${index}.yaml`), text);
  }
}

interface Owned {
  readonly files: Readonly<Record<string, string>>;
  readonly next?: object;
}

/** The output matches the inventory, and no file was being replaced. */
function expectWhole(directory: string): void {
  const text = readFileSync(join(place, directory, '.kurel-inventory'), 'utf8');
  const { owners } = JSON.parse(text) as { readonly owners: readonly Owned[] };
  expect(owners).toHaveLength(1);
  const { files, next } = owners[0]!;
  expect(next).toBeUndefined();
  expect(Object.keys(files)).toHaveLength(30);
  for (const [file, digest] of Object.entries(files)) {
    const bytes = readFileSync(join(place, directory, file));
    expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(digest);
  }
  expect(readdirSync(join(place, directory)).filter((name) => name.startsWith('.kurel-staging-'))).toEqual([]);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), text);
}

function edit(path: string, from: string, to: string): void {
  const text = readFileSync(join(place, path), 'utf8');
  expect(text).toContain(from);
  write(path, text.replace(from, to));
}

/** Waits until the output is what another process writes that has never seen the input before. */
async function untilFresh(words: readonly string[]): Promise<void> {
  rmSync(join(place, 'fresh'), { recursive: true, force: true });
  const { status, stderr } = spawnSync(program, [...programFiles, ...words, '-o', 'fresh'], {
    cwd: place,
    env: { PATH: process.env['PATH'], XDG_CACHE_HOME: join(place, 'cache') },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const inventoryOf = (directory: string): string => {
    const file = join(place, directory, '.kurel-inventory');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  const deadline = performance.now() + 30_000;
  while (inventoryOf('out') !== inventoryOf('fresh')) {
    if (performance.now() > deadline) expect(inventoryOf('out')).toBe(inventoryOf('fresh'));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe.skipIf(process.platform === 'win32')('a process with --watch', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends by %s, which its shell then knows',
    async (signal) => {
      writeInput(1);
      const watch = start(['build', 'in', '-o', 'out']);
      await watch.until(/watching/);
      watch.child.kill(signal);
      expect(await watch.ended).toEqual([null, signal]);
      expectWhole('out');
    },
    60_000,
  );

  // The kernel does not end such a process by itself.
  it.runIf(isIsolating).each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    'ends by %s as process 1 of a container',
    async (signal, exitCode) => {
      writeInput(1);
      const container = runContainer({
        words: [...programWords, 'build', 'in', '-o', 'out', '--watch'],
        variables: { PATH: process.env['PATH']!, XDG_CACHE_HOME: join(place, 'cache') },
        directory: place,
        hostname: 'container',
        user: 0,
      });
      onTestFinished(() => container.kill('SIGKILL'));
      while (!existsSync(join(place, 'out')) && !container.hasEnded()) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      container.kill(signal);
      expect(await container.ended).toBe(exitCode);
      expectWhole('out');
    },
    60_000,
  );

  it('leaves no half of an output, whenever it is ended', async () => {
    for (let run = 0; run < 6; run++) {
      rmSync(join(place, 'out'), { recursive: true, force: true });
      writeInput(1);
      const watch = start(['build', 'in', '-o', 'out']);
      await watch.until(/watching/);
      writeInput(2);
      await new Promise((resolve) => setTimeout(resolve, 90 + run * 12));
      watch.child.kill('SIGINT');
      await watch.ended;
      expectWhole('out');
    }
  }, 120_000);

  it('goes on until it is ended, when all input is gone as well', async () => {
    writeInput(1);
    const watch = start(['build', 'in', '-o', 'out']);
    await watch.until(/watching 30 files and 1 directory; Ctrl-C ends/);
    rmSync(join(place, 'in'), { recursive: true });
    await watch.until(/in(?:\/\d+\.yaml)? is gone[^]*failed in \d+ ms; nothing written/);
    writeInput(3);
    await watch.until(/30 objects, 0 errors in \d+ ms; \d+ files changed/);
    expectWhole('out');
  }, 60_000);

  it('gives what a new process gives, run after run', async () => {
    const examples = join(repository, 'examples');
    cpSync(join(examples, 'packages', 'hello.kurel'), join(place, 'hello.kurel'), { recursive: true });
    const words = ['build', 'hello.kurel', '--patch', 'more.kpatch'];
    write('more.kpatch', '[deployment.hello]\nspec.paused: true\n');
    const watch = start([...words, '-o', 'out']);
    await untilFresh(words);
    edit('hello.kurel/parameters.yaml', 'replicas: 2', 'replicas: 7');
    await untilFresh(words);
    edit('more.kpatch', 'true', 'false');
    await untilFresh(words);
    edit('hello.kurel/resources/deployment.yaml', 'name: hello', 'name: hello # said');
    await untilFresh(words);
    edit('hello.kurel/parameters.yaml', 'replicas: 7', 'replicas: 2');
    await untilFresh(words);
    watch.child.kill('SIGINT');
    await watch.ended;
  }, 120_000);

  it('gives what a new process gives, of an application and its platform', async () => {
    const examples = join(repository, 'examples', 'applications', 'web');
    cpSync(examples, join(place, 'web'), { recursive: true });
    cpSync(join(examples, 'gateway.yaml'), join(place, 'profile.yaml'));
    cpSync(join(examples, 'package', 'examples', 'minimal.yaml'), join(place, 'values.yaml'));
    const words = ['build', 'web/package', '--profile', 'profile.yaml', '--values', 'values.yaml'];
    start([...words, '-o', 'out']);
    await untilFresh(words);
    cpSync(join(examples, 'ingress.yaml'), join(place, 'profile.yaml'));
    await untilFresh(words);
    cpSync(join(examples, 'gateway.yaml'), join(place, 'profile.yaml'));
    await untilFresh(words);
  }, 120_000);
});
