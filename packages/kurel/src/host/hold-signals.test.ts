import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSync } from 'esbuild';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';

// Signals end the whole process, so each case runs the module in its own process.
const place = mkdtempSync(join(tmpdir(), 'kurel-test-'));
const host = join(place, 'host.mjs');
const entry = join(import.meta.dirname, 'index.ts');
buildSync({ entryPoints: [entry], outfile: host, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
afterAll(() => rmSync(place, { recursive: true }));

let count = 0;

function makePlace(): string {
  const directory = join(place, `case-${count++}`);
  mkdirSync(directory);
  return directory;
}

function start(script: string, directory: string): ChildProcess {
  const file = join(directory, 'script.mjs');
  const claim = { owner: { instance: 'shop', layout: 'flat' } };
  writeFileSync(file, `const host = ${JSON.stringify(host)};\nconst claim = ${JSON.stringify(claim)};\n${script}`);
  const env = { ...process.env, TMPDIR: directory };
  return spawn(process.execPath, [file], { cwd: directory, env, stdio: ['ignore', 'inherit', 'inherit'] });
}

async function endOf(child: ChildProcess): Promise<unknown> {
  const [exitCode, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal ?? exitCode;
}

async function waitFor(file: string): Promise<string> {
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(20);
  return readFileSync(file, 'utf8');
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie process counts as ended.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Sends the signal to itself in the middle of each rename. */
const signalInRename = (signal: string): string => `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { renameSync } = fs;
  fs.renameSync = (from, to) => {
    process.kill(process.pid, '${signal}');
    renameSync(from, to);
  };
  syncBuiltinESMExports();
  const { writeOutputDirectory, writeOutputFile } = await import(host);
  setTimeout(() => process.exit(99), 20_000);`;

describe('a signal in the middle of writing', { tags: 'slow' }, () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('waits until a directory is complete: %s', async (signal) => {
    const directory = makePlace();
    const script = `${signalInRename(signal)}
      writeOutputDirectory('out', [{ path: 'a.yaml', text: '1' }, { path: 'b.yaml', text: '2' }], claim);`;
    expect(await endOf(start(script, directory))).toBe(signal);
    expect(readdirSync(join(directory, 'out')).toSorted()).toEqual(['.kurel-inventory', 'a.yaml', 'b.yaml']);
  });

  it('waits until a file is written', async () => {
    const directory = makePlace();
    expect(await endOf(start(`${signalInRename('SIGTERM')} writeOutputFile('out/a.yaml', '1');`, directory))).toBe(
      'SIGTERM',
    );
    expect(readdirSync(join(directory, 'out'))).toEqual(['a.yaml']);
  });

  it('is left to other listeners', async () => {
    const script = `${signalInRename('SIGTERM')}
      process.once('SIGTERM', () => setTimeout(() => process.exit(7), 100));
      writeOutputDirectory('out', [{ path: 'a.yaml', text: '1' }], claim);`;
    expect(await endOf(start(script, makePlace()))).toBe(7);
  });

  it('has no listener afterwards', async () => {
    const script = `
      import { setImmediate as turn } from 'node:timers/promises';
      const { writeOutputDirectory } = await import(host);
      writeOutputDirectory('out', [{ path: 'a.yaml', text: '1' }], claim);
      writeOutputDirectory('out', [{ path: 'a.yaml', text: '2' }], claim);
      for (let turns = 0; turns < 2; turns++) await turn();
      process.exit(process.listenerCount('SIGINT') + process.listenerCount('SIGTERM') + process.listenerCount('SIGHUP'));`;
    expect(await endOf(start(script, makePlace()))).toBe(0);
  });
});

describe('a signal during a watch', { tags: 'slow' }, () => {
  it('always has a listener', async () => {
    const script = `
      import { setImmediate as turn } from 'node:timers/promises';
      const { watchReads, writeOutputDirectory } = await import(host);
      const watch = watchReads({ workingDirectory: process.cwd(), report: () => undefined });
      writeOutputDirectory('out', [{ path: 'a.yaml', text: '1' }], claim);
      for (let turns = 0; turns < 4; turns++) await turn();
      const during = process.listenerCount('SIGHUP');
      watch.close();
      for (let turns = 0; turns < 4; turns++) await turn();
      process.exit(during * 10 + process.listenerCount('SIGHUP'));`;
    expect(await endOf(start(script, makePlace()))).toBe(10);
  });
});

describe('a signal while a program runs', { tags: 'slow' }, () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'stops it with its children and removes its files: %s',
    async (signal) => {
      const directory = makePlace();
      const tools = join(directory, 'tools');
      const sign = join(directory, 'started');
      mkdirSync(tools);
      writeFileSync(
        join(tools, 'helm'),
        `#!${process.execPath}
      const child = require('node:child_process').spawn('sleep', ['300'], { stdio: 'inherit' });
      require('node:fs').writeFileSync(${JSON.stringify(sign)}, [process.pid, child.pid].join(' '));
      setInterval(() => {}, 1000);\n`,
      );
      chmodSync(join(tools, 'helm'), 0o755);
      const child = start(
        `const { programRunner } = await import(host);
      const runner = programRunner({ environment: { KUREL_TOOLS: ${JSON.stringify(tools)}, PATH: process.env.PATH } });
      const workspace = { token: '@@', files: new Map([['a', '1']]) };
      await runner.run({ program: 'helm', args: [], workspace, network: true });`,
        directory,
      );
      const pids = (await waitFor(sign)).split(' ').map(Number);
      onTestFinished(() => {
        for (const pid of pids) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
      });
      expect(readdirSync(directory).filter((name) => name.startsWith('kurel-'))).toHaveLength(1);
      expect(pids.map((pid) => isRunning(pid))).toEqual([true, true]);
      child.kill(signal);
      expect(await endOf(child)).toBe(signal);
      expect(readdirSync(directory).filter((name) => name.startsWith('kurel-'))).toEqual([]);
      while (pids.some((pid) => isRunning(pid))) await sleep(20);
    },
  );
});
