import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { OwnCache } from '../own-cache.ts';
import { openStateFile } from './fleet-state.ts';
import type { FreshEntry } from './fleet-state.ts';

describe('the state of a fleet', () => {
  it('has after any runs what the last run of each target left', () => {
    const name = fc.integer({ min: 0, max: 23 }).map((number) => `target-${number}`);
    const run = fc.record({
      built: fc.uniqueArray(fc.tuple(name, fc.integer({ min: 0, max: 2 }), fc.boolean()), { selector: ([one]) => one }),
      removed: fc.uniqueArray(name, { maxLength: 2 }),
    });
    const first = Array.from({ length: 24 }, (_, index): [string, number, boolean] => [`target-${index}`, 0, true]);
    fc.assert(
      fc.property(fc.array(run, { maxLength: 6 }), (runs) => {
        const { cache } = createCache();
        const model = new Map<string, FreshEntry>();
        for (const { built, removed } of [{ built: first, removed: [] as string[] }, ...runs]) {
          const file = openStateFile(cache, 'fleet-1');
          for (const [target, content, isKept] of built) {
            const entry = isKept ? entryOf(target, content) : undefined;
            file.add(target, entry);
            if (entry === undefined) model.delete(target);
            else model.set(target, entry);
          }
          for (const target of removed) model.delete(target);
          file.save(new Set(first.map(([target]) => target).filter((target) => !removed.includes(target))));
          const next = openStateFile(cache, 'fleet-1');
          for (const [target] of first) expect(show(next, target), target).toEqual(model.get(target));
        }
      }),
    );
  });

  it('is written as a whole only when much has changed', () => {
    const { cache, files } = createCache();
    const names = new Set(Array.from({ length: 24 }, (_, index) => `target-${index}`));
    const build = (...targets: readonly string[]): readonly string[] => {
      files.clear();
      for (const [name, text] of kept) files.set(name, text);
      const file = openStateFile(cache, 'fleet-1');
      for (const target of targets) file.add(target, entryOf(target, 1));
      file.save(names);
      const written = [...files].filter(([name, text]) => kept.get(name) !== text).map(([name]) => name);
      kept = new Map(files);
      return written;
    };
    let kept = new Map<string, string>();
    expect(build(...names)).toEqual(['fleet-1.json']);
    expect(build()).toEqual([]);
    expect(build('target-1', 'target-2')).toEqual(['fleet-1.changes.json']);
    expect(build('target-3', 'target-2')).toEqual(['fleet-1.changes.json']);
    expect(build('target-4')).toEqual(['fleet-1.json']);
    expect(build('target-5')).toEqual(['fleet-1.changes.json']);
  });

  it('is empty if a file is cut off, and ignores changes that belong to another state', () => {
    const { cache, files } = createCache();
    const names = new Set(Array.from({ length: 24 }, (_, index) => `target-${index}`));
    const file = openStateFile(cache, 'fleet-1');
    for (const name of names) file.add(name, entryOf(name, 0));
    file.save(names);
    const next = openStateFile(cache, 'fleet-1');
    next.add('target-1', entryOf('target-1', 1));
    next.save(names);
    const changes = files.get('fleet-1.changes.json')!;
    files.set('fleet-1.changes.json', changes.replace(/"id":"[\w-]+/, '"id":"another'));
    expect(show(openStateFile(cache, 'fleet-1'), 'target-1')).toEqual(entryOf('target-1', 0));
    files.set('fleet-1.json', files.get('fleet-1.json')!.slice(0, -10));
    expect(show(openStateFile(cache, 'fleet-1'), 'target-2')).toBeUndefined();
  });

  it('keeps what each target has found in a file that changed during the run', () => {
    const { cache } = createCache();
    const file = openStateFile(cache, 'fleet-1');
    file.add('a', { key: 'k', reads: [['content shared.yaml', '1']] });
    file.add('b', { key: 'k', reads: [['content shared.yaml', '2']] });
    file.save(new Set(['a', 'b']));
    const next = openStateFile(cache, 'fleet-1');
    expect(['a', 'b'].map((target) => show(next, target)?.reads)).toEqual([
      [['content shared.yaml', '1']],
      [['content shared.yaml', '2']],
    ]);
  });

  it('forgets what earlier runs have read when that becomes much', () => {
    const { cache, files } = createCache();
    const names = new Set(Array.from({ length: 8 }, (_, index) => `target-${index}`));
    const build = (targets: Iterable<string>, content: number): void => {
      const file = openStateFile(cache, 'fleet-1');
      for (const target of targets) file.add(target, entryOf(target, content));
      file.save(names);
    };
    build(names, 0);
    const sizes: number[] = [];
    for (let content = 1; content < 100; content += 1) {
      build(['target-1'], content);
      sizes.push([...files.values()].join('').length);
    }
    expect(Math.max(...sizes)).toBeLessThan(2 * sizes[0]!);
  });
});

/** Each target reads a file of its own and one that all share. */
function entryOf(target: string, content: number): FreshEntry {
  return {
    key: `key of ${target}`,
    reads: [
      ['content shared.yaml', 'same'],
      [`content ${target}.yaml`, String(content)],
    ],
    output: {
      paths: ['deployment.yaml', `${content}.yaml`],
      stats: [1, 2, 3, content],
      instance: 'web',
      sha256: `digest ${content}`,
    },
    findings: content === 1 ? { diagnostics: [], accepted: 1, acceptedBy: [['spec', 'accept', 0]] } : undefined,
  };
}

function show(file: ReturnType<typeof openStateFile>, target: string): FreshEntry | undefined {
  const entry = file.find(target);
  if (entry === undefined) return undefined;
  return {
    key: entry.key,
    reads: entry.reads.map((index) => file.reads[index]!),
    output: entry.output && { ...entry.output, paths: file.paths[entry.output.paths]! },
    findings: entry.findings,
  };
}

function createCache(): { readonly cache: OwnCache; readonly files: Map<string, string> } {
  const files = new Map<string, string>();
  const cache: OwnCache = {
    read: (name) => (files.has(name) ? Buffer.from(files.get(name)!) : undefined),
    write: (name, bytes) => void files.set(name, bytes.toString()),
    clear: () => undefined,
  };
  return { cache, files };
}
