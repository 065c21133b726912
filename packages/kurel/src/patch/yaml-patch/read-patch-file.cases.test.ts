import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectCaseFile } from '../../../test/check-case.ts';
import { listCases, openCase } from '../../../test/golden-case.ts';
import type { Diagnostic } from '../../model/index.ts';
import { locateInYaml } from '../../yaml/index.ts';
import { yamlPatchProblems } from './problems.ts';
import { readPatchFile } from './read-patch-file.ts';
import { formatPrinted } from '../../../test/format-printed.ts';

const directory = join(import.meta.dirname, 'cases');
const names = listCases(directory);

function inputOf(name: string): string | undefined {
  return openCase(join(directory, name))
    .list()
    .find((file) => file.startsWith('input.'));
}

function readCase(name: string) {
  const path = inputOf(name)!;
  const source = { path, text: openCase(join(directory, name)).read(path) };
  const diagnostics: Diagnostic[] = [];
  readPatchFile(source, (diagnostic) => diagnostics.push(diagnostic));
  return { source, diagnostics };
}

describe('findings about patch files', () => {
  it.each(names)('%s', (name) => {
    const { source, diagnostics } = readCase(name);
    expect(diagnostics).not.toEqual([]);
    const text = formatPrinted(diagnostics, { sources: [source], locate: locateInYaml, color: false });
    expectCaseFile(openCase(join(directory, name)), 'expected.txt', text);
  });

  it('has a case for every problem', () => {
    const reported = new Set(names.flatMap((name) => readCase(name).diagnostics.map(({ code }) => code)));
    for (const code of Object.keys(yamlPatchProblems.definitions)) expect(reported).toContain(code);
  });

  it.each(names)('%s has only the files of a case', (name) => {
    expect(openCase(join(directory, name)).list()).toEqual(['expected.txt', inputOf(name)]);
  });
});
