// JSON Schemas for kubeconform made straight from what the projects publish, past kurel's store: they show whether the
// store lost or invented a field. Written the way kubeconform's own collections of schemas are.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseAllDocuments } from 'yaml';

import { downloadModule } from '../../scripts/schemas/go-modules.mjs';
import { kubernetes, projects } from '../../scripts/schemas/sources.mjs';

const metaTypes = 'io.k8s.apimachinery.pkg.apis.meta.v1.';

export function writeSourceSchemas(directory, version) {
  const kubernetesVersion = kubernetes.versions.find((known) => known.startsWith(`${version}.`));
  const definitions = writeKubernetes(directory, downloadModule(`${kubernetes.module}@v${kubernetesVersion}`));
  for (const { spec } of readDefinitions()) {
    for (const { name, served, schema } of spec.versions) {
      if (!served) continue;
      const root = convert(schema.openAPIV3Schema, false);
      root.properties.metadata = { $ref: `#/definitions/${metaTypes}ObjectMeta` };
      write(directory, { group: spec.group, version: name, kind: spec.names.kind, schema: { ...root, definitions } });
    }
  }
}

/** The projects' CustomResourceDefinitions. If a kind has two, the first comes last, because the last one wins. */
export function readDefinitions() {
  const modules = projects.flatMap((project) => project.modules).toReversed();
  return modules.flatMap(({ module, version, directories }) => {
    const root = downloadModule(`${module}@v${version}`);
    return directories.flatMap((directory) => readFolder(join(root, directory)));
  });
}

function readFolder(folder) {
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), 'utf8'), { uniqueKeys: false }))
    .map((document) => document.toJS())
    .filter((definition) => definition?.kind === 'CustomResourceDefinition');
}

function writeKubernetes(directory, root) {
  const folder = join(root, 'api', 'openapi-spec', 'v3');
  let metadata = {};
  for (const name of readdirSync(folder)) {
    const { components } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const schemas = Object.entries(components?.schemas ?? {});
    const definitions = Object.fromEntries(schemas.map(([key, schema]) => [key, convert(schema, true)]));
    for (const [key, schema] of schemas) {
      const kinds = schema['x-kubernetes-group-version-kind'] ?? [];
      if (kinds.length !== 1 || schema.properties?.metadata === undefined) continue;
      write(directory, { ...kinds[0], schema: { $ref: `#/definitions/${key}`, definitions } });
    }
    if (name === 'api__v1_openapi.json') metadata = definitions;
  }
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => key.startsWith(metaTypes)));
}

function write(directory, { group, version, kind, schema }) {
  const folder = join(directory, group === '' ? version : group);
  mkdirSync(folder, { recursive: true });
  const text = JSON.stringify({ $schema: 'http://json-schema.org/draft-04/schema#', ...schema });
  writeFileSync(join(folder, `${kind.toLowerCase()}-${version}.json`), text);
}

function convert(schema, isBuiltIn) {
  if (typeof schema !== 'object' || schema === null) return schema;
  const { description: _, default: __, nullable, ...rest } = schema;
  const converted = {};
  for (const [word, value] of Object.entries(rest)) {
    if (word === '$ref') converted.$ref = value.replace('#/components/schemas/', '#/definitions/');
    else if (['allOf', 'anyOf', 'oneOf'].includes(word)) converted[word] = value.map((one) => convert(one, isBuiltIn));
    else if (word === 'properties') converted.properties = convertProperties(schema, isBuiltIn);
    else if (word === 'not') converted.not = convert(value, isBuiltIn);
    else if (word === 'items' || word === 'additionalProperties') {
      converted[word] =
        isBuiltIn && typeof value === 'object' ? allowNull(convert(value, true)) : convert(value, isBuiltIn);
    } else if (!word.startsWith('x-')) converted[word] = value;
  }
  const describes = schema.properties !== undefined && schema.type === 'object';
  if (describes && schema.additionalProperties === undefined && !schema['x-kubernetes-preserve-unknown-fields']) {
    converted.additionalProperties = false;
  }
  if (schema['x-kubernetes-embedded-resource']) converted.additionalProperties = true;
  return nullable ? allowNull(converted) : converted;
}

function convertProperties({ properties, required = [] }, isBuiltIn) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const converted = convert(property, isBuiltIn);
      const isOptional = isBuiltIn && !required.includes(name);
      return [name, isOptional ? allowNull(converted) : converted];
    }),
  );
}

function allowNull(schema) {
  return { anyOf: [schema, { type: 'null' }] };
}
