import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DiagnosticError } from '../diagnostics/index.ts';
import { updateFiles } from './update-files.ts';
import type { FileUpdate } from './update-files.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-test-'));
afterAll(() => rmSync(place, { recursive: true }));

type Tree = Readonly<Record<string, string>>;
let count = 0;

function makeTree(tree: Tree): string {
  const directory = join(place, `case-${count++}`);
  mkdirSync(directory);
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

function readTree(directory: string): Tree {
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true }).filter(
    (entry) => !entry.isDirectory(),
  );
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return Object.fromEntries(paths.map((path) => [path.slice(directory.length + 1), readFileSync(path, 'utf8')]));
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const nothing: FileUpdate = { wanted: [], unwanted: [], index: undefined };

describe('updateFiles', () => {
  const before = { 'app.yaml': 'app', lock: 'old', 'vendor/a': 'a', 'vendor/b': 'b', 'vendor/notes': 'notes' };
  const update: FileUpdate = {
    wanted: [
      { path: 'vendor/a', text: bytes('a') },
      { path: 'vendor/c', text: Uint8Array.of(0, 255, 10) },
    ],
    unwanted: [{ path: 'vendor/b', sha256: digest('b') }, { path: 'vendor/gone' }],
    index: { path: 'lock', text: 'new' },
  };

  it('adds, changes and removes files, and does not touch others', () => {
    const directory = makeTree(before);
    expect(updateFiles(directory, update)).toEqual({
      added: ['vendor/c'],
      changed: ['lock'],
      removed: ['vendor/b'],
      diagnostics: [],
    });
    const { 'vendor/c': _, ...rest } = readTree(directory);
    expect(rest).toEqual({ 'app.yaml': 'app', lock: 'new', 'vendor/a': 'a', 'vendor/notes': 'notes' });
    expect([...readFileSync(join(directory, 'vendor/c'))]).toEqual([0, 255, 10]);
    expect(updateFiles(directory, update)).toEqual({ added: [], changed: [], removed: [], diagnostics: [] });
  });

  it('changes nothing in a dry run', () => {
    const directory = makeTree(before);
    expect(updateFiles(directory, { ...update, isDry: true })).toMatchObject({
      added: ['vendor/c'],
      changed: ['lock'],
      removed: ['vendor/b'],
    });
    expect(readTree(directory)).toEqual(before);
  });

  it('removes the index and empty directories', () => {
    const directory = makeTree({ 'app.yaml': 'app', lock: 'old', 'vendor/b': 'b' });
    const unwanted = [{ path: 'vendor/b', sha256: digest('b') }, { path: 'lock' }];
    expect(updateFiles(directory, { ...nothing, unwanted }).removed).toEqual(['vendor/b', 'lock']);
    expect(readdirSync(directory)).toEqual(['app.yaml']);
  });

  it('writes only the index', () => {
    const directory = makeTree({});
    expect(updateFiles(directory, { ...nothing, index: { path: 'lock', text: 'x' } }).added).toEqual(['lock']);
    expect(readTree(directory)).toEqual({ lock: 'x' });
  });

  it('keeps an edited file', () => {
    const directory = makeTree({ 'vendor/b': 'mine' });
    const { removed, diagnostics } = updateFiles(directory, {
      ...nothing,
      unwanted: [{ path: 'vendor/b', sha256: digest('b') }],
    });
    expect(removed).toEqual([]);
    expect(diagnostics.map(({ code, severity }) => `${severity}[${code}]`)).toEqual(['warning[output-edited-file]']);
    expect(readTree(directory)).toEqual({ 'vendor/b': 'mine' });
  });

  it('follows no link, and writes nothing if one is in the way', () => {
    const elsewhere = makeTree({ b: 'b', lock: 'theirs' });
    const directory = makeTree({ 'app.yaml': 'app' });
    symlinkSync(elsewhere, join(directory, 'vendor'));
    symlinkSync(join(elsewhere, 'lock'), join(directory, 'lock'));
    expect(codesOf(() => updateFiles(directory, update))).toEqual(['output-blocked', 'output-blocked']);
    expect(updateFiles(directory, { ...nothing, unwanted: [{ path: 'vendor/b' }, { path: 'lock' }] }).removed).toEqual(
      [],
    );
    expect(readTree(elsewhere)).toEqual({ b: 'b', lock: 'theirs' });
  });

  it.each(['../out', '/etc/out', 'a/../../out', 'vendor/nul', 'vendor/.hidden', 'C:\\out'])(
    'rejects the path %s',
    (path) => {
      const directory = makeTree({});
      const wanted = [{ path, text: 'x' }];
      expect(codesOf(() => updateFiles(directory, { ...nothing, wanted }))).toContain('output-path-refused');
      expect(codesOf(() => updateFiles(directory, { ...nothing, unwanted: [{ path }] }))).toContain(
        'output-path-refused',
      );
      expect(existsSync(join(directory, '..', 'out'))).toBe(false);
    },
  );
});

function codesOf(work: () => unknown): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics.map(({ code }) => code);
  }
}
