import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseAllDocuments } from 'yaml';

import { createTreeBuilder } from './build-tree.mjs';

/** The CustomResourceDefinitions in the YAML files of a directory. */
export function readDefinitionFiles(directory) {
  return readdirSync(directory)
    .filter((file) => /\.ya?ml$/.test(file))
    .toSorted()
    .flatMap((file) => parseAllDocuments(readFileSync(join(directory, file), 'utf8'), { uniqueKeys: false }))
    .map((document) => document.toJS())
    .filter((object) => object?.kind === 'CustomResourceDefinition');
}

/** Kinds of definitions with their nodes. */
export function readDefinitions(definitions, findDeprecation) {
  const build = createTreeBuilder({ findDeprecation });
  const kinds = new Map();
  for (const { spec } of definitions) {
    for (const { name: version, served, schema, deprecated, deprecationWarning } of spec.versions) {
      if (served === false) continue;
      const root = { ...schema.openAPIV3Schema, 'x-kubernetes-embedded-resource': true };
      const warning = deprecationWarning ?? `${spec.group}/${version} ${spec.names.kind} is deprecated`;
      kinds.set(`${spec.group}/${version}/${spec.names.kind}`, {
        scope: spec.scope,
        ...build(root),
        ...(deprecated === true ? { deprecation: { warning } } : {}),
      });
    }
  }
  return kinds;
}
