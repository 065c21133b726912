import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createTreeBuilder } from './build-tree.mjs';
import { readEnums } from './read-enums.mjs';

const prefix = '#/components/schemas/';

/** Go's zero values, which the documents give as defaults of everything that is not a pointer. */
const zeroValues = new Set(['{}', '""', '0', 'false']);

/** Types that write themselves: the documents can only say so in part. */
const special = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: 'quantity' },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { 'x-kubernetes-int-or-string': true },
  'io.k8s.apimachinery.pkg.runtime.RawExtension': { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};

/** Kinds of one version of Kubernetes with their nodes, and ObjectMeta, which the schemas of CRDs do not spell out. */
export function readKubernetes(directory, findDeprecation) {
  const folder = join(directory, 'api/openapi-spec/v3');
  const documents = readdirSync(folder)
    .toSorted()
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
  const schemas = new Map(documents.flatMap(({ components }) => Object.entries(components?.schemas ?? {})));
  addEnums(schemas, readEnums(directory));
  const definitions = buildDefinitions(schemas, findDeprecation);
  const scopes = new Map(documents.flatMap(({ paths }) => Object.entries(paths ?? {})).flatMap(scopesOfPath));
  const kinds = new Map();
  for (const [name, schema] of schemas) {
    for (const { group, version, kind } of schema['x-kubernetes-group-version-kind'] ?? []) {
      const key = `${group}/${version}/${kind}`;
      const scope = scopes.get(key);
      if (scope !== undefined) kinds.set(key, { scope, description: schema.description, ...definitions.get(name) });
    }
  }
  return { kinds, objectMeta: definitions.get('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta') };
}

function addEnums(schemas, enums) {
  const byType = new Map();
  for (const name of schemas.keys()) {
    const type = name.split('.').slice(-3).join('_');
    if (byType.has(type)) throw new Error(`${name} and ${byType.get(type)} cannot be told apart in the Go code`);
    byType.set(type, name);
  }
  for (const [type, field, place, values] of enums) {
    const owner = schemas.get(byType.get(type));
    // Types that are written to no server, such as the configuration of the kubelet.
    if (owner === undefined) continue;
    const schema = owner.properties[field];
    const target = { field: schema, items: schema.items, values: schema.additionalProperties }[place];
    if (target === undefined || target.$ref !== undefined) throw new Error(`no place for the enum of ${type}.${field}`);
    target.enum = values;
  }
}

function buildDefinitions(schemas, findDeprecation) {
  const pairs = new Map();
  const later = [];
  const build = createTreeBuilder({
    findDeprecation,
    adjust: ({ default: value, ...schema }) =>
      value === undefined || zeroValues.has(JSON.stringify(value)) ? schema : { ...schema, default: value },
    follow: (schema, copy) => {
      const reference = schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0].$ref : undefined);
      if (reference === undefined) return undefined;
      later.push(() => copy(pairs.get(reference.slice(prefix.length))));
      return 'later';
    },
  });
  for (const [name, schema] of schemas) {
    const { description } = schema;
    pairs.set(name, build(special[name] === undefined ? schema : { description, ...special[name] }));
  }
  for (const copy of later) copy();
  return pairs;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

function scopesOfPath([path, operations]) {
  if (path.includes('/watch/')) return [];
  const scope = path.includes('/namespaces/{namespace}/') ? 'Namespaced' : 'Cluster';
  return methods.flatMap((method) => {
    const gvk = operations[method]?.['x-kubernetes-group-version-kind'];
    // A list over all namespaces has a path without a namespace.
    const acrossNamespaces = operations[method]?.operationId?.endsWith('ForAllNamespaces');
    return gvk === undefined || acrossNamespaces ? [] : [[`${gvk.group}/${gvk.version}/${gvk.kind}`, scope]];
  });
}
