import { describe, expect, it } from 'vitest';

import type { Environment } from './environment.ts';
import { showProgress } from './show-progress.ts';

const erase = '\r\u001B[2K';

function start(columns = 40) {
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
    } satisfies Environment,
    { now: () => time },
  );
  return { environment, progress: environment.progress, written, pass: (ms: number) => (time += ms) };
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
    [{ doing: 'rendering', objects: 1 }, 'rendering 1 object'],
    [{ doing: 'laying out', objects: 1_234_567 }, 'laying out 1,234,567 objects'],
    [{ doing: 'checking', objects: 10_000, done: 999 }, 'checking 999 of 10,000 objects'],
  ] as const)('%j', (stage, text) => {
    const { progress, written, pass } = start();
    pass(500);
    progress.onBuild(stage);
    expect(written).toEqual([`${erase}${text}`]);
  });

  it('counts what is read', async () => {
    const { progress, written, pass } = start();
    const files = progress.observeFiles({ readText: () => 'text', list: () => [], kindOf: () => 'file' });
    pass(500);
    for (let index = 0; index < 8; index++) expect(await files.readText('a')).toBe('text');
    expect(written).toEqual([`${erase}reading files: 8`]);
  });

  it('names the host it waits for, without the query of the address', async () => {
    const { progress, written, pass } = start(80);
    pass(500);
    const programs = progress.observePrograms({ run: () => ({ exitCode: 0, stdout: 'x', stderr: '' }) });
    expect(await programs.run({ program: 'helm', args: ['template', '--', 'name', './chart'] })).toMatchObject({
      stdout: 'x',
    });
    pass(100);
    const fetcher = progress.observeFetcher({
      fetch: () => Promise.reject(new Error('no')),
    });
    const url = 'https://example.com/a/b.tgz?token=secret';
    await expect(fetcher.fetch({ url, allowHost: () => true, maxBytes: 1 })).rejects.toThrow('no');
    expect(written).toEqual([`${erase}helm template ./chart`, `${erase}fetching example.com/a/b.tgz`]);
  });
});
