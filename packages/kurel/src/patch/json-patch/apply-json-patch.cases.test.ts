import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectCaseFile } from '../../../test/check-case.ts';
import { listCases, openCase } from '../../../test/golden-case.ts';
import type { Diagnostic } from '../../model/index.ts';
import { locateInYaml, readYaml } from '../../yaml/index.ts';
import { applyJsonPatch } from './apply-json-patch.ts';
import { jsonPatchProblems } from './problems.ts';
import { formatPrinted } from '../../../test/format-printed.ts';

const directory = join(import.meta.dirname, 'cases');
const names = listCases(directory);

/** The first document of a case is the target, the second the patch. */
function runCase(name: string) {
  const source = { path: 'input.yaml', text: openCase(join(directory, name)).read('input.yaml') };
  const [target, patch] = readYaml(source).documents.map(({ data }) => data!);
  const diagnostics: Diagnostic[] = [];
  const result = applyJsonPatch(target!, patch!, {
    report: (one) => diagnostics.push(one),
    location: { file: source.path, document: 1, path: [] },
  });
  return { source, target, result, diagnostics };
}

describe('findings about JSON patches', () => {
  it.each(names)('%s', (name) => {
    const { source, target, result, diagnostics } = runCase(name);
    expect(diagnostics).not.toEqual([]);
    expect(result).toBe(target);
    const text = formatPrinted(diagnostics, { sources: [source], locate: locateInYaml, color: false });
    expectCaseFile(openCase(join(directory, name)), 'expected.txt', text);
  });

  it('has a case for every problem that a few lines can have', () => {
    const reported = new Set(names.flatMap((name) => runCase(name).diagnostics.map(({ code }) => code)));
    expect([...reported, 'json-patch-too-large'].sort()).toEqual(Object.keys(jsonPatchProblems.definitions).sort());
  });

  it.each(names)('%s has only the files of a case', (name) => {
    expect(openCase(join(directory, name)).list()).toEqual(['expected.txt', 'input.yaml']);
  });
});
