import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { memoryFileSystem } from '../forms/index.ts';
import type { FleetLockEntry } from '../forms/index.ts';
import type { Diagnostic } from '../model/index.ts';
import { keyOfPackage, lockPathOf, readFleetLock, writeFleetLock } from './fleet-lock.ts';

async function read(text: string) {
  const diagnostics: Diagnostic[] = [];
  const fileSystem = memoryFileSystem({ 'kurel.fleet.lock': text });
  const lock = await readFleetLock('kurel.fleet.lock', { fileSystem, report: (one) => void diagnostics.push(one) });
  return { entries: lock?.entries, diagnostics };
}

describe('the lock of a fleet', () => {
  it.each([
    ['kurel.fleet.yaml', 'kurel.fleet.lock'],
    ['production.yml', 'production.lock'],
    ['fleet', 'fleet.lock'],
  ])('of %s is %s', (file, lock) => {
    expect(lockPathOf(file)).toBe(lock);
  });

  it('is read as it was written, whatever YAML makes of the words', async () => {
    const entry: fc.Arbitrary<FleetLockEntry> = fc.record(
      {
        url: fc.constantFrom('oci://example.com/a', 'oci://localhost:5000/a/b_c', 'oci://[::1]:5000/on'),
        range: fc.oneof(
          fc.constantFrom(
            '^1.2',
            '~1',
            '*',
            '1.10',
            '>=1 <2',
            '0x1',
            '1e3',
            'null',
            'yes',
            '1_0',
            '- 1',
            '#1',
            '2024-01-01',
          ),
          fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== ''),
        ),
        tag: fc.constantFrom('1.10', '1', 'on', 'null', '0755', '1_0', '_', 'v1.0.0', '1e3'),
        version: fc.constantFrom('1.10.0', 'v0.0.0-rc.1+01', '1.0.0+1e3'),
        digest: fc
          .bigInt({ min: 0n, max: 2n ** 256n - 1n })
          .map((one) => `sha256:${one.toString(16).padStart(64, '0')}`),
      },
      { requiredKeys: ['url', 'tag', 'digest'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(entry, { selector: keyOfPackage, maxLength: 5 }), async (entries) => {
        const { entries: found, diagnostics } = await read(writeFleetLock(entries));
        expect(diagnostics).toEqual([]);
        const sort = (list: readonly FleetLockEntry[]) =>
          list.toSorted((a, b) => (keyOfPackage(a) < keyOfPackage(b) ? -1 : 1));
        expect(found).toEqual(sort(entries));
        expect(writeFleetLock(entries.toReversed())).toBe(writeFleetLock(entries));
      }),
      { numRuns: 200 },
    );
  });
});
