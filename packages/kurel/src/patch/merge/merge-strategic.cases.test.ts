import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectCaseFile } from '../../../test/check-case.ts';
import { listCases, openCase } from '../../../test/golden-case.ts';
import { bundledSchemas } from '../../host/index.ts';
import { gvkOf } from '../../kube/index.ts';
import type { Diagnostic, JsonObject, KubeObject } from '../../model/index.ts';
import { createSchemaStore } from '../../schema/index.ts';
import { locateInYaml, readYaml } from '../../yaml/index.ts';
import { mergeStrategic } from './merge-strategic.ts';
import { mergeProblems } from './problems.ts';
import { formatPrinted } from '../../../test/format-printed.ts';

const directory = join(import.meta.dirname, 'cases');
const names = listCases(directory);
const shipped = createSchemaStore({ files: bundledSchemas() });

/** The last document of a case is the patch, the one before it the object; any others are definitions. */
function runCase(name: string) {
  const source = { path: 'input.yaml', text: openCase(join(directory, name)).read('input.yaml') };
  const documents = readYaml(source).documents.map(({ data }) => data as JsonObject);
  const target = documents.at(-2) as KubeObject;
  const store = shipped.with(documents.slice(0, -2) as KubeObject[], () => source.path);
  const known = store.find(gvkOf(target)!);
  const diagnostics: Diagnostic[] = [];
  const result = mergeStrategic(target, documents.at(-1)!, {
    schema: known?.schema,
    builtIn: known?.source.startsWith('Kubernetes ') ?? false,
    report: (one) => diagnostics.push(one),
    locate: (path, at) => ({ file: source.path, document: documents.length - 1, path, at }),
  });
  return { source, target, result, diagnostics };
}

describe('findings about strategic patches', () => {
  it.each(names)('%s', (name) => {
    const { source, target, result, diagnostics } = runCase(name);
    expect(diagnostics).not.toEqual([]);
    expect(result === target).toBe(diagnostics.some(({ severity }) => severity === 'error'));
    const text = formatPrinted(diagnostics, { sources: [source], locate: locateInYaml, color: false });
    expectCaseFile(openCase(join(directory, name)), 'expected.txt', text);
  });

  it('shows every problem that a few lines can have', () => {
    const reported = new Set(names.flatMap((name) => runCase(name).diagnostics.map(({ code }) => code)));
    expect([...reported, 'smp-too-deep'].sort()).toEqual(Object.keys(mergeProblems.definitions).sort());
  });

  it.each(names)('%s has only the files of a case', (name) => {
    expect(openCase(join(directory, name)).list()).toEqual(['expected.txt', 'input.yaml']);
  });
});
