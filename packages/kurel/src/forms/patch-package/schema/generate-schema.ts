import { mergeJson } from '../../../patch/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { JsonObject, Path, Report } from '../../../model/index.ts';
import { formatReferencePath, resolveParameters } from '../../../parameters/index.ts';
import type { SchemaStore } from '../../../schema/index.ts';
import type { PackageParameters, PatchPackage, PatchPlan } from '../patch-package.ts';
import { buildSchema } from './build-schema.ts';
import { isInSchema } from './cast-values.ts';
import { listUses } from './list-uses.ts';
import type { UsedParameter } from './list-uses.ts';
import { createOwnComments, ownParameters } from './own-parameters.ts';
import { collectUses } from './parameter-uses.ts';
import { parameterSchemaProblems } from './problems.ts';
import { readParameterSchema } from './schema-cache-key.ts';

export interface SchemaRequest {
  readonly package: PatchPackage;
  /** What fields take is known from here; the CRDs of the package are added. Descriptions come from one that has them. */
  readonly store: SchemaStore | undefined;
  /** Parameters without a value that an enabled patch uses are required. */
  readonly plan?: PatchPlan | undefined;
  /** Variables that these do not define are errors of their own, and not told here as well. */
  readonly parameters?: PackageParameters | undefined;
}

/**
 * The JSON Schema (draft 7) of the parameters of a package: their types from the values the package gives them, what
 * Kubernetes asks of the fields that they end in, and what the package lays over that by hand. Values from outside the
 * package play no part, so that they can be checked against it.
 */
export function generateParameterSchema(request: SchemaRequest, report: Report): JsonObject {
  const { package: pkg, store, plan, parameters } = request;
  const merged = ownParameters(pkg.layers);
  // What is wrong with the parameters is reported by those who build with them.
  const values = resolveParameters(merged, { report: () => undefined, locate: () => undefined, maxDepth: 100 });
  const used = listUses(pkg, { store, values, given: parameters?.values });
  const enabled = new Set(plan?.enabled.map(({ patch }) => patch.file.source.path));
  const inferred = buildSchema({
    merged,
    values,
    uses: collectUses(used, merged),
    commentAt: createOwnComments(pkg.layers),
    isNeeded: ({ location }) => enabled.has(location.file),
    report: once(report),
  });
  const overrides = pkg.schemaOverrides === undefined ? undefined : readParameterSchema(pkg.schemaOverrides, report);
  const generated: JsonObject = { $schema: 'http://json-schema.org/draft-07/schema#', ...inferred };
  const laid = overrides === undefined ? generated : mergeJson(generated, overrides);
  const schema = isJsonObject(laid) ? laid : generated;
  reportUnknown(used, { schema, parameters, report });
  return schema;
}

/** Every item of a list would tell the same. */
function once(report: Report): Report {
  const reported = new Set<string>();
  return (diagnostic) => {
    const key = diagnostic.message.replaceAll(/\[\d+\]/g, '[]');
    if (reported.has(key)) return;
    reported.add(key);
    report(diagnostic);
  };
}

function reportUnknown(
  used: readonly UsedParameter[],
  {
    schema,
    parameters,
    report,
  }: { readonly schema: JsonObject; readonly parameters: PackageParameters | undefined; readonly report: Report },
): void {
  const reported = new Set<string>();
  for (const { parameter, location } of used) {
    const variable = formatReferencePath(parameter);
    if (reported.has(variable) || isInSchema(schema, parameter)) continue;
    reported.add(variable);
    if (parameters !== undefined && !isDefined(parameters, parameter)) continue;
    const args = { variable, key: 'schemas/parameters.overrides.yaml' };
    report(parameterSchemaProblems.create('schema-variable-unknown', args, { location }));
  }
}

function isDefined({ values }: PackageParameters, path: Path): boolean {
  let value: unknown = values;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return false;
    value = (value as { readonly [key in string | number]: unknown })[step];
  }
  return true;
}
