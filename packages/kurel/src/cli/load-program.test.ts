import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { CachedCode, CodeCache } from './load-program.ts';
import { loadProgram } from './load-program.ts';

const files = {
  'main.cjs': {
    './main.cjs': 'globalThis.trace.push("main"); exports.name = "main"; require("./one.cjs").hello(__dirname);',
    './one.cjs': 'exports.main = require("./main.cjs").name; exports.hello = (where) => require("./two.cjs")(where);',
  },
  'two.cjs': {
    './two.cjs':
      'globalThis.trace.push("two"); module.exports = (where) => globalThis.trace.push(require("node:path").basename(where));',
  },
};

describe('loading the program', () => {
  let directory = '';
  let count = 0;
  const trace: string[] = [];
  beforeEach(() => {
    trace.splice(0);
    Object.assign(globalThis, { trace });
    directory = mkdtempSync(join(tmpdir(), 'program-'));
    // V8 remembers texts that it has compiled in this process, so no two tests have the same.
    count += 1;
    for (const [file, chunks] of Object.entries(files)) writeFile(file, chunks);
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'trace');
    rmSync(directory, { recursive: true });
  });

  function writeFile(file: string, chunks: Readonly<Record<string, string>>): void {
    const parts = Object.entries(chunks).map(
      ([name, code]) => `${JSON.stringify(name)}:(function(exports,require,module,__dirname){${code}\n})`,
    );
    writeFileSync(join(directory, file), `({${parts.join(',')}})// ${count}\n`);
  }

  const load = (cache?: CodeCache) =>
    loadProgram({ directory, chunksOf: { 'main.cjs': './main.cjs./one.cjs' } }, './main.cjs', cache);

  /** Remembers reads and writes. */
  function createCache(kept: Map<string, CachedCode>) {
    const written: string[] = [];
    const cache: CodeCache = {
      read: (name) => kept.get(name),
      write(name, code) {
        written.push(name);
        kept.set(name, code);
      },
    };
    return { cache, written };
  }

  it('runs each chunk once, when it is required, from its file', () => {
    load()();
    const name = directory.slice(directory.lastIndexOf('/') + 1);
    expect(trace).toEqual(['main', 'two', name]);
  });

  it('keeps the code of every file that was loaded, and not again when it was there', () => {
    const { cache, written } = createCache(new Map());
    load(cache)();
    expect(written).toEqual(['main.cjs', 'two.cjs']);
    load(cache)();
    expect(written).toEqual(['main.cjs', 'two.cjs']);
    expect(trace.filter((word) => word === 'two')).toHaveLength(2);
  });

  it('adds the code of a run that loads other chunks, once', () => {
    const kept = new Map<string, CachedCode>();
    const { cache, written } = createCache(kept);
    writeFile('main.cjs', { './main.cjs': 'globalThis.trace.push("main"); globalThis.more?.(require);' });
    load(cache)();
    const before = kept.get('main.cjs')!;
    Object.assign(globalThis, { more: (load: (name: string) => unknown) => load('./two.cjs') });
    load(cache)();
    load(cache)();
    Reflect.deleteProperty(globalThis, 'more');
    load(cache)();
    expect(written).toEqual(['main.cjs', 'main.cjs', 'two.cjs']);
    expect([before.kinds, kept.get('main.cjs')!.kinds, kept.get('two.cjs')!.kinds]).toEqual([[1], [1, 2], [2]]);
  });

  it('runs without code that V8 refuses, and replaces it', () => {
    const broken = { data: new Uint8Array(64), kinds: [3] };
    const { cache, written } = createCache(new Map([['main.cjs', broken]]));
    load(cache)();
    expect(trace.slice(0, 2)).toEqual(['main', 'two']);
    expect(written).toEqual(['main.cjs', 'two.cjs']);
  });

  it('keeps functions that were compiled when they were called', () => {
    const sizeAfter = (main: string): number => {
      count += 1;
      writeFile('main.cjs', { './main.cjs': main });
      writeFile('two.cjs', files['two.cjs']);
      const kept = new Map<string, CachedCode>();
      load(createCache(kept).cache)();
      return kept.get('two.cjs')!.data.length;
    };
    expect(sizeAfter('require("./two.cjs")(__dirname)')).toBeGreaterThan(sizeAfter('require("./two.cjs")'));
  });
});
