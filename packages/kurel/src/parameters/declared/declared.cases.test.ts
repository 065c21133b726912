import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectCaseFile } from '../../../test/check-case.ts';
import { listCases, openCase } from '../../../test/golden-case.ts';
import type { Diagnostic, SourceFile } from '../../model/index.ts';
import { locateInYaml, writeYaml } from '../../yaml/index.ts';
import { declaredProblems, fillApplication } from '../index.ts';
import { readPackage, readLayers, resolvePackage } from '../../../test/declared/read-package-cases.ts';
import { formatPrinted } from '../../../test/format-printed.ts';

const directory = join(import.meta.dirname, 'cases');
const names = listCases(directory);

// A case is a `kurel.yaml`, optionally an `app.yaml`, values files, and `set.txt` with one assignment per
// line; `expected.yaml` is the application with its parameters filled in and `expected.txt` the findings.
describe('declared parameters', () => {
  it.each(names)('%s', (name) => {
    const { filled, text } = runCase(name);
    const one = openCase(join(directory, name));
    expectCaseFile(one, 'expected.yaml', filled);
    expectCaseFile(one, 'expected.txt', text);
  });

  it('have a case for every finding', () => {
    const codes = new Set(names.flatMap((name) => runCase(name).diagnostics.map(({ code }) => code)));
    expect(Object.keys(declaredProblems.definitions).filter((code) => !codes.has(code))).toEqual([]);
  });
});

interface Outcome {
  readonly filled: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly text: string | undefined;
}

function runCase(name: string): Outcome {
  const one = openCase(join(directory, name));
  const read = (path: string): SourceFile | undefined => (one.has(path) ? { path, text: one.read(path) } : undefined);
  const found: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const source = read('kurel.yaml')!;
  const files = [read('values.yaml'), read('values-2.yaml')].filter((file) => file !== undefined);
  const layers = readLayers(files, read('set.txt')?.text.trimEnd().split('\n') ?? []);
  const declarations = readPackage(source, report);
  const values = found.length === 0 ? resolvePackage(declarations, layers, report) : undefined;
  const app = read('app.yaml');
  const filled = app && values && fillApplication(app, values, { report });
  const sources = [source, ...layers.map((layer) => layer.source), ...(app === undefined ? [] : [app])];
  return {
    filled: filled && writeYaml(filled.data),
    diagnostics: found,
    text: found.length === 0 ? undefined : formatPrinted(found, { sources, locate: locateInYaml, color: false }),
  };
}
