import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileSystemOf } from '../../../../test/case-file-system.ts';
import { expectCaseFile } from '../../../../test/check-case.ts';
import { listCases, openCase } from '../../../../test/golden-case.ts';
import type { Diagnostic, JsonObject } from '../../../model/index.ts';
import { findParameterOrigin, readValues } from '../../../parameters/index.ts';
import type { ParameterLayer } from '../../../parameters/index.ts';
import { recordReads } from '../../../reads/index.ts';
import { locateInYaml, writeJson } from '../../../yaml/index.ts';
import { loadPatchPackage } from '../load-patch-package.ts';
import { resolvePackageParameters } from '../examine-package.ts';
import { planPatches } from '../plan-patches.ts';
import { castValues } from './cast-values.ts';
import { generateParameterSchema } from './generate-schema.ts';
import { parameterSchemaProblems } from './problems.ts';
import { store } from '../../../../test/patch-package/schema-cases.ts';
import { validateValues } from './validate-values.ts';
import { formatPrinted } from '../../../../test/format-printed.ts';

const directory = join(import.meta.dirname, 'cases');
const names = listCases(directory);

// A case has a package `app.kurel`, perhaps `values.yaml`; `expected.json` is its schema and `expected.txt`
// what is found while it is made and when the values are checked against it.
describe('the schema of a package', () => {
  it.each(names)('%s', async (name) => {
    const { schema, diagnostics, text } = await runCase(name);
    const one = openCase(join(directory, name));
    expectCaseFile(one, 'expected.json', `${writeJson(schema)}\n`);
    expectCaseFile(one, 'expected.txt', diagnostics.length > 0 ? text : undefined);
  });

  it('has a case for everything that can be found', async () => {
    const found = await Promise.all(names.map(runCase));
    const codes = new Set(found.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code)));
    expect(Object.keys(parameterSchemaProblems.definitions).filter((code) => !codes.has(code))).toEqual([]);
  });
});

interface Outcome {
  readonly schema: JsonObject;
  readonly diagnostics: readonly Diagnostic[];
  readonly text: string;
}

async function runCase(name: string): Promise<Outcome> {
  const texts = recordReads({ fileSystem: fileSystemOf(openCase(join(directory, name))) });
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const pkg = (await loadPatchPackage({ fileSystem: texts.fileSystem, path: 'app.kurel' }, report))!;
  const hasValues = (await texts.fileSystem.kindOf('values.yaml')) !== undefined;
  const layers: ParameterLayer[] = [];
  if (hasValues) {
    const source = { path: 'values.yaml', text: await texts.fileSystem.readText('values.yaml') };
    layers.push({ kind: 'values', source, data: readValues(source, report)! });
  }
  const parameters = resolvePackageParameters(pkg, layers, { report })!;
  const plan = planPatches(pkg, parameters, { report });
  const schema = generateParameterSchema({ package: pkg, store, plan, parameters }, report);
  validateValues(castValues(parameters.values, schema), schema, {
    report,
    overrides: 'schemas/parameters.overrides.yaml',
    locate: (path) => findParameterOrigin(parameters.layers, path)?.location,
  });
  const sources = await texts.sourcesOf(diagnostics);
  return { schema, diagnostics, text: formatPrinted(diagnostics, { sources, locate: locateInYaml, color: false }) };
}
