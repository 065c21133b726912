import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectCaseFile } from '../../../test/check-case.ts';
import { listCases, openCase } from '../../../test/golden-case.ts';
import { bundledSchemas } from '../../host/index.ts';
import { decodeObjects } from '../../kube/index.ts';
import type { Diagnostic, SourceFile, Values } from '../../model/index.ts';
import { readValues } from '../../parameters/index.ts';
import { createSchemaStore } from '../../schema/index.ts';
import { locateInYaml, readYaml } from '../../yaml/index.ts';
import { applyPatches, readPatchFile } from '../index.ts';
import { formatPrinted } from '../../../test/format-printed.ts';

const directory = join(import.meta.dirname, 'cases');
const store = createSchemaStore({ files: bundledSchemas() });

// A case has `base.yaml`, perhaps `values.yaml`, patch files, and `expected.txt` with the printed findings.
describe('findings about patches that do not match their objects', () => {
  it.each(listCases(directory))('%s', (name) => {
    const one = openCase(join(directory, name));
    const read = (path: string): SourceFile => ({ path, text: one.read(path) });
    const diagnostics: Diagnostic[] = [];
    const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
    const sources = one
      .list()
      .filter((file) => file !== 'expected.txt')
      .map(read);
    const base = sources.find(({ path }) => path === 'base.yaml')!;
    const given = sources.find(({ path }) => path === 'values.yaml');
    const values: Values = (given === undefined ? undefined : readValues(given, report)) ?? {};
    const objects = decodeObjects(readYaml(base).documents, { file: base.path, report }).map(({ object }) => object);
    const files = sources
      .filter((source) => source !== base && source !== given)
      .map((source) => readPatchFile(source, report));
    const result = applyPatches(objects, files, {
      store,
      variables: { scope: 'alone', values },
      conflicts: true,
      report,
    });
    expect(diagnostics).not.toEqual([]);
    if (diagnostics.some(({ severity }) => severity === 'error')) expect(result.objects).toBe(objects);
    const text = formatPrinted(diagnostics, { sources, locate: locateInYaml, color: false });
    expectCaseFile(one, 'expected.txt', text);
  });
});
