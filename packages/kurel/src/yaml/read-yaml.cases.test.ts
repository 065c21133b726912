import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectCaseFile } from '../../test/check-case.ts';
import { listCases, openCase } from '../../test/golden-case.ts';
import { formatDiagnostics } from '../diagnostics/index.ts';
import { locateInYaml } from './locate-in-yaml.ts';
import { yamlProblems } from './problems.ts';
import { readYaml } from './read-yaml.ts';

const directory = join(import.meta.dirname, 'cases');
const names = listCases(directory);

function readCase(name: string) {
  const source = { path: 'input.yaml', text: openCase(join(directory, name)).read('input.yaml') };
  return { source, diagnostics: readYaml(source).diagnostics };
}

describe('findings of the reader', () => {
  it.each(names)('%s', (name) => {
    const { source, diagnostics } = readCase(name);
    expect(diagnostics).not.toEqual([]);
    const text = formatDiagnostics(diagnostics, { sources: [source], locate: locateInYaml, color: false });
    expectCaseFile(openCase(join(directory, name)), 'expected.txt', text);
  });

  it('has a case for every problem that a text of a few lines can have', () => {
    const reported = new Set(names.flatMap((name) => readCase(name).diagnostics.map(({ code }) => code)));
    const generated = [
      'yaml-control-character',
      'yaml-double-return',
      'yaml-marker-return',
      'yaml-marker-unclear',
      'yaml-too-deep',
      'yaml-too-many-levels',
      'yaml-too-large',
      'yaml-too-many-documents',
    ];
    const refusals = Object.entries(yamlProblems.definitions).filter(([, { severity }]) => severity === 'error');
    expect([...reported, ...generated].sort()).toEqual(refusals.map(([code]) => code).sort());
  });

  it.each(names)('%s has only the files of a case', (name) => {
    expect(openCase(join(directory, name)).list()).toEqual(['expected.txt', 'input.yaml']);
  });
});
