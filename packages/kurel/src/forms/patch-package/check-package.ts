import { limitFindings } from '../../budget/index.ts';
import { diagnosticsOf } from '../../diagnostics/index.ts';
import type { Budget, Diagnostic, JsonObject, Path, Report, SourceFile } from '../../model/index.ts';
import { createUndefinedReference, findParameterOrigin, walkValues } from '../../parameters/index.ts';
import { traceReferences } from '../../patch/index.ts';
import type { SchemaStore } from '../../schema/index.ts';
import type { AppliedPackage, ExaminedPackage } from './patch-package.ts';
import { castValues } from './schema/cast-values.ts';
import { readParameterSchema } from './schema/check-schema.ts';
import { generateParameterSchema, reportMissingInSchema } from './schema/generate-schema.ts';
import type { SchemaRequest } from './schema/generate-schema.ts';
import { validateValues } from './schema/validate-values.ts';

/** Where the schema of the parameters comes from. */
export interface SchemaSettings {
  /** Reads a schema that replaces the generated one; throws findings if it cannot be read. */
  readonly read?: (() => Promise<SourceFile>) | undefined;
  /** Generates the schema. Defaults to generating it anew. */
  readonly generate?: typeof generateParameterSchema | undefined;
}

export interface ParameterCheck extends SchemaSettings {
  readonly store: SchemaStore;
  readonly report: Report;
  readonly budget?: Budget | undefined;
}

const overridesFile = 'schemas/parameters.overrides.yaml';

/** Checks the parameters against their schema. Returns those with findings; `undefined` if there is no schema, or nothing to check. */
export async function checkParameters(
  { package: pkg, parameters, plan }: ExaminedPackage,
  check: ParameterCheck,
): Promise<readonly Path[] | undefined> {
  const { store, report, budget } = check;
  const request = pkg && parameters && { package: pkg, parameters, plan, store };
  const schema =
    check.read === undefined
      ? request && (check.generate ?? generateParameterSchema)(request, report)
      : await readSchema(check.read, request);
  if (schema === undefined || parameters === undefined) return undefined;
  const refused: Path[] = [];
  validateValues(castValues(parameters.values, schema), schema, {
    report,
    budget,
    overrides: check.read === undefined ? overridesFile : undefined,
    locate(path) {
      refused.push(path);
      return findParameterOrigin(parameters.layers, path)?.location;
    },
  });
  return refused;

  async function readSchema(
    read: () => Promise<SourceFile>,
    wanted: SchemaRequest | undefined,
  ): Promise<JsonObject | undefined> {
    try {
      const source = await read();
      const schema = readParameterSchema(source, report);
      if (schema !== undefined && wanted !== undefined) {
        reportMissingInSchema(wanted, { schema, file: source.path }, report);
      }
      return schema;
    } catch (error) {
      const diagnostics = diagnosticsOf(error);
      if (diagnostics === undefined) throw error;
      diagnostics.forEach(report);
      return undefined;
    }
  }
}

export interface RefusalCheck extends Pick<ParameterCheck, 'store' | 'budget'> {
  readonly strict?: boolean | undefined;
}

/**
 * Values from outside the package that a build refuses, and the texts they are in: warnings for commands that only answer a question, and
 * errors with --strict.
 */
export async function findRefusedParameters(
  examined: ExaminedPackage,
  { strict, ...check }: RefusalCheck,
): Promise<{ readonly diagnostics: readonly Diagnostic[]; readonly sources: readonly SourceFile[] }> {
  const { package: pkg, parameters } = examined;
  const diagnostics: Diagnostic[] = [];
  const isGiven = (parameters?.layers.length ?? 0) > (pkg?.layers.length ?? 0);
  if (!isGiven) return { diagnostics, sources: [] };
  const severity = strict === true ? 'error' : 'warning';
  await checkParameters(examined, {
    ...check,
    report(diagnostic) {
      if (diagnostic.severity === 'error') diagnostics.push({ ...diagnostic, severity });
    },
  });
  const sources = [...(parameters?.layers.map(({ source }) => source) ?? []), pkg?.schemaOverrides];
  return { diagnostics, sources: sources.filter((source) => source !== undefined) };
}

/**
 * Finds findings about fields whose value comes from a refused parameter: a mistake is reported once, at its cause. Findings about a field
 * note where its parameters are set.
 */
export function createIsConsequence(
  { plan, parameters }: ExaminedPackageParts,
  refused: readonly Path[],
): (diagnostic: Diagnostic) => boolean {
  if (parameters === undefined || refused.length === 0) return () => false;
  const uses = new Set(usesOf({ plan, parameters }, refused));
  const origins = new Set(
    refused.map((path) => JSON.stringify(findParameterOrigin(parameters.layers, path)?.location)),
  );
  return ({ code, location, related = [] }) => {
    if (related.some((note) => origins.has(JSON.stringify(note.location)))) return true;
    if (code === 'namespaces-invalid' && origins.has(JSON.stringify(location))) return true;
    return consequences.has(code) && uses.has(JSON.stringify(location));
  };
}

/** Findings of a patch that has the value of a refused parameter. */
const consequences: ReadonlySet<string> = new Set(['type-mismatch', 'enabled-not-boolean', 'delete-nothing']);

type ExaminedPackageParts = Pick<ExaminedPackage, 'plan' | 'parameters'>;

/** Where patches use the value of a refused parameter: the reference, and the entry around it. */
function usesOf({ plan, parameters }: ExaminedPackageParts, refused: readonly Path[]): readonly string[] {
  const names = new Set(refused.map((path) => path.join('.')));
  const variables = { scope: 'package', values: parameters?.values ?? {} } as const;
  return (plan?.enabled ?? []).flatMap(({ patch: { file } }) =>
    file.patches.flatMap((entry) => {
      const alone = { ...file, patches: [entry] };
      return traceReferences([alone], { objects: [], store: undefined, variables })
        .filter(({ parameter, role }) => role !== 'name' && names.has(parameter.join('.')))
        .flatMap(({ location }) => [JSON.stringify(location), JSON.stringify(entry.location)]);
    }),
  );
}

/** Undefined variables of patches that were not applied: applying a patch reports its own. */
export function checkReferences(
  { package: pkg, parameters, applied }: AppliedPackage,
  budget: Budget,
): readonly Diagnostic[] {
  if (pkg === undefined || parameters === undefined) return [];
  const reported = new Set<string>();
  const limit = limitFindings(budget);
  const undefinedReferences = pkg.patches.flatMap((patch) => {
    if (applied.includes(patch)) return [];
    const variables = { scope: 'package', values: parameters.values } as const;
    const uses = traceReferences([patch.file], { objects: [], store: undefined, variables });
    return uses.flatMap(({ parameter, location }) => {
      const key = JSON.stringify([parameter, location]);
      const walked = walkValues(parameters.values, parameter);
      if (reported.has(key) || 'value' in walked) return [];
      reported.add(key);
      // Before a similar name is searched, which compares all parameters.
      if (!limit.takesNext('reference-undefined', 'error')) return [];
      const missing = { ...walked, path: parameter, advice: 'give it a value in parameters.yaml' };
      return [{ ...createUndefinedReference(parameter.join('.'), missing), location }];
    });
  });
  return [...undefinedReferences, ...limit.omitted()];
}
