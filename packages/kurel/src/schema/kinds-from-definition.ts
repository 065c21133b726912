import { gvkOf, isBuiltInGroup } from '../kube/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonObject, KubeObject } from '../model/index.ts';
import { nodeFromJsonSchema } from './node-from-json-schema.ts';
import type { Deprecation, SchemaNode } from './schema-node.ts';
import type { KindEntry } from './shipped-kinds.ts';

interface DefinitionOptions {
  readonly source: (definition: KubeObject) => string;
  readonly objectMeta: () => SchemaNode;
}

/** The kinds that a CustomResourceDefinition serves; none when the object is something else or does not name a kind. */
export function kindsFromDefinition(definition: KubeObject, options: DefinitionOptions): readonly KindEntry[] {
  const type = gvkOf(definition);
  if (type?.group !== 'apiextensions.k8s.io' || type.kind !== 'CustomResourceDefinition') return [];
  const { spec } = definition;
  if (!isJsonObject(spec)) return [];
  const { group, names, scope, versions } = spec;
  const kind = isJsonObject(names) ? names['kind'] : undefined;
  if (typeof group !== 'string' || typeof kind !== 'string') return [];
  // No API server lets a definition change what Kubernetes itself serves.
  if (isBuiltInGroup(group)) return [];
  if (scope !== 'Namespaced' && scope !== 'Cluster') return [];
  return readVersions(spec, versions).map(({ name, json, version }) => {
    const gvk = { group, version: name, kind };
    return {
      gvk,
      read() {
        const deprecation = readDeprecation(version, `${group}/${name} ${kind}`);
        return {
          gvk,
          scope,
          schema: nodeFromJsonSchema(json, { root: true, objectMeta: options.objectMeta() }),
          source: options.source(definition),
          ...(deprecation === undefined ? {} : { deprecation }),
        };
      },
    };
  });
}

interface DefinedVersion {
  readonly name: string;
  readonly json: JsonObject;
  readonly version: JsonObject;
}

function readVersions(spec: JsonObject, versions: Json | undefined): readonly DefinedVersion[] {
  // v1beta1 of the definition itself could give one schema for all versions, and name only one version.
  const shared = openApiSchemaOf(spec['validation']);
  const named = isJsonArray(versions)
    ? versions.filter((version) => isJsonObject(version))
    : [{ name: spec['version'] }];
  return named.flatMap((version) => {
    const { name, served, schema } = version as JsonObject;
    if (typeof name !== 'string' || served === false) return [];
    const json = openApiSchemaOf(schema) ?? shared ?? anything;
    const open = spec['preserveUnknownFields'] === true ? { ...json, ...anything } : json;
    return [{ name, json: open, version: version as JsonObject }];
  });
}

const anything: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };

function openApiSchemaOf(holder: Json | undefined): JsonObject | undefined {
  const schema = isJsonObject(holder) ? holder['openAPIV3Schema'] : undefined;
  return isJsonObject(schema) ? schema : undefined;
}

function readDeprecation({ deprecated, deprecationWarning }: JsonObject, name: string): Deprecation | undefined {
  if (deprecated !== true) return undefined;
  return { warning: typeof deprecationWarning === 'string' ? deprecationWarning : `${name} is deprecated` };
}
