import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  type watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Diagnostic } from '../model/index.ts';
import { recordReads } from '../reads/index.ts';
import { diskFileSystem } from './disk-file-system.ts';
import { createReadRecord, type ReadRecord } from './read-record.ts';
import { watchReads, type ReadWatchOptions } from './watch-reads.ts';

let place = '';
let controller = new AbortController();
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'kurel-reads-')));
  controller = new AbortController();
});
afterEach(() => {
  controller.abort();
  rmSync(place, { recursive: true, force: true });
});

/** Longer than any test, so that changes are found only through events. */
const longMs = 3_600_000;
const longAgo = new Date(2020, 1, 1);

function write(path: string, text: string): void {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), text);
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50));
}

function record(output?: string): ReadRecord {
  return createReadRecord({
    workingDirectory: place,
    output: output === undefined ? undefined : join(place, output),
  });
}

/** The changes since the run, by name. */
function changesIn(reads: ReadRecord): readonly string[] {
  return reads.changesTo(reads.look()).map(({ path, what }) => `${path.slice(place.length + 1)} ${what}`);
}

function start(options: Partial<ReadWatchOptions> = {}) {
  const found: Diagnostic[] = [];
  const { signal } = controller;
  const watching = watchReads({
    workingDirectory: place,
    signal,
    report: (diagnostic) => void found.push(diagnostic),
    ...options,
  });
  return { found, watching };
}

describe('createReadRecord', () => {
  it('finds changes of files that were read, listed or looked for', async () => {
    write('a/one.yaml', '1');
    write('a/two.yaml', '2');
    await pause();
    const reads = record();
    const files = recordReads({ fileSystem: diskFileSystem({ workingDirectory: place }) }, reads).fileSystem;
    await files.list('a');
    await files.readText('a/one.yaml');
    await files.kindOf('a/two.yaml');
    expect(await files.kindOf('later.yaml')).toBeUndefined();
    expect(changesIn(reads)).toEqual([]);
    expect([reads.count('content'), reads.count('names'), reads.count('kind')]).toEqual([1, 1, 2]);
    write('a/one.yaml', 'other');
    write('a/three.yaml', '3');
    // Only its existence was checked.
    write('a/two.yaml', 'other');
    write('later.yaml', '');
    expect(changesIn(reads)).toEqual(['a/one.yaml changed', 'a/three.yaml new', 'later.yaml new']);
    rmSync(join(place, 'a'), { recursive: true });
    expect(changesIn(reads)).toEqual(['a gone', 'a/one.yaml gone', 'a/two.yaml gone', 'later.yaml new']);
  });

  it('finds a change that keeps the size and time of a file', async () => {
    write('a', '1');
    utimesSync(join(place, 'a'), longAgo, longAgo);
    await pause();
    const reads = record();
    reads.note('a', 'content');
    write('a', '2');
    utimesSync(join(place, 'a'), longAgo, longAgo);
    expect(changesIn(reads)).toEqual(['a changed']);
  });

  it('does not trust the time of a file that was just written', async () => {
    const reads = record();
    write('a', '1');
    reads.note('a', 'content');
    await pause();
    expect(changesIn(reads)).toEqual(['a changed']);
  });

  it('ignores the output, installed packages and temporary files of editors', async () => {
    write('a/one.yaml', '1');
    write('out/b.yaml', '1');
    const reads = record('a/out');
    for (const path of ['a', '.', 'a/out', 'node_modules/x', 'a/node_modules']) reads.note(path, 'names');
    for (const path of ['a/out/x.yaml', 'node_modules/x/y.yaml', '.git/HEAD']) reads.note(path, 'content');
    expect(Array.from(reads.places(), ({ path }) => path)).toEqual([join(place, 'a'), place]);
    write('a/out/x.yaml', '1');
    for (const name of ['.one.yaml.swp', 'one.yaml~', '4913', '#one.yaml#', '.kurel-staging-abcdef/x', 'one.yaml.tmp'])
      write(`a/${name}`, '1');
    write('node_modules/x/y.yaml', '1');
    expect(changesIn(reads)).toEqual([]);
  });

  it('treats files near the arguments of a program as read', async () => {
    write('chart/Chart.yaml', '1');
    write('chart/templates/deep/a.yaml', '1');
    await pause();
    const reads = record();
    reads.noteProgram({ program: 'helm', args: ['template', '--values=-', '--', 'name', './chart'] });
    write('chart/templates/deep/a.yaml', '2');
    write('chart/templates/b.yaml', '2');
    expect(changesIn(reads)).toEqual(['chart/templates/b.yaml new', 'chart/templates/deep/a.yaml changed']);
  });
});

describe('watchReads', () => {
  it('waits until changes have settled', { tags: 'slow', timeout: 30_000 }, async () => {
    write('a', '1');
    await pause();
    const { watching, found } = start({ lookMs: longMs });
    const reads = record();
    reads.note('a', 'content');
    const waiting = watching.next(reads);
    await pause();
    for (let step = 0; step < 5; step++) {
      write('a', `${step}`);
      await pause();
    }
    write('a', 'done');
    expect(await waiting).toEqual([{ path: join(place, 'a'), what: 'changed' }]);
    expect(found).toEqual([]);
    watching.close();
  });

  it('finds earlier changes at once', async () => {
    write('a', '1');
    await pause();
    const reads = record();
    reads.note('a', 'content');
    write('a', '2');
    const { watching } = start();
    expect(await watching.next(reads)).toHaveLength(1);
    watching.close();
  }, 30_000);

  it('watches a directory that replaced another', { tags: 'slow', timeout: 30_000 }, async () => {
    write('a/b/c/f', '1');
    await pause();
    const { watching } = start({ lookMs: longMs });
    const first = record();
    first.note('a/b/c/f', 'content');
    const waiting = watching.next(first);
    await pause();
    write('next/b/c/f', '2');
    renameSync(join(place, 'a'), join(place, 'before'));
    renameSync(join(place, 'next'), join(place, 'a'));
    expect(await waiting).toHaveLength(1);
    const second = record();
    second.note('a/b/c/f', 'content');
    const again = watching.next(second);
    await pause();
    write('a/b/c/f', '3');
    expect(await again).toHaveLength(1);
    watching.close();
  });

  it('returns nothing if aborted', async () => {
    const { watching } = start();
    const reads = record();
    reads.note('a', 'content');
    const waiting = watching.next(reads);
    controller.abort();
    expect(await waiting).toEqual([]);
    watching.close();
  }, 30_000);

  it.each(['ENOSPC', 'EMFILE', 'EACCES'])(
    'polls if the system reports %s',
    { tags: 'slow', timeout: 30_000 },
    async (code) => {
      write('a', '1');
      await pause();
      const refuse = (() => {
        throw Object.assign(new Error(code), { code });
      }) as unknown as typeof watch;
      const { watching, found } = start({ watch: refuse });
      for (const text of ['2', '3']) {
        const reads = record();
        reads.note('a', 'content');
        const waiting = watching.next(reads);
        await pause();
        write('a', text);
        expect(await waiting).toHaveLength(1);
        await pause();
      }
      expect(found.map((one) => one.code)).toEqual(['watch-polling']);
      watching.close();
    },
  );

  it('polls if there are too many directories', { tags: 'slow', timeout: 30_000 }, async () => {
    for (const name of ['a', 'b', 'c']) write(`${name}/f`, '1');
    await pause();
    const { watching, found } = start({ mostDirectories: 3 });
    const reads = record();
    for (const name of ['a', 'b', 'c']) reads.note(`${name}/f`, 'content');
    const waiting = watching.next(reads);
    await pause();
    write('c/f', '2');
    expect(await waiting).toHaveLength(1);
    expect(found.map(({ message }) => message)).toEqual([
      'looking for changes twice a second, because there are more than 3 directories',
    ]);
    watching.close();
  });
});
