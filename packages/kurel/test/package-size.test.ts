import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { packPackage, type PackedPackage } from './pack-package.ts';
import { repository } from './source-tree.ts';

interface Sizes {
  readonly [what: string]: number;
}

/** In bytes: a few per cent above what was recorded last. The files are those that a plain start reads. */
const ceilings: Readonly<Record<string, Sizes>> = {
  kurel: {
    packed: 2_390_000,
    unpacked: 7_850_000,
    'dist/cli/start.cjs': 8_000,
    'dist/cli/main.cjs': 68_000,
    'dist/cli/work.cjs': 760_000,
  },
  jq: { packed: 70_000, unpacked: 272_000 },
};
const update = process.env['UPDATE_CASES'] === '1';
const record = join(repository, 'packages', 'kurel', 'test', 'package-sizes.json');
const recorded: Readonly<Record<string, Sizes>> = JSON.parse(readFileSync(record, 'utf8'));

describe('the size of the packages', () => {
  it('stays within its budget', { timeout: 120_000 }, () => {
    const directory = mkdtempSync(join(tmpdir(), 'kurel-size-'));
    try {
      const names = Object.keys(ceilings);
      const sizes = Object.fromEntries(names.map((name) => [name, measure(name, packPackage(name, directory))]));
      if (update) writeFileSync(record, `${JSON.stringify(sizes, undefined, 2)}\n`);
      const known = update ? sizes : recorded;
      expect(names.flatMap((name) => findExcess(name, sizes[name]!, known[name]!))).toEqual([]);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });

  it('has ceilings that are near to what was recorded', () => {
    const far = Object.entries(ceilings).flatMap(([name, limits]) =>
      Object.entries(limits).filter(([what, ceiling]) => !(ceiling <= recorded[name]![what]! * 1.12)),
    );
    expect(far).toEqual([]);
  });

  it('says what grew', () => {
    const before = { packed: 1, unpacked: 5_000_000, 'dist/types': 900, 'dist/cli': 100, schemas: 50 };
    const now = { packed: 1, unpacked: 8_200_000, 'dist/types': 950, 'dist/cli': 400, schemas: 50, docs: 7 };
    expect(findExcess('kurel', now, before)).toEqual([
      'kurel: unpacked is 8200000 bytes, and may be 7850000; since the sizes were recorded dist/cli grew by 300, dist/types by 50, docs by 7',
    ]);
  });
});

/** By what it is about: the two sums, the files that have a ceiling (with their continuations), and the directories. */
function measure(name: string, { packedBytes, unpackedBytes, files }: PackedPackage): Sizes {
  const sizes: Record<string, number> = { packed: packedBytes, unpacked: unpackedBytes };
  for (const [path, { byteLength }] of files) {
    const whole = path.replace(/-\d+(?=\.cjs$)/, '');
    const part = whole in ceilings[name]! ? whole : partOf(path);
    sizes[part] = (sizes[part] ?? 0) + byteLength;
  }
  return sizes;
}

function partOf(path: string): string {
  return /^(?:dist\/(?:cli|types|chunks|man)|[^/]+(?=\/))/.exec(path)?.[0] ?? 'files at the top';
}

function findExcess(name: string, sizes: Sizes, before: Sizes): readonly string[] {
  const grown = Object.entries(sizes)
    .map(([part, size]) => ({ part, by: size - (before[part] ?? 0) }))
    .filter(({ part, by }) => by > 0 && part !== 'packed' && part !== 'unpacked')
    .toSorted((a, b) => b.by - a.by)
    .map(({ part, by }, index) => `${part}${index === 0 ? ' grew' : ''} by ${by}`);
  return Object.entries(ceilings[name]!)
    .filter(([what]) => (sizes[what] ?? 0) > ceilings[name]![what]!)
    .map(
      ([what, ceiling]) =>
        `${name}: ${what} is ${sizes[what]} bytes, and may be ${ceiling}; since the sizes were recorded ${grown.join(', ')}`,
    );
}
