import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Environment } from './environment.ts';
import { showProgress } from './show-progress.ts';

const erase = '\r\u001B[2K';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A promise that is settled later. */
function later() {
  let end = (): void => undefined;
  const promise = new Promise<void>((resolve) => (end = resolve));
  return { promise, end };
}

function start(columns = 40, more: Partial<Environment> = {}) {
  let time = 0;
  const written: string[] = [];
  const environment = showProgress(
    {
      workingDirectory: '/',
      variables: {},
      stdoutIsTerminal: true,
      stderrIsTerminal: true,
      toolsDirectories: [],
      columns: () => columns,
      readStdin: async () => '',
      writeStdout: (text) => void written.push(`out:${text}`),
      writeStderr: (text) => void written.push(text),
      ...more,
    } satisfies Environment,
    () => time,
  );
  /** For work that keeps the thread, and for work that does not. */
  const pass = (ms: number): number => (time += ms);
  const wait = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 50) {
      pass(50);
      await vi.advanceTimersByTimeAsync(50);
    }
  };
  return { environment, progress: environment.progress, written, pass, wait };
}

describe('showProgress', () => {
  it('says nothing for half a second, and then not more than can be read', () => {
    const { progress, written, pass } = start();
    progress.print(() => 'one');
    pass(499);
    progress.print(() => 'two');
    expect(written).toEqual([]);
    pass(1);
    progress.print(() => 'three');
    pass(99);
    progress.print(() => 'four');
    pass(1);
    progress.print(() => 'five');
    expect(written).toEqual([`${erase}three`, `${erase}five`]);
  });

  it('is gone before anything else is written, and at the end', () => {
    const { environment, progress, written, pass } = start();
    pass(500);
    progress.print(() => 'x');
    environment.writeStdout('a');
    environment.writeStdout('b');
    pass(100);
    progress.print(() => 'y');
    environment.writeStderr('c');
    progress.clear();
    expect(written).toEqual([`${erase}x`, erase, 'out:a', 'out:b', `${erase}y`, erase, 'c']);
    written.length = 0;
    pass(499);
    progress.print(() => 'z');
    expect(written).toEqual([]);
    pass(1);
    progress.print(() => 'z');
    progress.clear();
    expect(written).toEqual([`${erase}z`, erase]);
  });

  it('stays on one line and steers nothing', () => {
    const { progress, written, pass } = start(10);
    pass(500);
    progress.print(() => `a\u001B[31m\n${'b'.repeat(100)}`);
    expect(written).toHaveLength(1);
    const [line = ''] = written;
    expect(line.slice(erase.length)).toHaveLength(9);
    // oxlint-disable-next-line no-control-regex -- they are what must not be there
    expect(line.slice(erase.length)).not.toMatch(/[\0-\x1f]/);
  });

  it('takes a terminal that says no width for a usual one', () => {
    const { progress, written, pass } = start(0);
    pass(500);
    progress.print(() => 'x'.repeat(79));
    expect(written).toEqual([erase + 'x'.repeat(79)]);
  });

  it.each([
    [{ doing: 'rendering', objects: 0 }, 'rendering'],
    [{ doing: 'rendering', objects: 1 }, 'rendering 1 object'],
    [{ doing: 'laying out', objects: 1_234_567 }, 'laying out 1,234,567 objects'],
    [{ doing: 'checking', objects: 10_000, done: 999 }, 'checking 999 of 10,000 objects'],
  ] as const)('%j', (stage, text) => {
    const { progress, written, pass } = start();
    pass(500);
    progress.onBuild(stage);
    expect(written).toEqual([`${erase}${text}`]);
  });

  it('shows the beginning of each step', () => {
    const { progress, written, pass } = start();
    pass(500);
    progress.onBuild({ doing: 'checking', objects: 2, done: 1 });
    progress.onBuild({ doing: 'checking', objects: 2, done: 2 });
    progress.onBuild({ doing: 'laying out', objects: 2 });
    progress.begin(() => 'writing 2 files');
    expect(written).toEqual([
      `${erase}checking 1 of 2 objects`,
      `${erase}laying out 2 objects`,
      `${erase}writing 2 files`,
    ]);
  });

  it('counts what is read', async () => {
    const { progress, written, pass } = start();
    const files = progress.observeFiles({ readText: () => 'text', list: () => [], kindOf: () => 'file' });
    pass(500);
    for (let index = 0; index < 8; index++) expect(await files.readText('a')).toBe('text');
    expect(written).toEqual([`${erase}reading files: 8`]);
  });

  const request = { allowHost: () => true, maxBytes: 1 };

  it('names the host it waits for, without the query of the address', async () => {
    const { progress, written, pass } = start(80);
    pass(500);
    const fetcher = progress.observeFetcher({ fetch: () => Promise.reject(new Error('no')) });
    const url = 'https://example.com/a/b.tgz?token=secret';
    await expect(fetcher.fetch({ ...request, url })).rejects.toThrow('no');
    await expect(fetcher.fetch({ ...request, url: 'no url' })).rejects.toThrow('no');
    expect(written).toEqual([`${erase}fetching example.com/a/b.tgz`]);
  });

  it('says that something is pushed', async () => {
    const { progress, written, pass } = start(80);
    pass(500);
    const fetcher = progress.observeFetcher({ fetch: () => Promise.reject(new Error('no')) });
    const url = 'https://example.com/v2/a/blobs/uploads/1?state=secret';
    await expect(fetcher.fetch({ ...request, url, method: 'PATCH', intent: 'push' })).rejects.toThrow('no');
    expect(written).toEqual([`${erase}pushing to example.com/v2/a/blobs/uploads/1`]);
  });

  it('counts sources, bytes and seconds of what it fetches', async () => {
    const { progress, written, wait } = start(80);
    const { promise, end } = later();
    let receive: ((bytes: number) => void) | undefined;
    const fetcher = progress.observeFetcher({
      async fetch({ url, onBytes }) {
        receive = onBytes;
        await promise;
        return { url, bytes: new Uint8Array(), headers: {} };
      },
    });
    progress.onBuild({ doing: 'fetching', sources: 7, done: 2 });
    const answer = fetcher.fetch({ ...request, url: 'https://charts.example.com/app-1.2.3.tgz' });
    await wait(450);
    expect(written).toEqual([]);
    await wait(50);
    receive!(1500);
    await wait(500);
    receive!(4_123_456);
    await wait(250);
    end();
    await answer;
    await wait(1000);
    expect(written).toEqual([
      `${erase}fetching charts.example.com/app-1.2.3.tgz (3 of 7)`,
      `${erase}fetching charts.example.com/app-1.2.3.tgz (3 of 7, 2 kB)`,
      `${erase}fetching charts.example.com/app-1.2.3.tgz (3 of 7, 2 kB, 1 s)`,
      `${erase}fetching charts.example.com/app-1.2.3.tgz (3 of 7, 4.1 MB, 1 s)`,
    ]);
  });

  it('shows the oldest of several, and the next when that is done', async () => {
    const { progress, written, wait } = start();
    const [first, second] = [later(), later()];
    const both = [progress.wait('a', () => first.promise), progress.wait('b', () => second.promise)];
    await wait(500);
    first.end();
    await wait(250);
    second.end();
    await Promise.all(both);
    expect(written).toEqual([`${erase}waiting for a`, `${erase}waiting for b`]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('shows what takes long in many short waits', async () => {
    const { progress, written, pass } = start();
    for (let index = 0; index < 8; index++) {
      await progress.wait(`chart ${index}`, () => undefined);
      pass(200);
    }
    expect(written).toEqual([
      `${erase}waiting for chart 3`,
      `${erase}waiting for chart 5`,
      `${erase}waiting for chart 7`,
    ]);
  });

  it('shortens the name of a source, not its numbers', async () => {
    const { progress, written, wait } = start(40);
    const { promise, end } = later();
    progress.onBuild({ doing: 'fetching', sources: 12, done: 0 });
    const fetcher = progress.observeFetcher({ fetch: () => promise.then(() => Promise.reject(new Error('no'))) });
    const answer = fetcher.fetch({ ...request, url: `https://example.com/${'long/'.repeat(10)}` });
    await wait(500);
    end();
    await expect(answer).rejects.toThrow('no');
    expect(written).toEqual([`${erase}fetching example.com/long/lo… (1 of 12)`]);
  });

  it.each([
    [['template', '--values=-', '--', 'shop', './chart'], 'helm template ./chart'],
    [['template', '--values=-', '--', 'shop', '{workspace}/chart.tgz'], 'helm template shop'],
    [['version', '--short'], 'helm version'],
  ])('names the program it waits for: %j', async (args, text) => {
    const { progress, written, pass } = start();
    pass(500);
    const programs = progress.observePrograms({ run: () => ({ exitCode: 0, stdout: 'x', stderr: '' }) });
    expect(await programs.run({ program: 'helm', args })).toMatchObject({ stdout: 'x' });
    expect(written).toEqual([`${erase}waiting for ${text}`]);
  });

  it('does not write over what is typed into standard input', async () => {
    const { promise, end } = later();
    const { environment, written, wait } = start(40, { readStdin: () => promise.then(() => 'text') });
    const text = environment.readStdin();
    await wait(5000);
    end();
    expect(await text).toBe('text');
    expect(written).toEqual([`${erase}waiting for standard input`]);
  });

  it('is gone before a text is paged', async () => {
    const { environment, progress, written, pass } = start(40, {
      page: async (text) => void written.push(`page:${text}`),
    });
    pass(500);
    progress.print(() => 'x');
    await environment.page!('long');
    expect(written).toEqual([`${erase}x`, erase, 'page:long']);
  });
});
