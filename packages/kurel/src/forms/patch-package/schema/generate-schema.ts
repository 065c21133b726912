import { nearest } from '../../../diagnostics/index.ts';
import { canonicalJson, isJsonObject, stepInto, valueAt } from '../../../model/index.ts';
import type { Json, JsonObject, Path, Report, SourceFile } from '../../../model/index.ts';
import {
  findParameterOrigin,
  formatReferencePath,
  locateInValues,
  resolveParameters,
} from '../../../parameters/index.ts';
import type { ParameterLayer } from '../../../parameters/index.ts';
import { sha256 } from '../../../engine/index.ts';
import { mergeJson } from '../../../patch/index.ts';
import type { SchemaStore } from '../../../schema/index.ts';
import { locateInYaml } from '../../../yaml/index.ts';
import { lastPartOf } from '../../paths.ts';
import type { PackageParameters, PackagePatch, PatchPackage, PatchPlan } from '../patch-package.ts';
import { buildSchema } from './build-schema.ts';
import { isInSchema } from './cast-values.ts';
import { readParameterSchema } from './check-schema.ts';
import { collectUses, listUses } from './list-uses.ts';
import type { UsedParameter } from './list-uses.ts';
import { parameterSchemaProblems } from './problems.ts';

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
  const { package: pkg, plan, parameters } = request;
  const { merged, values, used } = listOwnUses(request);
  const enabled = new Set(plan?.enabled.map(({ patch }) => patch.file.source.path));
  const inferred = buildSchema({
    merged,
    values,
    usesOf: collectUses(used, merged),
    commentAt: createCommentReader(pkg.layers),
    isNeeded: ({ location }) => enabled.has(location.file),
    report: once(report),
  });
  const overrides = pkg.schemaOverrides && readParameterSchema(pkg.schemaOverrides, report);
  const generated: JsonObject = { $schema: 'http://json-schema.org/draft-07/schema#', ...inferred };
  const laid = overrides === undefined ? generated : mergeJson(generated, overrides);
  const schema = isJsonObject(laid) ? laid : generated;
  const advice = 'add a default to parameters.yaml, or describe it in schemas/parameters.overrides.yaml';
  reportUnknown(used, { schema, parameters, report, advice });
  if (overrides !== undefined) {
    const referred = used.map(({ parameter }) => parameter);
    const search = { referred, values: parameters?.values ?? {}, file: pkg.schemaOverrides!.path, report };
    reportIdle(overrides, inferred, { ...search, path: [] });
  }
  return schema;
}

/** The parameters of the package itself, and where they are used. */
function listOwnUses({ package: pkg, store, parameters }: SchemaRequest) {
  // The first layer that has a parameter determines its value.
  const merged = pkg.layers.reduce<JsonObject>((own, { data }) => withMissing(own, data), {});
  // Problems of the parameters are reported by the build.
  const values = resolveParameters(merged, { report: () => undefined, locate: () => undefined, maxDepth: 100 });
  return { merged, values, used: listUses(pkg, { store, values, buildValues: parameters?.values }) };
}

interface IdleSearch {
  readonly referred: readonly Path[];
  readonly values: Json | undefined;
  /** Path in the file. */
  readonly path: Path;
  readonly file: string;
  readonly report: Report;
}

/** Reports descriptions of parameters that have no value and are not used: their names are most likely mistyped. */
function reportIdle(overrides: Json | undefined, inferred: Json | undefined, search: IdleSearch): void {
  const { referred, values, path, file, report } = search;
  const described = stepInto(overrides, 'properties');
  const properties = stepInto(inferred, 'properties');
  // An empty object in a package accepts any keys.
  if (!isJsonObject(described) || !isJsonObject(properties)) return;
  const depth = path.length / 2;
  for (const key of Object.keys(described)) {
    const here = [...path, 'properties', key];
    const inside = referred.filter((parameter) => parameter[depth] === key || parameter.length <= depth);
    const value = isJsonObject(values) ? values[key] : undefined;
    if (Object.hasOwn(properties, key)) {
      reportIdle(described[key], properties[key], { ...search, referred: inside, values: value, path: here });
    } else if (value === undefined && inside.every((parameter) => parameter.length <= depth)) {
      const parameter = formatReferencePath(here.filter((_, index) => index % 2 === 1));
      const args = { parameter, near: nearest(key, Object.keys(properties)) };
      const location = { file, document: 0, path: here, at: 'key' as const };
      report(parameterSchemaProblems.create('schema-override-idle', args, { location }));
    }
  }
}

/** Reports variables that a custom schema does not describe. Package metadata is not a parameter. */
export function reportMissingInSchema(
  request: SchemaRequest,
  { schema, file }: { readonly schema: JsonObject; readonly file: string },
  report: Report,
): void {
  const used = listOwnUses(request).used.filter(({ parameter: [first] }) => first !== 'kurel');
  reportUnknown(used, { schema, parameters: request.parameters, report, advice: `add it to ${file}` });
}

interface CacheKeyParts extends Pick<SchemaRequest, 'plan' | 'parameters'> {
  /** Version of kurel, because another version may generate another schema. */
  readonly toolVersion: string;
  readonly kubernetesVersion: string;
  /** The SHA-256 of a text in hexadecimal digits, where the platform has a faster one. */
  readonly digest?: ((text: string) => string) | undefined;
}

/** `sha256:` and 64 digits over everything that the generated schema of a package depends on. */
export function schemaCacheKey(pkg: PatchPackage, parts: CacheKeyParts): string {
  const { resources, patches, definitions, schemaOverrides } = pkg;
  const { toolVersion, kubernetesVersion, plan, parameters, digest = sha256 } = parts;
  const { layers } = parameters ?? pkg;
  const identityOf = ({ owner, id }: PackagePatch): Json => [owner, id];
  // The texts of a large package would be copied for the key.
  const digestOf = ({ text }: SourceFile): string => digest(text);
  const content = canonicalJson({
    apiVersion: 'kurel.dev/v1',
    kind: 'ParameterSchema',
    toolVersion,
    kubernetesVersion,
    layers: layers.map(({ kind, source }) => [kind, digestOf(source)]),
    resources: resources.map(digestOf),
    patches: patches.map((patch) => [
      identityOf(patch),
      digestOf(patch.file.source),
      patch.sidecar === undefined ? null : digestOf(patch.sidecar.source),
    ]),
    definitions: definitions.map(digestOf),
    overrides: schemaOverrides === undefined ? null : digestOf(schemaOverrides),
    enabled: plan === undefined ? null : plan.enabled.map(({ patch }) => identityOf(patch)),
  });
  return `sha256:${digest(content)}`;
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

interface UnknownCheck extends Pick<SchemaRequest, 'parameters'> {
  readonly schema: JsonObject;
  readonly report: Report;
  readonly advice: string;
}

function reportUnknown(used: readonly UsedParameter[], { schema, parameters, report, advice }: UnknownCheck): void {
  const reported = new Set<string>();
  for (const { parameter, location } of used) {
    const variable = formatReferencePath(parameter);
    if (reported.has(variable) || isInSchema(schema, parameter)) continue;
    reported.add(variable);
    if (parameters !== undefined && valueAt(parameters.values, parameter) === undefined) continue;
    report(parameterSchemaProblems.create('schema-variable-unknown', { variable, advice }, { location }));
  }
}

function withMissing(own: JsonObject, more: JsonObject): JsonObject {
  const joined = new Map<string, Json>(Object.entries(own));
  for (const [key, value] of Object.entries(more)) {
    const before = joined.get(key);
    if (before === undefined) joined.set(key, value);
    else if (isJsonObject(before) && isJsonObject(value)) joined.set(key, withMissing(before, value));
  }
  return Object.fromEntries(joined);
}

/** Finds the comment directly above a parameter in the file that defines it, as one line of text. */
function createCommentReader(layers: readonly ParameterLayer[]): (path: Path) => string | undefined {
  // The first layer that has a parameter defines it.
  const ranked = layers.toReversed();
  return (path) => {
    const source = findParameterOrigin(ranked, path)?.layer.source;
    if (source === undefined || !source.text.includes('#')) return undefined;
    const { text, path: file } = source;
    const range = locateInYaml(source, { ...locateInValues(source, path), at: 'key' });
    if (range === undefined) return undefined;
    const start = text.lastIndexOf('\n', range.start - 1) + 1;
    const indentation = text.slice(start, range.start);
    // In a flow map, or after a dash, a key does not start its line.
    if (indentation.trim() !== '') return undefined;
    const words = linesAbove(text, start, indentation).map(readLine);
    // `# parameters.yaml` does not describe the first parameter.
    const comment = words.filter((word) => word !== undefined && word !== lastPartOf(file)).join(' ');
    return comment === '' ? undefined : comment;
  };
}

/** Comment lines with the same indentation directly above a line. */
function linesAbove(text: string, from: number, indentation: string): readonly string[] {
  const lines: string[] = [];
  for (let end = from - 1; end > 0;) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end);
    if (!line.startsWith(`${indentation}#`)) break;
    lines.unshift(line.slice(indentation.length));
    end = start - 1;
  }
  return lines;
}

/** Headings, rulers and editor directives do not describe a key; some documentation generators use `# -- `. */
function readLine(line: string): string | undefined {
  if (/^##.*##$/.test(line)) return undefined;
  const words = line.replace(/^#+/, '').trim().replace(/^-- +/, '');
  return /[\p{L}\p{N}]/u.test(words) && !/^(?:yaml-language-server:|@)/.test(words) ? words : undefined;
}
