import { mergeJson } from '../../../patch/index.ts';
import { nearest } from '../../../diagnostics/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject, Path, Report } from '../../../model/index.ts';
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
  /** Source of field types; the CRDs of the package are added. Descriptions need a store that has them. */
  readonly store: SchemaStore | undefined;
  /** Parameters without a value that an enabled patch uses are required. */
  readonly plan?: PatchPlan | undefined;
  /** Variables that these do not define are reported elsewhere, and not here as well. */
  readonly parameters?: PackageParameters | undefined;
}

/**
 * Generates the JSON Schema (draft 7) of the parameters of a package: types from its own values, constraints from the Kubernetes
 * fields that they are used for, and the overrides of the package. Values from outside the package have no influence, so that they
 * can be validated against it.
 */
export function generateParameterSchema(request: SchemaRequest, report: Report): JsonObject {
  const { package: pkg, store, plan, parameters } = request;
  const merged = ownParameters(pkg.layers);
  // Problems of the parameters are reported by the build.
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
  if (pkg.schemaOverrides !== undefined && overrides !== undefined) {
    const referred = used.map(({ parameter }) => parameter);
    const idle = findIdle(overrides, inferred, { referred, given: parameters?.values ?? {}, path: [] });
    for (const { name, known, path } of idle) {
      const location = { file: pkg.schemaOverrides.path, document: 0, path, at: 'key' as const };
      const args = { parameter: formatReferencePath(name), near: nearest(String(name.at(-1)), known) };
      report(parameterSchemaProblems.create('schema-override-idle', args, { location }));
    }
  }
  return schema;
}

interface IdleOverride {
  readonly name: Path;
  /** Sibling parameters. */
  readonly known: readonly string[];
  /** Path in the file. */
  readonly path: Path;
}

/** Descriptions of parameters that have no value and are not used: their names are most likely mistyped. */
function findIdle(
  overrides: Json | undefined,
  inferred: Json | undefined,
  {
    referred,
    given,
    path,
  }: { readonly referred: readonly Path[]; readonly given: Json | undefined; readonly path: Path },
): readonly IdleOverride[] {
  const described = isJsonObject(overrides) ? overrides['properties'] : undefined;
  const properties = isJsonObject(inferred) ? inferred['properties'] : undefined;
  // An empty object in a package accepts any keys.
  if (!isJsonObject(described) || !isJsonObject(properties)) return [];
  const depth = path.length / 2;
  return Object.keys(described).flatMap((key): readonly IdleOverride[] => {
    const here = [...path, 'properties', key];
    const inside = referred.filter((parameter) => parameter[depth] === key || parameter.length <= depth);
    const value = isJsonObject(given) ? given[key] : undefined;
    if (Object.hasOwn(properties, key)) {
      return findIdle(described[key], properties[key], { referred: inside, given: value, path: here });
    }
    if (value !== undefined || inside.some((parameter) => parameter.length > depth)) return [];
    return [{ name: here.filter((_, index) => index % 2 === 1), known: Object.keys(properties), path: here }];
  });
}

/** Reports variables that a custom schema does not describe. Package metadata is not a parameter. */
export function reportMissingInSchema(
  { package: pkg, store, parameters }: SchemaRequest,
  { schema, file }: { readonly schema: JsonObject; readonly file: string },
  report: Report,
): void {
  const merged = ownParameters(pkg.layers);
  const values = resolveParameters(merged, { report: () => undefined, locate: () => undefined, maxDepth: 100 });
  const used = listUses(pkg, { store, values, given: parameters?.values });
  const asked = used.filter(({ parameter: [first] }) => first !== 'kurel');
  reportUnknown(asked, { schema, parameters, report, advice: `add it to ${file}` });
}

/** Every item of a list would report the same. */
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
    advice = 'add a default to parameters.yaml, or describe it in schemas/parameters.overrides.yaml',
  }: {
    readonly schema: JsonObject;
    readonly parameters: PackageParameters | undefined;
    readonly report: Report;
    readonly advice?: string;
  },
): void {
  const reported = new Set<string>();
  for (const { parameter, location } of used) {
    const variable = formatReferencePath(parameter);
    if (reported.has(variable) || isInSchema(schema, parameter)) continue;
    reported.add(variable);
    if (parameters !== undefined && !isDefined(parameters, parameter)) continue;
    const args = { variable, advice };
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
