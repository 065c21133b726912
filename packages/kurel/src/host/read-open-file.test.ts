import { appendFileSync, closeSync, fstatSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { diskFileSystem } from './disk-file-system.ts';
import { readToEnd, readUnchanged } from './disk-file-system.ts';

let directory = '';
let descriptor = 0;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'kurel-open-'));
  writeFileSync(join(directory, 'a'), 'some text');
  descriptor = openSync(join(directory, 'a'), 'r+');
});

afterEach(() => {
  closeSync(descriptor);
  rmSync(directory, { recursive: true });
});

describe('an open file', () => {
  const file = () => ({ path: 'a', descriptor, maxFileBytes: 20 });

  it('is read completely', () => {
    expect(readUnchanged(file(), fstatSync(descriptor)).toString()).toBe('some text');
  });

  it('is an error if it changes while it is read', () => {
    const before = fstatSync(descriptor);
    appendFileSync(join(directory, 'a'), ' and more');
    expect(() => readUnchanged(file(), before)).toThrow('a: was changed while it was read');
  });

  it('is an error if it is truncated while it is read', () => {
    const before = fstatSync(descriptor);
    writeFileSync(join(directory, 'a'), 'some');
    expect(() => readUnchanged(file(), before)).toThrow('a: was changed while it was read');
  });

  it('is read to its end if it reports no size', () => {
    expect(readToEnd(file()).toString()).toBe('some text');
  });

  it('has a size limit', () => {
    writeFileSync(join(directory, 'a'), 'x'.repeat(21));
    expect(() => readToEnd(file())).toThrow('a: has more than the limit of 20 bytes for one file');
  });
});

// It reports no size and is practically endless.
describe.runIf(process.platform === 'linux')('a file without a size', () => {
  it('has a size limit too', () => {
    const disk = diskFileSystem({ maxFileBytes: 1_000_000 });
    expect(() => disk.readText('/proc/self/pagemap')).toThrow('has more than the limit of 1000000 bytes');
  });
});
