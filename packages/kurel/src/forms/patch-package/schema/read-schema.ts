import { isJsonObject } from '../../../model/index.ts';
import type { JsonObject, Report, SourceFile } from '../../../model/index.ts';
import { readYaml } from '../../../yaml/index.ts';
import { checkSchema } from './check-schema.ts';
import { parameterSchemaProblems } from './problems.ts';

/** A schema of parameters that a person wrote, or a part of one, in JSON or YAML; `undefined` when it is none, which is told. */
export function readParameterSchema(source: SourceFile, report: Report): JsonObject | undefined {
  const { documents, diagnostics } = readYaml(source);
  for (const diagnostic of diagnostics) report(diagnostic);
  if (diagnostics.some(({ severity }) => severity === 'error')) return undefined;
  const found = documents.filter(({ data }) => data !== undefined && data !== null);
  const data = found.length === 0 ? {} : found[0]!.data;
  const location = { file: source.path };
  if (found.length > 1 || !isJsonObject(data)) {
    const args = { what: 'the file', wanted: 'one mapping, which is a JSON Schema' };
    report(parameterSchemaProblems.create('schema-invalid', args, { location }));
    return undefined;
  }
  return checkSchema(data, { file: source.path, document: found[0]?.index ?? 0, report }) ? data : undefined;
}
