import type { Stats } from 'node:fs';

import {
  castValues,
  contentHash,
  findParameterOrigin,
  generateParameterSchema,
  readParameterSchema,
  readYaml,
  reportMissingInSchema,
  schemaCacheKey,
  validateValues,
} from '../index.ts';
import type { ExaminedPackage, PackageParameters, PatchPackage, PatchPlan, SchemaStore } from '../index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Budget, Diagnostic, JsonObject, Path, SourceFile } from '../model/index.ts';
import type { Environment } from './environment.ts';
import { fileProblem } from './file-problem.ts';
import { kurelVersion } from './kurel-version.ts';
import { openDisk } from './open-world.ts';
import { openOwnCache } from './own-cache.ts';
import type { SourcedFindings } from './print-diagnostics.ts';

export interface ParameterCheck {
  readonly examined: ExaminedPackage;
  readonly store: SchemaStore;
  readonly environment: Environment;
  readonly isCached: boolean;
  /** Replaces the generated schema. */
  readonly schemaFile: string | undefined;
  readonly budget?: Budget | undefined;
}

export interface ParameterChecked extends SourcedFindings {
  /** Whether there was a schema, and values to check against it. */
  readonly isChecked: boolean;
  readonly refused: readonly Path[];
}

export async function checkParameters(check: ParameterCheck): Promise<ParameterChecked> {
  const { package: pkg, parameters, plan } = check.examined;
  const diagnostics: Diagnostic[] = [];
  const sources: SourceFile[] = [];
  const refused: Path[] = [];
  let schema: JsonObject | undefined;
  if (check.schemaFile !== undefined) {
    schema = await readSchemaFile(check.schemaFile);
    if (schema !== undefined && pkg !== undefined && parameters !== undefined) {
      const { store, schemaFile: file } = check;
      reportMissingInSchema({ package: pkg, parameters, store }, { schema, file }, report);
    }
  } else if (pkg !== undefined && parameters !== undefined) {
    const generated = makeParameterSchema({ ...check, package: pkg, parameters, plan });
    generated.diagnostics.forEach(report);
    ({ schema } = generated);
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
): Promise<SourcedFindings> {
  const { diagnostics } = await checkParameters({ ...check, examined, isCached: false, schemaFile: undefined });
  const severity = strict === true ? 'error' : 'warning';
  const refused = diagnostics.flatMap((diagnostic): readonly Diagnostic[] =>
    diagnostic.severity === 'error' ? [{ ...diagnostic, severity }] : [],
  );
  const { package: pkg, parameters } = examined;
  const sources = [...(parameters?.layers.map(({ source }) => source) ?? []), pkg?.schemaOverrides];
  return { diagnostics: refused, sources: sources.filter((source) => source !== undefined) };
}

interface SchemaRequest extends Pick<ParameterCheck, 'store' | 'environment' | 'isCached'> {
  readonly package: PatchPackage;
  /** Without them, findings about variables are not reported. */
  readonly parameters: PackageParameters | undefined;
  readonly plan: PatchPlan | undefined;
}

interface GeneratedSchema {
  readonly schema: JsonObject;
  /** Findings of its generation, which may be cached as well. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The parameter schema of a package, from the cache if possible. */
export function makeParameterSchema(request: SchemaRequest): GeneratedSchema {
  const { environment, isCached } = request;
  const cache = isCached ? openSchemaCache({ environment: environment.variables }) : undefined;
  const key = cache === undefined ? '' : keyOf(request);
  const cached = readSchema(cache?.read(key));
  if (cached !== undefined) return cached;
  const diagnostics: Diagnostic[] = [];
  const schema = generateParameterSchema(request, (diagnostic) => void diagnostics.push(diagnostic));
  const generated = { schema, diagnostics };
  try {
    cache?.write(key, JSON.stringify(generated));
  } catch {
    // A schema with integers that JSON cannot represent is not cached.
  }
  return generated;
}

/** Locations of findings contain paths as the user wrote them, and findings depend on all values. */
function keyOf({ package: pkg, parameters, plan, store }: SchemaRequest): string {
  const { kubernetesVersion } = store;
  return contentHash({
    apiVersion: 'kurel.dev/v1',
    kind: 'ParameterSchemaOfPath',
    own: schemaCacheKey(pkg, { toolVersion: kurelVersion, kubernetesVersion, plan }),
    path: pkg.path,
    given: (parameters ?? pkg).layers.map(({ source }) => [source.path, source.text]),
    isBuilt: parameters !== undefined,
  }).replace(/^sha256:/, '');
}

/** With our own reader, because JSON.parse of some Node versions (24.21) mixes up keys with escapes. */
function readSchema(text: string | undefined): GeneratedSchema | undefined {
  const { documents, diagnostics } = readYaml({ path: 'cache', text: text ?? '' });
  const data = diagnostics.length === 0 ? documents[0]?.data : undefined;
  if (!isJsonObject(data) || !isJsonObject(data['schema']) || !isJsonArray(data['diagnostics'])) return undefined;
  return data as unknown as GeneratedSchema;
}

interface SchemaCacheOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly userId?: number | undefined;
  /** In milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

const hour = 60 * 60 * 1000;
const fileName = /^schema-[0-9a-f]{16,128}\.json(?:\.\d+)?$/;

/** Schemas that runs of the last hour generated; undefined if there is no cache directory. If anything fails, a schema is generated again. */
export function openSchemaCache(options: SchemaCacheOptions) {
  const { environment, userId = process.getuid?.(), now = Date.now } = options;
  const cache = openOwnCache({ variables: environment, userId });
  if (cache === undefined) return undefined;
  const isFresh = ({ mtimeMs }: Stats): boolean => Math.abs(now() - mtimeMs) < hour;
  return {
    read(key: string): string | undefined {
      const name = nameOf(key);
      return name === undefined ? undefined : cache.read(name, isFresh)?.toString('utf8');
    },
    write(key: string, text: string): void {
      const name = nameOf(key);
      if (name === undefined) return;
      // Old schemas, and temporary files of killed runs. Other files are not part of this cache.
      cache.clear((file, stats) => fileName.test(file) && !isFresh(stats));
      cache.write(name, text);
    },
  };
}

/** Keys are hashes; anything else could escape the directory. */
function nameOf(key: string): string | undefined {
  const name = `schema-${key}.json`;
  return fileName.test(name) ? name : undefined;
}
