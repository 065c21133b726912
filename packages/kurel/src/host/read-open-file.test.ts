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

  it('is read whole', () => {
    expect(readUnchanged(file(), fstatSync(descriptor)).toString()).toBe('some text');
  });

  it('is refused when somebody writes to it meanwhile', () => {
    const before = fstatSync(descriptor);
    appendFileSync(join(directory, 'a'), ' and more');
    expect(() => readUnchanged(file(), before)).toThrow('a: was changed while it was read');
  });

  it('is refused when it is cut meanwhile', () => {
    const before = fstatSync(descriptor);
    writeFileSync(join(directory, 'a'), 'some');
    expect(() => readUnchanged(file(), before)).toThrow('a: was changed while it was read');
  });

  it('is read to its end when nobody knows where that is', () => {
    expect(readToEnd(file()).toString()).toBe('some text');
  });

  it('ends at the limit at the latest', () => {
    writeFileSync(join(directory, 'a'), 'x'.repeat(21));
    expect(() => readToEnd(file())).toThrow('a: is longer than the 20 bytes that are read of one file');
  });
});

// It has no size and does not end within the lifetime of anybody.
describe.runIf(process.platform === 'linux')('a file that says it is empty', () => {
  it('holds the size limit', () => {
    const disk = diskFileSystem({ maxFileBytes: 1_000_000 });
    expect(() => disk.readText('/proc/self/pagemap')).toThrow('is longer than the 1000000 bytes');
  });
});
