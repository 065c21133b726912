import { contentHash } from '../../../engine/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject, Report, SourceFile } from '../../../model/index.ts';
import { readYaml } from '../../../yaml/index.ts';
import type { PackageParameters, PatchPackage, PatchPlan } from '../patch-package.ts';
import { checkSchema } from './check-schema.ts';
import { parameterSchemaProblems } from './problems.ts';

export interface CacheKeyParts {
  /** Version of kurel, because another version may generate another schema. */
  readonly toolVersion: string;
  readonly kubernetesVersion: string;
  /** As passed to the generator: required parameters and findings depend on them. */
  readonly plan?: PatchPlan | undefined;
  readonly parameters?: PackageParameters | undefined;
}

/** `sha256:` and 64 digits over everything that the generated schema of a package depends on. */
export function schemaCacheKey(pkg: PatchPackage, parts: CacheKeyParts): string {
  const { resources, patches, definitions, schemaOverrides } = pkg;
  const { toolVersion, kubernetesVersion, plan, parameters } = parts;
  const { layers } = parameters ?? pkg;
  const identityOf = (one: { readonly id: string; readonly owner: string }): Json => [one.owner, one.id];
  return contentHash({
    apiVersion: 'kurel.dev/v1',
    kind: 'ParameterSchema',
    toolVersion,
    kubernetesVersion,
    layers: layers.map(({ kind, source }) => [kind, textOf(source)]),
    resources: resources.map(textOf),
    patches: patches.map((patch) => [
      identityOf(patch),
      textOf(patch.file.source),
      patch.sidecar === undefined ? null : textOf(patch.sidecar.source),
    ]),
    definitions: definitions.map(textOf),
    overrides: schemaOverrides === undefined ? null : textOf(schemaOverrides),
    enabled: plan === undefined ? null : plan.enabled.map(({ patch }) => identityOf(patch)),
  });
}

function textOf({ text }: SourceFile): string {
  return text;
}

/** Reads a custom parameter schema or override in JSON or YAML; `undefined` if it is invalid, which is reported. */
export function readParameterSchema(source: SourceFile, report: Report): JsonObject | undefined {
  const { documents, diagnostics } = readYaml(source);
  for (const diagnostic of diagnostics) report(diagnostic);
  if (diagnostics.some(({ severity }) => severity === 'error')) return undefined;
  const found = documents.filter(({ data }) => data !== undefined && data !== null);
  const data = found.length === 0 ? {} : found[0]!.data;
  const location = { file: source.path };
  if (found.length > 1 || !isJsonObject(data)) {
    const args = { what: 'the file', wanted: 'a single JSON Schema object' };
    report(parameterSchemaProblems.create('schema-invalid', args, { location }));
    return undefined;
  }
  return checkSchema(data, { file: source.path, document: found[0]?.index ?? 0, report }) ? data : undefined;
}
