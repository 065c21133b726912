import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { DiagnosticError } from '../diagnostics/index.ts';
import type { Diagnostic, OutputFile } from '../model/index.ts';
import type { OutputClaim } from './claim-output.ts';
import { compareOutputDirectory as compareFor, planOutput as planFor } from './plan-output.ts';
import { digestOf, formatInventory, inventoryName } from './output-inventory.ts';
import { replaceFiles, reportFailure } from './replace-files.ts';
import { signProcess } from './staging-directory.ts';
import { writeOutputDirectory as writeFor } from './write-output-directory.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-test-'));
afterAll(() => rmSync(place, { recursive: true }));

type Tree = Readonly<Record<string, string>>;
let count = 0;

const owner = { instance: 'shop', layout: 'flat' };
const writeOutputDirectory = (directory: string, files: readonly OutputFile[], claim: OutputClaim = { owner }) =>
  writeFor(directory, files, claim);
const compareOutputDirectory = (directory: string, files: readonly OutputFile[], claim: OutputClaim = { owner }) =>
  compareFor(directory, files, claim);
const planOutput = (directory: string, files: readonly OutputFile[], claim: OutputClaim = { owner }) =>
  planFor(directory, files, claim);

function digestsOf(tree: Tree): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(tree).map(([path, text]) => [path, digestOf(text)]));
}

/** The inventory of a build that was killed while it was writing a tree. */
function pendingInventory(next: Tree): string {
  const digests = Object.entries(next).map(([path, text]) => [path, [digestOf(text)]] as const);
  return formatInventory([{ ...owner, directory: '', files: new Map(), next: new Map(digests) }]);
}

/** The signature of another process. */
function signedBy(pid: number): string {
  return signProcess().replace(/^\d+/, String(pid));
}

function makeTree(tree: Tree): string {
  const directory = join(place, `case-${count++}`, 'out');
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

/** All files and empty directories below the directory, without the inventory. */
function readTree(directory: string): Tree {
  const tree: Record<string, string> = {};
  if (!existsSync(directory)) return tree;
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(directory.length + 1);
    if (name === inventoryName) continue;
    if (entry.isFile()) tree[name] = readFileSync(path, 'utf8');
    else if (entry.isDirectory() && readdirSync(path).length === 0) tree[`${name}/`] = '';
  }
  return tree;
}

function filesOf(tree: Tree) {
  return Object.entries(tree).map(([path, text]) => ({ path, text }));
}

function refusalsOf(directory: string, work: () => unknown): readonly string[] {
  try {
    work();
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics.map(({ code, message }) => `${code}: ${message.replaceAll(directory, 'out')}`);
  }
  return [];
}

describe('writeOutputDirectory', () => {
  it.each<{ name: string; foreign: Tree; first: Tree; second: Tree; result: Tree }>([
    {
      name: 'creates the directory',
      foreign: {},
      first: {},
      second: { 'a.yaml': '1', 'b/c.yaml': '2' },
      result: { 'a.yaml': '1', 'b/c.yaml': '2' },
    },
    {
      name: 'changes and removes its own files',
      foreign: {},
      first: { 'a.yaml': '1', 'b.yaml': '2' },
      second: { 'a.yaml': 'x' },
      result: { 'a.yaml': 'x' },
    },
    {
      name: 'removes directories that it leaves empty',
      foreign: {},
      first: { 'd/e/a.yaml': '1', 'b.yaml': '' },
      second: { 'b.yaml': '' },
      result: { 'b.yaml': '' },
    },
    {
      name: 'keeps directories with foreign files',
      foreign: { 'd/notes.md': 'n' },
      first: { 'd/e/a.yaml': '1' },
      second: {},
      result: { 'd/notes.md': 'n' },
    },
    {
      name: 'never touches foreign files',
      foreign: { 'notes.md': 'n', 'other.yaml': 'o' },
      first: { 'a.yaml': '1' },
      second: { 'b.yaml': '2' },
      result: { 'notes.md': 'n', 'other.yaml': 'o', 'b.yaml': '2' },
    },
    {
      name: 'adopts a foreign file with the same content',
      foreign: { 'a.yaml': '1' },
      first: { 'a.yaml': '1' },
      second: {},
      result: {},
    },
    {
      name: 'lets a directory take the place of a file',
      foreign: {},
      first: { a: '1' },
      second: { 'a/b': '2' },
      result: { 'a/b': '2' },
    },
    {
      name: 'lets a file take the place of a directory',
      foreign: {},
      first: { 'a/b': '2', 'a/c/d': '3' },
      second: { a: '1' },
      result: { a: '1' },
    },
    {
      name: 'gives up a file that was exchanged for a directory',
      foreign: {},
      first: { 'x/a': '1' },
      second: {},
      result: {},
    },
  ])('$name', ({ foreign, first, second, result }) => {
    const directory = makeTree(foreign);
    writeOutputDirectory(directory, filesOf(first));
    writeOutputDirectory(directory, filesOf(second));
    expect(readTree(directory)).toEqual(result);
    const owned = { ...owner, files: digestsOf(second) };
    expect(JSON.parse(readFileSync(join(directory, inventoryName), 'utf8'))).toEqual({
      version: 3,
      owners: Object.keys(second).length === 0 ? [] : [owned],
    });
  });

  it('does not touch files that are up to date, and keeps the permissions of the others', () => {
    const directory = makeTree({});
    writeOutputDirectory(directory, filesOf({ 'a.yaml': '1', 'b.yaml': '2' }));
    const past = new Date('2020-01-01T00:00:00Z');
    for (const name of ['a.yaml', 'b.yaml', inventoryName]) utimesSync(join(directory, name), past, past);
    chmodSync(join(directory, 'b.yaml'), 0o640);
    const summary = writeOutputDirectory(directory, filesOf({ 'a.yaml': '1', 'b.yaml': '2' }));
    expect(summary).toEqual({ added: 0, changed: 0, removed: 0, unchanged: 2, isShared: false, diagnostics: [] });
    writeOutputDirectory(directory, filesOf({ 'a.yaml': '1', 'b.yaml': 'x' }));
    expect(statSync(join(directory, 'a.yaml')).mtime).toEqual(past);
    expect(statSync(join(directory, 'b.yaml')).mode & 0o777).toBe(0o640);
    expect(readdirSync(directory).sort()).toEqual([inventoryName, 'a.yaml', 'b.yaml']);
  });

  it('reports all foreign files in the way and changes nothing', () => {
    const directory = makeTree({ 'a.yaml': 'mine', 'b.yaml': 'mine too', 'd/x': '', f: '' });
    const files = filesOf({ 'a.yaml': '1', 'b.yaml': '2', 'c.yaml': '3', d: '4', 'f/g': '5' });
    expect(refusalsOf(directory, () => writeOutputDirectory(directory, files))).toEqual([
      'output-foreign-file: "out/a.yaml" exists, was not written by kurel and has different content',
      'output-foreign-file: "out/b.yaml" exists, was not written by kurel and has different content',
      'output-blocked: "out/d" is a directory, but the output needs a file there',
      'output-blocked: "out/f" is a file, but the output needs a directory there',
    ]);
    expect(readTree(directory)).toEqual({ 'a.yaml': 'mine', 'b.yaml': 'mine too', 'd/x': '', f: '' });
    expect(existsSync(join(directory, inventoryName))).toBe(false);
  });

  it('never follows a link', () => {
    const directory = makeTree({ 'keep.md': '' });
    const outside = makeTree({ 'a.yaml': 'precious' });
    symlinkSync(outside, join(directory, 'd'));
    symlinkSync(join(outside, 'a.yaml'), join(directory, 'l.yaml'));
    const files = filesOf({ 'd/a.yaml': '1', 'l.yaml': '2' });
    expect(refusalsOf(directory, () => writeOutputDirectory(directory, files))).toEqual([
      'output-blocked: "out/d" is a link, but the output needs a directory there',
      'output-blocked: "out/l.yaml" is a link, but the output needs a file there',
    ]);
    // Nor for removals: the directory was replaced by a link after the last run.
    const tidy = makeTree({});
    writeOutputDirectory(tidy, filesOf({ 'd/a.yaml': '1' }));
    rmSync(join(tidy, 'd'), { recursive: true });
    symlinkSync(outside, join(tidy, 'd'));
    writeOutputDirectory(tidy, []);
    expect(readTree(outside)).toEqual({ 'a.yaml': 'precious' });
  });

  it('reports a link to nothing at the path of the directory or above it, and does not wait', () => {
    const link = join(makeTree({ 'keep.md': '' }), 'link');
    symlinkSync(join(link, '..', 'nothing', 'here'), link);
    for (const directory of [link, join(link, 'x'), join(link, 'x', 'y')]) {
      expect(refusalsOf(link, () => writeOutputDirectory(directory, filesOf({ 'a.yaml': '1' })))).toEqual([
        'output-blocked: "out" is a link to something that does not exist, but the output needs a directory there',
      ]);
    }
  });

  it('reports a file at the path of the directory', () => {
    const file = join(makeTree({ 'a.yaml': '' }), 'a.yaml');
    expect(refusalsOf(file, () => writeOutputDirectory(file, []))).toEqual([
      'output-blocked: "out" is a file, but the output needs a directory there',
    ]);
    expect(refusalsOf(file, () => writeOutputDirectory(join(file, 'x'), []))).toEqual([
      'output-blocked: "out" is a file, but the output needs a directory there',
    ]);
  });
});

describe('any sequence of runs', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
  const run = fc
    .dictionary(path, fc.constantFrom('', '1', '2'), { maxKeys: 5 })
    .filter((tree) => !Object.keys(tree).some((one) => Object.keys(tree).some((other) => other.startsWith(`${one}/`))));

  it('leaves the files of the last run and the foreign ones, or everything unchanged', { tags: 'slow' }, () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          path.map((one) => `f/${one}.md`),
          name,
          { maxKeys: 2 },
        ),
        fc.array(run, { maxLength: 4 }),
        (foreign, runs) => {
          const foreignPaths = Object.keys(foreign);
          fc.pre(!foreignPaths.some((one) => foreignPaths.some((other) => other.startsWith(`${one}/`))));
          const directory = makeTree(foreign);
          for (const tree of runs) {
            const shared = Object.fromEntries(
              Object.entries(tree).map(([one, text]) => [one.replace(/^c/, 'f'), text]),
            );
            const before = readTree(directory);
            const refusals = refusalsOf(directory, () => writeOutputDirectory(directory, filesOf(shared)));
            const isBlocked = Object.keys(shared).some((one) =>
              foreignPaths.some((other) => other.startsWith(`${one}/`)),
            );
            expect(refusals.length > 0).toBe(isBlocked);
            expect(readTree(directory)).toEqual(isBlocked ? before : { ...foreign, ...shared });
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('output paths', () => {
  it.each([
    [['/etc/passwd'], 'output-path-refused: "/etc/passwd" is not a valid output path: it is absolute'],
    [['C:/x'], 'output-path-refused: "C:/x" is not a valid output path: it is absolute'],
    [['a/../../b'], 'output-path-refused: "a/../../b" is not a valid output path: it contains ".."'],
    [['a//b'], 'output-path-refused: "a//b" is not a valid output path: it contains an empty or "." part'],
    [['./a'], 'output-path-refused: "./a" is not a valid output path: it contains an empty or "." part'],
    [[''], 'output-path-refused: "" is not a valid output path: it is empty'],
    [['a\\b'], 'output-path-refused: "a\\\\b" is not a valid output path: it contains "\\\\"'],
    [['a\nb'], 'output-path-refused: "a\\nb" is not a valid output path: it contains "\\n"'],
    [['ab:c'], 'output-path-refused: "ab:c" is not a valid output path: it contains ":"'],
    [
      ['a/NUL.yaml'],
      'output-path-refused: "a/NUL.yaml" is not a valid output path: "NUL.yaml" is a device name on Windows',
    ],
    [['a./b'], 'output-path-refused: "a./b" is not a valid output path: "a." ends with a dot or a space'],
    [['a.yaml', 'a.yaml'], 'output-path-collision: output path "a.yaml" conflicts with "a.yaml"'],
    [['a.yaml', 'A.yaml'], 'output-path-collision: output path "A.yaml" conflicts with "a.yaml"'],
    [['é', 'e\u0301'], 'output-path-collision: output path "e\u0301" conflicts with "é"'],
    [['A', 'a/b'], 'output-path-collision: output path "a/b" conflicts with "A"'],
    [['.git/config'], 'output-path-refused: ".git/config" is not a valid output path: ".git" is a hidden file'],
    [
      ['.kurel-inventory'],
      'output-path-refused: ".kurel-inventory" is not a valid output path: ".kurel-inventory" is a hidden file',
    ],
  ])('reject %j', (paths, refusal) => {
    const directory = makeTree({});
    const files = paths.map((path) => ({ path, text: '' }));
    expect(refusalsOf(directory, () => writeOutputDirectory(directory, files))).toEqual([refusal]);
    expect(existsSync(directory)).toBe(false);
  });

  it('reject names that are too long', () => {
    const directory = makeTree({});
    const refusals = refusalsOf(directory, () =>
      writeOutputDirectory(directory, [{ path: 'x'.repeat(300), text: '' }]),
    );
    expect(refusals[0]).toMatch(/a part of it is longer than 255 bytes$/);
  });
});

/** An inventory with some fields overridden. */
function ownersOf(...owners: readonly object[]): string {
  return JSON.stringify({ version: 3, owners: owners.map((given) => Object.assign({ ...owner, files: {} }, given)) });
}

describe('the inventory', () => {
  it.each([
    ['{', 'expected a key, but the text ends at line 1, column 2'],
    ['{"version": 1, "version": 2}', 'duplicate key "version" at line 1, column 16'],
    ['[]', 'it is not a JSON object'],
    ['{"version":2,"files":[]}', '"files" must be an object'],
    ['{"version":1,"files":["a.yaml"]}', 'its version is 1, not 2 or 3'],
    ['{"version":4,"owners":[]}', 'its version is 4, not 2 or 3'],
    ['{"version":2,"files":{"a.yaml":null}}', 'entry "a.yaml" is not valid, its value is not a SHA-256 digest'],
    ['{"version":2,"files":{"a.yaml":"sha256:0"}}', 'entry "a.yaml" is not valid, its value is not a SHA-256 digest'],
    [`{"version":2,"files":{"../precious":"${digestOf('p')}"}}`, 'entry "../precious" is not valid, it contains ".."'],
    [`{"version":2,"files":{"/precious":"${digestOf('p')}"}}`, 'entry "/precious" is not valid, it is absolute'],
    [
      `{"version":2,"files":{"${inventoryName}":"${digestOf('')}"}}`,
      `entry "${inventoryName}" is not valid, an inventory must not list itself`,
    ],
    [
      `{"version":2,"files":{".git/config":"${digestOf('')}"}}`,
      'entry ".git/config" is not valid, ".git" is a hidden file',
    ],
    ['{"version":2,"files":{},"next":[]}', '"next" must be an object'],
    ['{"version":2,"files":{},"next":{"../precious":[]}}', 'entry "../precious" is not valid, it contains ".."'],
    ['{"version":2,"files":{},"next":{"a":[]}}', 'entry "a" is not valid, its value is not a SHA-256 digest'],
    ['{"version":2,"files":{},"next":{"a":"b"}}', 'entry "a" is not valid, its value is not a SHA-256 digest'],
    ['{"version":3}', '"owners" must be a list'],
    ['{"version":3,"owners":{}}', '"owners" must be a list'],
    ['{"version":3,"owners":["shop"]}', 'an owner is not an object'],
    ['{"version":3,"owners":[{"layout":"flat","files":{}}]}', 'an owner has no instance'],
    ['{"version":3,"owners":[{"instance":7,"layout":"flat","files":{}}]}', 'an owner has no instance'],
    ['{"version":3,"owners":[{"instance":"shop","files":{}}]}', '"shop" has no layout'],
    ['{"version":3,"owners":[{"instance":"shop","layout":"flat"}]}', '"files" must be an object'],
    [ownersOf({ directory: '..' }), 'the directory of "shop" is not valid, it contains ".."'],
    [ownersOf({ directory: '/etc' }), 'the directory of "shop" is not valid, it is absolute'],
    [ownersOf({ directory: ['a'] }), 'the directory of "shop" is not valid, it is not a string'],
    [ownersOf({ files: { '../precious': digestOf('p') } }), 'entry "../precious" is not valid, it contains ".."'],
    [
      ownersOf({ next: { 'a/../../precious': [digestOf('p')] } }),
      'entry "a/../../precious" is not valid, it contains ".."',
    ],
    [ownersOf({}, {}), 'duplicate owner "shop"'],
    [
      ownersOf({ files: { a: digestOf('') } }, { instance: 'hello', next: { A: [digestOf('')] } }),
      'file "A" has two owners',
    ],
  ])('is not valid with %s', (text, reason) => {
    const directory = makeTree({ [inventoryName]: text, '../precious': 'p' });
    expect(refusalsOf(directory, () => writeOutputDirectory(directory, filesOf({ 'a.yaml': '' })))).toEqual([
      `output-inventory-broken: "out/${inventoryName}" is not a valid kurel inventory: ${reason}`,
    ]);
    expect(readTree(dirname(directory))).toEqual({ precious: 'p', [`out/${inventoryName}`]: text });
  });
});

describe('a file that is no longer part of the output', () => {
  const warningsOf = (directory: string, diagnostics: readonly Diagnostic[]): readonly string[] =>
    diagnostics.map(({ severity, code, message }) => `${severity} ${code}: ${message.replaceAll(directory, 'out')}`);
  const edited = 'warning output-edited-file: "out/d/b.yaml" is no longer needed, but was edited and is kept';

  it('is kept and reported if it was edited, and is foreign from then on', () => {
    const directory = makeTree({});
    writeOutputDirectory(directory, filesOf({ 'a.yaml': '1', 'd/b.yaml': '2', 'd/c.yaml': '3' }));
    writeFileSync(join(directory, 'd/b.yaml'), 'edited');
    const comparison = compareOutputDirectory(directory, []);
    expect(comparison.removed.map(({ path }) => path)).toEqual(['a.yaml', 'd/c.yaml']);
    expect(warningsOf(directory, comparison.diagnostics)).toEqual([edited]);
    const summary = writeOutputDirectory(directory, []);
    expect(warningsOf(directory, summary.diagnostics)).toEqual([edited]);
    expect(summary.removed).toBe(2);
    expect(readTree(directory)).toEqual({ 'd/b.yaml': 'edited' });
    expect(refusalsOf(directory, () => writeOutputDirectory(directory, filesOf({ 'd/b.yaml': '2' })))).toEqual([
      'output-foreign-file: "out/d/b.yaml" exists, was not written by kurel and has different content',
    ]);
  });

  it('is overwritten when it is part of the output again, edited or not', () => {
    const directory = makeTree({});
    writeOutputDirectory(directory, filesOf({ 'a.yaml': '1' }));
    writeFileSync(join(directory, 'a.yaml'), 'edited');
    expect(writeOutputDirectory(directory, filesOf({ 'a.yaml': '2' }))).toMatchObject({ changed: 1, diagnostics: [] });
  });

  it('is kept if only a forged inventory claims it', () => {
    const foreign = { 'sub/s': 's', 'mine.yaml': 'm' };
    const files = Object.fromEntries(Object.keys(foreign).map((path) => [path, digestOf('another')]));
    const directory = makeTree({ ...foreign, [inventoryName]: ownersOf({ files }) });
    expect(writeOutputDirectory(directory, [])).toMatchObject({ removed: 0, diagnostics: { length: 2 } });
    expect(readTree(directory)).toEqual(foreign);
  });
});

describe('a failure in the middle', () => {
  const before = { 'a.yaml': '1', 'd/b.yaml': '2', 'e/f/c.yaml': '3' };
  const after = { 'a.yaml': 'x', 'g/h/n.yaml': 'new', e: 'now a file', 'd/b.yaml': '2' };
  const steps = 6;
  const pending = '{"version":3,"owners":[]}';

  it.each(Array.from({ length: steps }, (_, step) => step))('at rename %i restores everything', (failing) => {
    const directory = makeTree({ 'notes.md': 'n' });
    writeOutputDirectory(directory, filesOf(before));
    const inventory = readFileSync(join(directory, inventoryName), 'utf8');
    let step = 0;
    const rename = (from: string, to: string): void => {
      if (step++ === failing) throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'rename', path: from });
      renameSync(from, to);
    };
    const plan = planOutput(directory, filesOf(after));
    const replacement = { plan, pending, inventory: { path: inventoryName, text: '{}', exists: true }, rename };
    expect(() => replaceFiles(directory, replacement)).toThrow('full');
    expect(readTree(directory)).toEqual({ ...before, 'notes.md': 'n' });
    expect(readFileSync(join(directory, inventoryName), 'utf8')).toBe(inventory);
  });

  it('is not needed: without one, all files are written', () => {
    const directory = makeTree({});
    writeOutputDirectory(directory, filesOf(before));
    let renames = 0;
    const rename = (from: string, to: string): void => {
      renames++;
      renameSync(from, to);
    };
    const plan = planOutput(directory, filesOf(after));
    replaceFiles(directory, { plan, pending, inventory: { path: inventoryName, text: '{}', exists: true }, rename });
    expect(readTree(directory)).toEqual(after);
    expect(readFileSync(join(directory, inventoryName), 'utf8')).toBe('{}');
    expect(renames).toBe(steps);
  });

  it('removes a directory that was created', () => {
    const directory = makeTree({});
    const rename = (): never => {
      throw new Error('full');
    };
    const plan = planOutput(directory, filesOf({ 'a/b': '' }));
    const inventory = { path: inventoryName, text: '{}', exists: false };
    expect(() => replaceFiles(directory, { plan, inventory, rename })).toThrow('full');
    expect(existsSync(dirname(directory))).toBe(false);
  });

  it('reports the directory of the old files if they cannot be restored', () => {
    const directory = makeTree({});
    writeOutputDirectory(directory, filesOf({ 'a.yaml': 'old' }));
    let step = 0;
    const rename = (from: string, to: string): void => {
      if (step++ > 0) throw Object.assign(new Error('gone'), { code: 'EIO', path: to });
      renameSync(from, to);
    };
    const plan = planOutput(directory, []);
    const inventory = { path: inventoryName, text: '{}', exists: true };
    const refusals = refusalsOf(directory, () => replaceFiles(directory, { plan, inventory, rename }));
    expect(refusals).toEqual([
      `output-failed: cannot write "out/${inventoryName}": the system reported EIO`,
      'output-not-restored: cannot restore "out/a.yaml": the system reported EIO',
    ]);
    const staging = readdirSync(directory).find((name) => name.startsWith('.kurel-staging-'))!;
    expect(readFileSync(join(directory, staging, 'gone-0'), 'utf8')).toBe('old');
    // Nor does a later run remove them.
    expect(readdirSync(join(directory, staging))).not.toContain('owner');
  });

  it('is reported for the output file, not for the staged one', () => {
    const directory = makeTree({});
    const plan = planOutput(directory, filesOf({ 'a.yaml': '1' }));
    const inventory = { path: inventoryName, text: '{}', exists: false };
    const rename = (from: string, to: string): void => renameSync(from, join(to, 'x'));
    const work = () => reportFailure(directory, () => replaceFiles(directory, { plan, inventory, rename }));
    expect(refusalsOf(directory, work)).toEqual(['output-failed: cannot write "out/a.yaml/x": not found']);
  });
});

describe('compareOutputDirectory', () => {
  it('returns what writing would do and changes nothing', () => {
    const directory = makeTree({ 'foreign.yaml': 'f' });
    writeOutputDirectory(directory, filesOf({ 'a.yaml': '1', 'b.yaml': '2', 'c.yaml': '3' }));
    const tree = readTree(directory);
    const files = filesOf({ 'a.yaml': '1', 'b.yaml': 'x', 'd.yaml': '4', 'foreign.yaml': 'g' });
    expect(compareOutputDirectory(directory, files)).toEqual({
      added: [{ path: 'd.yaml', text: '4' }],
      changed: [
        { path: 'b.yaml', before: '2', after: 'x' },
        { path: 'foreign.yaml', before: 'f', after: 'g' },
      ],
      removed: [{ path: 'c.yaml', text: '3' }],
      unchanged: ['a.yaml'],
      replaced: [],
      diagnostics: [],
    });
    expect(readTree(directory)).toEqual(tree);
  });

  it('treats a missing directory as empty', () => {
    const directory = makeTree({});
    expect(compareOutputDirectory(directory, [{ path: 'a', text: '' }]).added).toHaveLength(1);
    expect(existsSync(directory)).toBe(false);
  });
});

describe('a killed run', { tags: 'slow' }, () => {
  const before = { 'a.yaml': '1', 'd/b.yaml': '2', 'e/f/c.yaml': '3', 'i.yaml': 'i' };
  const after = { 'a.yaml': 'x', 'g/h/n.yaml': 'new', e: 'now a file', 'd/b.yaml': '2', 'i.yaml': 'j' };
  const dead = spawnSync(process.execPath, ['-e', '']).pid;

  /** The state of the disk before each step of a run, and after the last. */
  function takeSnapshots(): readonly string[] {
    const directory = makeTree({ 'notes.md': 'n' });
    writeOutputDirectory(directory, filesOf(before));
    const snapshots: string[] = [];
    const takeSnapshot = (): void => {
      const copy = join(place, `case-${count++}`, 'out');
      cpSync(directory, copy, { recursive: true });
      for (const name of readdirSync(copy).filter((one) => one.startsWith('.kurel-staging-'))) {
        writeFileSync(join(copy, name, 'owner'), signedBy(dead));
      }
      snapshots.push(copy);
    };
    const rename = (from: string, to: string): void => {
      takeSnapshot();
      renameSync(from, to);
    };
    const plan = planOutput(directory, filesOf(after));
    const inventory = { path: inventoryName, text: formatInventory(plan.after), exists: true };
    replaceFiles(directory, { plan, pending: formatInventory(plan.pending), inventory, rename });
    takeSnapshot();
    return snapshots;
  }

  // The next run may write the same files, the earlier files, or others.
  const following: readonly Tree[] = [after, before, {}, { 'a.yaml': 'y', e: 'z', 'g/h': 'a file', 'd/b.yaml': '2' }];

  it.each(following)('does not prevent the next from writing %j', (next) => {
    const snapshots = takeSnapshots();
    expect(snapshots.length).toBe(8);
    for (const directory of snapshots) {
      for (const [path, text] of Object.entries(readTree(directory))) {
        const trees: readonly Tree[] = [before, after, { 'notes.md': 'n' }];
        const isFile = !path.startsWith('.') && !path.endsWith('/');
        if (isFile) expect(trees.map((tree) => tree[path])).toContain(text);
      }
      expect(writeOutputDirectory(directory, filesOf(next)).diagnostics).toEqual([]);
      expect(readTree(directory)).toEqual({ ...next, 'notes.md': 'n' });
      expect(readdirSync(directory).filter((name) => name.startsWith('.'))).toEqual([inventoryName]);
      expect(writeOutputDirectory(directory, filesOf(next))).toMatchObject({ added: 0, changed: 0, removed: 0 });
    }
  });

  it('is recorded even if the next is killed too', () => {
    const directory = makeTree({ 'a.yaml': '1', [inventoryName]: pendingInventory({ 'a.yaml': '1', b: '2' }) });
    const { pending } = planOutput(directory, filesOf({ 'a.yaml': '3' }));
    writeFileSync(join(directory, inventoryName), formatInventory(pending));
    expect(writeOutputDirectory(directory, filesOf({ 'a.yaml': '4' }))).toMatchObject({ changed: 1 });
  });

  it('does not claim foreign files at the paths that it was about to write', () => {
    const foreign = { 'a.yaml': 'mine', 'b.yaml': 'mine' };
    const inventory = pendingInventory({ 'a.yaml': '1', 'b.yaml': '2' });
    const directory = makeTree({ ...foreign, [inventoryName]: inventory });
    expect(refusalsOf(directory, () => writeOutputDirectory(directory, filesOf({ 'a.yaml': '3' })))).toEqual([
      'output-foreign-file: "out/a.yaml" exists, was not written by kurel and has different content',
    ]);
    expect(writeOutputDirectory(directory, [])).toMatchObject({ removed: 0, diagnostics: [] });
    expect(readTree(directory)).toEqual(foreign);
  });

  it('leaves a new directory complete or not at all, and its leftovers are removed', () => {
    const directory = makeTree({});
    const staging = join(dirname(directory), '.kurel-staging-aB3dE6');
    mkdirSync(join(staging, 'tree', 'd'), { recursive: true });
    writeFileSync(join(staging, 'tree', 'd', 'half.yaml'), '');
    writeFileSync(join(staging, 'owner'), signedBy(dead));
    writeOutputDirectory(directory, filesOf({ 'd/a.yaml': '1' }));
    expect(readTree(dirname(directory))).toEqual({
      'out/d/a.yaml': '1',
      [`out/${inventoryName}`]: readFileSync(join(directory, inventoryName), 'utf8'),
    });
  });
});
