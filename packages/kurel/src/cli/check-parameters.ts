import {
  castValues,
  findParameterOrigin,
  readParameterSchema,
  reportMissingInSchema,
  validateValues,
} from '../index.ts';
import type { ExaminedPackage, SchemaStore } from '../index.ts';
import type { Budget, Diagnostic, JsonObject, Path, SourceFile } from '../model/index.ts';
import type { Environment } from './environment.ts';
import { fileProblem } from './file-problem.ts';
import { openDisk } from './open-world.ts';
import { makeParameterSchema } from './parameter-schema.ts';
import type { Findings } from './print-diagnostics.ts';

export interface ParameterCheck {
  readonly examined: ExaminedPackage;
  readonly store: SchemaStore;
  readonly environment: Environment;
  readonly isCached: boolean;
  /** Replaces the generated schema. */
  readonly schemaFile: string | undefined;
  readonly budget?: Budget | undefined;
}

export interface ParameterChecked {
  /** Whether there was a schema, and values to check against it. */
  readonly isChecked: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Parameters that were reported. */
  readonly refused: readonly Path[];
  readonly sources: readonly SourceFile[];
}

/** Checks the parameters that a package is built with against their schema. */
export async function checkParameters(check: ParameterCheck): Promise<ParameterChecked> {
  const { package: pkg, parameters, plan } = check.examined;
  const diagnostics: Diagnostic[] = [];
  const sources: SourceFile[] = [];
  const refused: Path[] = [];
  let schema: JsonObject | undefined;
  if (check.schemaFile !== undefined) {
    schema = await readSchemaFile(check.schemaFile);
    if (schema !== undefined && pkg !== undefined && parameters !== undefined) {
      const given = { schema, file: check.schemaFile };
      reportMissingInSchema({ package: pkg, parameters, store: check.store }, given, report);
    }
  } else if (pkg !== undefined && parameters !== undefined) {
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

export interface RefusalCheck extends Pick<ParameterCheck, 'store' | 'environment' | 'budget'> {
  readonly strict?: boolean | undefined;
}

/** Given parameters that a build refuses: warnings for commands that only answer a question, and errors with --strict. */
export async function findRefusedParameters(
  examined: ExaminedPackage,
  { strict, ...check }: RefusalCheck,
): Promise<Findings> {
  const { diagnostics } = await checkParameters({ ...check, examined, isCached: false, schemaFile: undefined });
  const withSeverity = (diagnostic: Diagnostic): Diagnostic => ({
    ...diagnostic,
    severity: strict === true ? 'error' : 'warning',
  });
  const refused = diagnostics.flatMap((diagnostic) =>
    diagnostic.severity === 'error' ? withSeverity(diagnostic) : [],
  );
  const { package: pkg, parameters } = examined;
  const sources = [...(parameters?.layers.map(({ source }) => source) ?? []), pkg?.schemaOverrides];
  return { diagnostics: refused, sources: sources.filter((source) => source !== undefined) };
}
