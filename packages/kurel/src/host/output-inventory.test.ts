import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { diagnosticsOf } from '../diagnostics/index.ts';
import { digestOf, formatInventory, inventoryName, readInventory } from './output-inventory.ts';
import type { OutputClaim } from './claim-output.ts';
import { compareOutputDirectory, findOutputPlace } from './plan-output.ts';
import { writeOutputDirectory } from './write-output-directory.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-test-'));
afterAll(() => rmSync(place, { recursive: true }));

type Tree = Readonly<Record<string, string>>;
let count = 0;

interface Step extends OutputClaim {
  readonly tree: Tree;
  /** Paths of files that filters left incomplete. */
  readonly partial?: readonly string[];
}

function makeDirectory(tree: Tree = {}): string {
  const directory = join(place, `case-${count++}`, 'out');
  writeTree(directory, tree);
  return directory;
}

function writeTree(directory: string, tree: Tree): void {
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}

function readTree(directory: string): Tree {
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const named = files.map((path) => [path.slice(directory.length + 1), readFileSync(path, 'utf8')] as const);
  return Object.fromEntries(named.filter(([path]) => path !== inventoryName));
}

/** Builds, and returns the findings in short form. */
function run(directory: string, { tree, partial = [], ...claim }: Step): readonly string[] {
  const files = Object.entries(tree).map(([path, text]) => ({ path, text, isPartial: partial.includes(path) }));
  const describeAll = (findings: ReturnType<typeof diagnosticsOf> = []): readonly string[] =>
    findings.map(({ code, message }) => `${code}: ${message.replaceAll(directory, 'out')}`);
  try {
    return describeAll(writeOutputDirectory(directory, files, claim).diagnostics);
  } catch (error) {
    const found = diagnosticsOf(error);
    if (found === undefined) throw error;
    return describeAll(found);
  }
}

function ownersIn(directory: string): readonly string[] {
  return readInventory(directory).owners.map(({ instance, layout }) => `${instance} ${layout}`);
}

const owner = (instance: string, layout = 'flat') => ({ owner: { instance, layout } });

describe('two owners', () => {
  it('keep their files separate in any build order', () => {
    const steps: readonly Step[] = [
      { ...owner('b'), tree: { 'b.yaml': '1', 'd/x.yaml': '1' } },
      { ...owner('a'), tree: { 'a.yaml': '1', 'd/y.yaml': '1' } },
    ];
    const texts = [steps, steps.toReversed()].map((order) => {
      const directory = makeDirectory();
      for (const step of [...order, ...order]) expect(run(directory, step)).toEqual([]);
      expect(readTree(directory)).toEqual({ 'a.yaml': '1', 'b.yaml': '1', 'd/x.yaml': '1', 'd/y.yaml': '1' });
      expect(run(directory, { ...owner('b'), tree: { 'c.yaml': '2' } })).toEqual([]);
      expect(readTree(directory)).toEqual({ 'a.yaml': '1', 'c.yaml': '2', 'd/y.yaml': '1' });
      return readFileSync(join(directory, inventoryName), 'utf8');
    });
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).not.toContain(place);
  });

  it.each<{ name: string; other: Tree; tree: Tree; message: string }>([
    {
      name: 'one file',
      other: { 'x.yaml': '1' },
      tree: { 'a.yaml': '1', 'x.yaml': '1' },
      message: '"out/x.yaml" belongs to "b" (layout "flat")',
    },
    {
      name: 'names that differ in case',
      other: { 'x.yaml': '1' },
      tree: { 'X.yaml': '2' },
      message: '"out/X.yaml" conflicts with "out/x.yaml", which belongs to "b" (layout "flat")',
    },
    {
      name: 'a file and a directory',
      other: { 'x/y': '1' },
      tree: { x: '2' },
      message: '"out/x" conflicts with "out/x/y", which belongs to "b" (layout "flat")',
    },
    {
      name: 'a directory and a file',
      other: { x: '1' },
      tree: { 'x/y': '2' },
      message: '"out/x/y" conflicts with "out/x", which belongs to "b" (layout "flat")',
    },
  ])('cannot have $name: nothing is written', ({ other, tree, message }) => {
    const directory = makeDirectory();
    run(directory, { ...owner('b'), tree: other });
    const before = readFileSync(join(directory, inventoryName), 'utf8');
    expect(run(directory, { ...owner('a'), tree })).toEqual([`output-owned-file: ${message}`]);
    expect(readTree(directory)).toEqual(other);
    expect(readFileSync(join(directory, inventoryName), 'utf8')).toBe(before);
    const files = Object.entries(tree).map(([path, text]) => ({ path, text }));
    expect(() => compareOutputDirectory(directory, files, owner('a'))).toThrow('belongs to "b" (layout "flat")');
  });

  it('may use the paths of the other after its files are deleted', () => {
    const directory = makeDirectory();
    run(directory, { ...owner('b', 'phases'), tree: { 'main/x.yaml': '1' } });
    rmSync(join(directory, 'main'), { recursive: true });
    expect(run(directory, { ...owner('a', 'phases'), tree: { 'main/x.yaml': '2' } })).toEqual([]);
    expect(ownersIn(directory)).toEqual(['a phases']);
  });
});

describe('an output directory in another one', () => {
  const inner = { 'x.yaml': '1' };
  const outer = { 'd/x.yaml': '1', 'd/y.yaml': '1' };

  it.each([true, false])('shares no file with it, in either order: %j', (isInnerFirst) => {
    const directory = makeDirectory();
    const steps = [
      { at: directory, step: { ...owner('outer'), tree: outer } },
      { at: join(directory, 'd'), step: { ...owner('inner'), tree: inner } },
    ];
    const [first, second] = isInnerFirst ? steps.toReversed() : steps;
    expect(run(first!.at, first!.step)).toEqual([]);
    const before = readTree(directory);
    const name = isInnerFirst ? 'd/x.yaml' : 'x.yaml';
    const other = isInnerFirst ? 'inner' : 'outer';
    expect(run(second!.at, second!.step)).toEqual([
      `output-owned-file: "out/${name}" belongs to "${other}" (layout "flat")`,
    ]);
    expect(readTree(directory)).toEqual(before);
    expect(run(second!.at, { ...second!.step, tree: { 'd/z.yaml': '1' } })).toEqual([]);
  });

  it('ignores other files of that directory, and a broken inventory', () => {
    const directory = makeDirectory({ '../.kurel-inventory': '{', '../e/.kurel-inventory': '{' });
    run(directory, { ...owner('outer'), tree: outer });
    expect(run(join(directory, 'e'), { ...owner('inner'), tree: inner })).toEqual([]);
    expect(run(directory, { ...owner('outer'), tree: { ...outer, 'e/z.yaml': '1' } })).toEqual([]);
  });
});

describe('a layout', () => {
  it.each([
    ['phases', 'flat'],
    ['phases', 'phases'],
    ['phases', 'flux'],
    ['flat', 'phases'],
    ['argocd', 'phases'],
  ])('%s, then %s of another instance: an error in either order', (first, second) => {
    const directory = makeDirectory();
    run(directory, { ...owner('b', first), tree: { 'b.yaml': '1' } });
    expect(run(directory, { ...owner('a', second), tree: { 'a.yaml': '1' } })).toEqual([
      `output-not-shared: "out" contains "b" (layout "${first}"), but layout "phases" needs its own directory`,
    ]);
    expect(readTree(directory)).toEqual({ 'b.yaml': '1' });
    expect(run(directory, { ...owner('b', first), tree: { 'b.yaml': '2' } })).toEqual([]);
  });

  it('of an instance cannot change while files of the old layout exist', () => {
    const directory = makeDirectory();
    run(directory, { ...owner('a'), tree: { 'a.yaml': '1' } });
    expect(run(directory, { ...owner('a', 'by-kind'), tree: { 'k.yaml': '1' } })).toEqual([
      'output-other-layout: "out" contains "a" in layout "flat", not "by-kind"',
    ]);
    rmSync(join(directory, 'a.yaml'));
    expect(run(directory, { ...owner('a', 'by-kind'), tree: { 'k.yaml': '1' } })).toEqual([]);
    expect(ownersIn(directory)).toEqual(['a by-kind']);
  });
});

describe('the location of a tree', () => {
  const placeOf = (directory: string, instance: string) =>
    findOutputPlace(directory, owner(instance, 'flux')).directory;

  it('is the output directory for the first instance, and never changes', () => {
    const directory = makeDirectory();
    expect(placeOf(directory, 'a')).toBe('');
    run(directory, { ...owner('a', 'flux'), tree: { 'main/x.yaml': 'a' } });
    expect(placeOf(directory, 'b')).toBe('b');
    run(directory, { ...owner('b', 'flux'), directory: 'b', tree: { 'b/main/x.yaml': 'b' } });
    rmSync(join(directory, 'main'), { recursive: true });
    expect([placeOf(directory, 'a'), placeOf(directory, 'b'), placeOf(directory, 'c')]).toEqual(['', 'b', 'c']);
  });

  it('is not written if another build took it in the meantime', () => {
    const directory = makeDirectory();
    run(directory, { ...owner('a', 'flux'), tree: { 'main/x.yaml': 'a' } });
    expect(run(directory, { ...owner('b', 'flux'), tree: { 'main/y.yaml': 'b' } })).toEqual([
      'output-place-taken: another build wrote to "out" at the same time; nothing was written',
    ]);
    expect(readTree(directory)).toEqual({ 'main/x.yaml': 'a' });
  });

  it.each(['main', 'kustomizations', '../src', 'con', 'a b'])(
    'cannot be named %j for a second instance',
    (instance) => {
      const directory = makeDirectory();
      run(directory, { ...owner('first', 'flux'), tree: { 'main/x.yaml': 'a' } });
      expect(() => placeOf(directory, instance)).toThrow(`"${instance}" cannot share`);
    },
  );
});

describe('a build with filters', () => {
  const full = { 'a.yaml': '1', 'b.yaml': '1', 'c.yaml': '1' };

  it('adds and updates files, removes none, and reports that', () => {
    const directory = makeDirectory();
    run(directory, { ...owner('a'), tree: full });
    writeFileSync(join(directory, 'c.yaml'), 'edited');
    expect(run(directory, { ...owner('a'), isPartial: true, tree: { 'a.yaml': '2', 'd.yaml': '1' } })).toEqual([
      'output-not-pruned: 2 files of an earlier build are kept in "out" because this build has filters',
    ]);
    expect(readTree(directory)).toEqual({ ...full, 'a.yaml': '2', 'c.yaml': 'edited', 'd.yaml': '1' });
    // They are still the owner's: a build without filters removes them.
    expect(run(directory, { ...owner('a'), tree: { 'a.yaml': '2' } })).toEqual([
      'output-edited-file: "out/c.yaml" is no longer needed, but was edited and is kept',
    ]);
    expect(readTree(directory)).toEqual({ 'a.yaml': '2', 'c.yaml': 'edited' });
  });

  it('writes no file that would lose objects', () => {
    const directory = makeDirectory();
    run(directory, { ...owner('a'), tree: full });
    const step = { ...owner('a'), isPartial: true, partial: ['a.yaml', 'd.yaml'] };
    expect(run(directory, { ...step, tree: { 'a.yaml': '2', 'b.yaml': '2' } })).toEqual([
      'output-partial-file: "out/a.yaml" also contains objects that the filters exclude, and would lose them',
    ]);
    expect(readTree(directory)).toEqual(full);
    expect(run(directory, { ...step, tree: { 'a.yaml': '1', 'd.yaml': '1' } })).toHaveLength(1);
    expect(readTree(directory)).toEqual({ ...full, 'd.yaml': '1' });
  });

  it('keeps the files of a killed build for the next build without filters', () => {
    const directory = makeDirectory({ 'old.yaml': 'old', 'new.yaml': 'new' });
    const pending = {
      ...owner('a').owner,
      directory: '',
      files: new Map([['old.yaml', digestOf('old')]]),
      next: new Map([['new.yaml', [digestOf('new')]]]),
    };
    writeFileSync(join(directory, inventoryName), formatInventory([pending]));
    run(directory, { ...owner('a'), isPartial: true, tree: { 'x.yaml': '1' } });
    expect(readTree(directory)).toEqual({ 'old.yaml': 'old', 'new.yaml': 'new', 'x.yaml': '1' });
    expect(run(directory, { ...owner('a'), tree: { 'x.yaml': '1' } })).toEqual([]);
    expect(readTree(directory)).toEqual({ 'x.yaml': '1' });
  });
});

describe('an inventory of kurel 0.1.0', () => {
  const old = { 'a.yaml': '1', 'b.yaml': '1' };
  const legacy = (): string => {
    const files = Object.fromEntries(Object.entries(old).map(([path, text]) => [path, digestOf(text)]));
    return makeDirectory({ ...old, [inventoryName]: JSON.stringify({ version: 2, files }) });
  };

  it('is adopted once by the build that writes its files, with a note', () => {
    const directory = legacy();
    expect(run(directory, { ...owner('a'), tree: { 'a.yaml': '2' } })).toEqual([
      'output-adopted: the 2 files that kurel 0.1.0 wrote to "out" now belong to "a" (layout "flat")',
    ]);
    expect(readTree(directory)).toEqual({ 'a.yaml': '2' });
    expect(run(directory, { ...owner('a'), tree: { 'a.yaml': '2' } })).toEqual([]);
  });

  it('is an error for a build that writes none of its files', () => {
    const directory = legacy();
    expect(run(directory, { ...owner('a'), tree: { 'c.yaml': '2' } })).toEqual([
      'output-unowned: "out" contains files of another build, written by kurel 0.1.0; nothing was written',
    ]);
    expect(readTree(directory)).toEqual(old);
    for (const path of Object.keys(old)) rmSync(join(directory, path));
    expect(run(directory, { ...owner('a'), tree: { 'c.yaml': '2' } })).toEqual([]);
  });

  it('is adopted by a build with filters without losing files', () => {
    const directory = legacy();
    expect(run(directory, { ...owner('a'), isPartial: true, tree: { 'a.yaml': '2' } })).toHaveLength(2);
    expect(readTree(directory)).toEqual({ 'a.yaml': '2', 'b.yaml': '1' });
  });
});

describe('a killed build of another instance', () => {
  it('is reported until that instance is built again', () => {
    const directory = makeDirectory({ 'b.yaml': 'new' });
    const files = new Map([['b.yaml', digestOf('old')]]);
    const next = new Map([['b.yaml', [digestOf('new')]]]);
    const killed = { ...owner('b').owner, directory: '', files, next };
    writeFileSync(join(directory, inventoryName), formatInventory([killed]));
    expect(run(directory, { ...owner('a'), tree: { 'a.yaml': '1' } })).toEqual([
      'output-unfinished: the files of "b" (layout "flat") in "out" are incomplete: its last build was interrupted',
    ]);
    expect(readInventory(directory).owners.find(({ instance }) => instance === 'b')).toEqual(killed);
    expect(run(directory, { ...owner('b'), tree: {} })).toEqual([]);
    expect(readTree(directory)).toEqual({ 'a.yaml': '1' });
  });
});

describe('any sequence of builds of three owners', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const path = fc.array(name, { minLength: 1, maxLength: 2 }).map((parts) => parts.join('/'));
  const tree = fc
    .dictionary(path, fc.constantFrom('1', '2'), { minKeys: 1, maxKeys: 3 })
    .filter((one) => !Object.keys(one).some((a) => Object.keys(one).some((b) => b.startsWith(`${a}/`))));
  const step = fc.record({ instance: name, tree, isPartial: fc.boolean() });

  it('leaves the files of the last build of each owner, or everything unchanged', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
        const directory = makeDirectory();
        const owned = new Map<string, Tree>();
        for (const { instance, tree: wanted, isPartial } of steps) {
          const before = existsSync(directory) ? readTree(directory) : {};
          const refusals = run(directory, { ...owner(instance), tree: wanted, isPartial }).filter(
            (finding) => !finding.startsWith('output-not-pruned'),
          );
          const others = [...owned].filter(([one]) => one !== instance).flatMap(([, files]) => Object.keys(files));
          const own = isPartial ? (owned.get(instance) ?? {}) : {};
          const collides = (one: string, other: string): boolean =>
            one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
          const isOther = Object.keys(wanted).some((one) => others.some((other) => collides(one, other)));
          // Files that a build with filters keeps can also conflict.
          const isOwn = Object.keys(wanted).some((one) =>
            Object.keys(own).some((kept) => one !== kept && collides(one, kept)),
          );
          expect(refusals.length > 0).toBe(isOther || isOwn);
          if (isOther || isOwn) expect(existsSync(directory) ? readTree(directory) : {}).toEqual(before);
          else owned.set(instance, { ...own, ...wanted });
          const expected = Object.assign({}, ...owned.values());
          expect(existsSync(directory) ? readTree(directory) : {}).toEqual(expected);
        }
      }),
      { numRuns: 100 },
    );
  });
});
