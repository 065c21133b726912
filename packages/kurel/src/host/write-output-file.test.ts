import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeOutputFile } from './write-output-file.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-test-'));
afterAll(() => rmSync(place, { recursive: true }));

describe('writeOutputFile', () => {
  it('writes, replaces, keeps permissions, and leaves no other files', () => {
    const path = join(place, 'out.yaml');
    writeOutputFile(path, 'ü');
    chmodSync(path, 0o600);
    writeOutputFile(path, 'b');
    expect(readFileSync(path, 'utf8')).toBe('b');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(place)).toEqual(['out.yaml']);
  });

  it('does not write unchanged content', () => {
    const path = join(place, 'same.yaml');
    writeFileSync(path, 'a');
    const past = new Date('2020-01-01T00:00:00Z');
    utimesSync(path, past, past);
    writeOutputFile(path, 'a');
    expect(statSync(path).mtime).toEqual(past);
  });

  it('writes the target of a link', () => {
    writeFileSync(join(place, 'target'), 'a');
    symlinkSync('target', join(place, 'link'));
    writeOutputFile(join(place, 'link'), 'b');
    expect(lstatSync(join(place, 'link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(place, 'target'), 'utf8')).toBe('b');
  });

  it('creates the directories it needs', () => {
    writeOutputFile(join(place, 'deep', 'deeper', 'out.yaml'), 'a');
    expect(readdirSync(join(place, 'deep', 'deeper'))).toEqual(['out.yaml']);
  });

  it('writes to a device without replacing it', () => {
    writeOutputFile('/dev/null', 'gone');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it.each([
    ['directory', /is a directory, but the output needs a file there/],
    ['new/', /is a directory, but the output needs a file there/],
    ['directory/file/out.yaml', /cannot write "[^"]*directory\/file\/out\.yaml": not found: a parent of the path/],
    ['x'.repeat(300), /cannot write "[^"]*\/x{300}": the name is too long/],
    [`new/${'x'.repeat(300)}/a.yaml`, /cannot write "[^"]*\/x{300}\/a\.yaml": the name is too long/],
    [`new/${'x'.repeat(300)}`, /cannot write "[^"]*\/x{300}": the name is too long/],
  ])('rejects %s', (name, message) => {
    mkdirSync(join(place, 'directory'), { recursive: true });
    writeFileSync(join(place, 'directory', 'file'), '');
    expect(() => writeOutputFile(`${place}/${name}`, '')).toThrow(message);
    expect(readdirSync(place).filter((entry) => entry.startsWith('.kurel') || entry === 'new')).toEqual([]);
  });
});
