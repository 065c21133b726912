import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectCaseFile } from '../../../test/check-case.ts';
import { listCases, openCase } from '../../../test/golden-case.ts';
import type { Diagnostic, SourceFile } from '../../model/index.ts';
import { formatSections } from './read-kpatch.ts';
import { parseKpatch } from '../yaml-patch/read-patch-file.ts';
import { kpatchProblems } from './problems.ts';
import { formatPrinted } from '../../../test/format-printed.ts';

const directory = join(import.meta.dirname, 'cases');
const names = listCases(directory);

function readCase(name: string): { readonly source: SourceFile; readonly found: readonly Diagnostic[] } {
  const source = { path: 'input.kpatch', text: openCase(join(directory, name)).read('input.kpatch') };
  const found: Diagnostic[] = [];
  parseKpatch(source, (diagnostic) => void found.push(diagnostic));
  return { source, found };
}

describe('findings of the parser', () => {
  it.each(names)('%s', (name) => {
    const { source, found } = readCase(name);
    expect(found).not.toEqual([]);
    const text = formatPrinted(found, { sources: [source], locate: () => undefined, color: false });
    expectCaseFile(openCase(join(directory, name)), 'expected.txt', text);
  });

  it.each(names)('%s in the order of the file, and the same to the formatter', (name) => {
    const { source, found } = readCase(name);
    const starts = found.map(({ location }) => location!.range!.start);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    const errors = found.filter(({ severity }) => severity === 'error');
    const again: Diagnostic[] = [];
    const formatted = formatSections(source, (diagnostic) => void again.push(diagnostic));
    expect(again).toEqual(errors);
    expect(formatted === undefined).toBe(errors.length > 0);
  });

  it('has a case for every problem', () => {
    const reported = new Set(names.flatMap((name) => readCase(name).found.map(({ code }) => code)));
    expect([...reported].sort()).toEqual(Object.keys(kpatchProblems.definitions).sort());
  });

  it.each(names)('%s has only the files of a case', (name) => {
    expect(openCase(join(directory, name)).list()).toEqual(['expected.txt', 'input.kpatch']);
  });
});
