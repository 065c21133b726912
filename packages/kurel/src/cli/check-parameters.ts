import { castValues, findParameterOrigin, readParameterSchema, validateValues } from '../index.ts';
import type { SchemaStore } from '../index.ts';
import type { Budget, Diagnostic, JsonObject, Path, SourceFile } from '../model/index.ts';
import type { Environment } from './environment.ts';
import type { Examination } from './examine-package.ts';
import { fileProblem } from './file-problem.ts';
import { openDisk } from './open-disk.ts';
import { makeParameterSchema } from './parameter-schema.ts';

export interface ParameterCheck {
  readonly examination: Examination;
  readonly store: SchemaStore;
  readonly environment: Environment;
  readonly isCached: boolean;
  /** A schema that takes the place of the generated one. */
  readonly schemaFile: string | undefined;
  readonly budget?: Budget | undefined;
}

export interface ParameterChecked {
  /** Whether there was a schema, and values to hold against it. */
  readonly isChecked: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Parameters that were reported. */
  readonly refused: readonly Path[];
  readonly sources: readonly SourceFile[];
}

/** Checks the parameters that a package is built with against their schema. */
export async function checkParameters(check: ParameterCheck): Promise<ParameterChecked> {
  const { package: pkg, parameters, plan } = check.examination;
  const diagnostics: Diagnostic[] = [];
  const sources: SourceFile[] = [];
  const refused: Path[] = [];
  let schema: JsonObject | undefined;
  if (check.schemaFile !== undefined) schema = await readSchemaFile(check.schemaFile);
  else if (pkg !== undefined && parameters !== undefined) {
    const made = makeParameterSchema({ ...check, package: pkg, parameters, plan });
    for (const diagnostic of made.diagnostics) diagnostics.push(diagnostic);
    ({ schema } = made);
  }
  if (schema === undefined || parameters === undefined) return { isChecked: false, diagnostics, refused, sources };
  validateValues(castValues(parameters.values, schema), schema, {
    report,
    budget: check.budget,
    locate(path) {
      refused.push(path);
      return findParameterOrigin(parameters.layers, path)?.location;
    },
  });
  return { isChecked: true, diagnostics, refused, sources };

  function report(diagnostic: Diagnostic): void {
    diagnostics.push(diagnostic);
  }

  async function readSchemaFile(path: string): Promise<JsonObject | undefined> {
    try {
      const source = { path, text: await openDisk(check.environment, { pipes: true }).readText(path) };
      sources.push(source);
      return readParameterSchema(source, report);
    } catch (error) {
      report(fileProblem(error));
      return undefined;
    }
  }
}
