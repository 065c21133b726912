import type { JsonObject, Report, SourceFile } from '../../src/model/index.ts';
// The renderer that brings the declarations also brings the patterns; the tests take the same.
import { readYaml } from '../../src/yaml/index.ts';
import { readValues } from '../../src/parameters/layers.ts';
import type { ParameterLayer } from '../../src/parameters/layers.ts';
import { readDeclarations } from '../../src/documents/read-declarations.ts';
import { resolveDeclared } from '../../src/parameters/index.ts';
import type { DeclaredValues, ParameterDeclaration } from '../../src/parameters/index.ts';

/** The parameters of a kurel.yaml. */
export function readPackage(source: SourceFile, report: Report): readonly ParameterDeclaration[] {
  const data = readYaml(source, { words: 'core' }).documents[0]!.data as { readonly spec: JsonObject };
  const location = { file: source.path, document: 0, path: ['spec', 'parameters'] };
  return readDeclarations(data.spec['parameters']!, { source, location, report });
}

export function readLayers(files: readonly SourceFile[], assignments: readonly string[]): readonly ParameterLayer[] {
  return [
    ...files.map((source): ParameterLayer => ({
      kind: 'values',
      source,
      data: readValues(source, () => {}, { words: 'core' }) ?? {},
    })),
    ...assignments.map((text, index): ParameterLayer => {
      return { kind: 'set', source: { path: `--set[${index}]`, text }, data: {} };
    }),
  ];
}

export function resolvePackage(
  declarations: readonly ParameterDeclaration[],
  layers: readonly ParameterLayer[],
  report: Report,
): DeclaredValues | undefined {
  const packageLocation = { file: 'kurel.yaml', document: 0, path: ['metadata', 'name'] };
  return resolveDeclared(declarations, layers, { packageName: 'webservice', packageLocation, report });
}
