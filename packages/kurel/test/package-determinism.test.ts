import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { listFiles, repository } from './source-tree.ts';

const runs = 100;
const atOnce = 4;
const program = join(repository, 'packages', 'kurel', 'bin', 'kurel.cjs');
const preload = join(repository, 'packages', 'kurel', 'test', 'shuffle-listings.cjs');

describe('building a package', () => {
  let scratch = '';
  beforeAll(() => (scratch = mkdtempSync(join(tmpdir(), 'kurel-determinism-'))));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it(`gives the same bytes ${runs} times, in whatever order a disk lists files`, async () => {
    // A stream shows the order of the objects, the layout for Flux that of files and lists.
    const outcomes = { stream: new Set<string>(), flux: new Set<string>() };
    const listings = new Set<string>();
    let next = 0;
    const work = async (): Promise<void> => {
      for (let run = next++; run < runs; run = next++) {
        const layout = run % 2 === 0 ? 'stream' : 'flux';
        const { files, listing } = await buildShuffled({ directory: join(scratch, `${run}`), layout, run });
        outcomes[layout].add(files);
        listings.add(listing);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    expect(listings.size).toBeGreaterThan(runs / 2);
    for (const texts of [outcomes.stream, outcomes.flux]) {
      expect(texts.size).toBe(1);
      expect([...texts][0]).toContain('kind: StatefulSet');
    }
  });

  /** All that a fresh process writes and prints, and the orders in which it saw directories. */
  async function buildShuffled({ directory, layout, run }: Run): Promise<{ files: string; listing: string }> {
    const example = 'examples/packages/gitea.kurel';
    const words = ['build', example, '--values', `${example}/examples/production.yaml`, '--layout', layout];
    const output = layout === 'stream' ? [] : ['--output', `${directory}/`];
    const log = `${directory}.log`;
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--require', preload, program, ...words, ...output],
      {
        cwd: repository,
        env: { PATH: process.env['PATH'], XDG_CACHE_HOME: scratch, SHUFFLE_SEED: `${run}`, SHUFFLE_LOG: log },
      },
    );
    const paths = layout === 'stream' ? [] : listFiles(directory, '.yaml');
    const files = paths.map((path) => `${path}\n${readFileSync(join(directory, path), 'utf8')}`);
    const printed = `${stdout}${stderr}`.replaceAll(directory, '');
    return { files: [printed, ...files].join('\n'), listing: readFileSync(log, 'utf8') };
  }
});

interface Run {
  readonly directory: string;
  readonly layout: string;
  readonly run: number;
}
