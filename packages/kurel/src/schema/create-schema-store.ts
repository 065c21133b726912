import { formatKind, mappingAt, scopeDefinedBy } from '../kube/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { GroupVersionKind, Json, JsonObject, KubeObject, Memory } from '../model/index.ts';
import { compareApiVersions, keyOfKind } from './find-kinds.ts';
import type { GatewayChannel, KubernetesData, Manifest, KindEntry, KindIndex } from './shipped-kinds.ts';
import { nodeFromJsonSchema } from './json-schema-node.ts';
import { schemaProblems } from './problems.ts';
import type { Deprecation, KindSchema, SchemaFiles, SchemaNode, SchemaStore } from './schema-node.ts';
import { minorOf, outsideOf, readShippedKinds } from './shipped-kinds.ts';
import { getOrAdd } from '../budget/index.ts';

export interface SchemaStoreOptions {
  readonly files: SchemaFiles;
  /** `1.37`, `v1.37` or `1.37.1`; defaults to the newest shipped version. */
  readonly kubernetesVersion?: string | undefined;
  /** Which of the two Gateway API channels; defaults to the experimental one, which includes the standard one. */
  readonly gatewayChannel?: GatewayChannel | undefined;
  /** Loads descriptions for shipped kinds too, which cost more than their structure. */
  readonly descriptions?: boolean | undefined;
  /** Reuses the store that an earlier build created with the same options: loading one takes longer than a small build. */
  readonly memory?: Memory | undefined;
}

// With the kinds of a typical build; a store loads the others on demand.
const weightOfStore = 1_000_000;

/** Throws a `DiagnosticError` for a Kubernetes version that is not shipped. Reads only the table of contents. */
export function createSchemaStore(options: SchemaStoreOptions): SchemaStore {
  const { files, memory, kubernetesVersion, gatewayChannel = 'experimental', descriptions = false } = options;
  const create = (): SchemaStore => {
    const manifest = readManifest(files);
    const minor = chooseMinor(manifest, kubernetesVersion);
    const kinds = readShippedKinds({ files, manifest, minor, gatewayChannel, descriptions });
    const patchVersion = /^v?(\d+\.\d+\.\d+)$/.exec(kubernetesVersion ?? '')?.[1];
    return storeOf({ ...kinds, minor, patchVersion, kubernetes: manifest.kubernetes });
  };
  if (memory === undefined) return create();
  const content = JSON.stringify([kubernetesVersion ?? '', gatewayChannel, descriptions]);
  return memory.keep({ kind: 'store', content, create, weigh: () => weightOfStore });
}

/** The Kubernetes versions whose schemas are shipped, newest first: `1.37`. */
export function shippedKubernetesVersions(files: SchemaFiles): readonly string[] {
  return versionsIn(readManifest(files));
}

function readManifest(files: SchemaFiles): Manifest {
  const manifest: Manifest = JSON.parse(files.read('manifest.json'));
  return manifest;
}

function versionsIn({ kubernetes }: Manifest): readonly string[] {
  return kubernetes.versions.map((version) => `1.${minorOf(version)}`);
}

function chooseMinor(manifest: Manifest, wanted: string | undefined): number {
  const versions = versionsIn(manifest);
  const version = wanted === undefined ? versions[0]! : /^v?(1\.\d+)(?:\.\d+)?$/.exec(wanted)?.[1];
  if (version !== undefined && versions.includes(version)) return minorOf(version);
  throw schemaProblems.error('kubernetes-version-unknown', { version: wanted!, known: versions });
}

interface StoreParts {
  readonly index: KindIndex;
  readonly objectMeta: () => SchemaNode;
  readonly minor: number;
  readonly patchVersion?: string | undefined;
  readonly kubernetes: KubernetesData;
}

function storeOf(parts: StoreParts): SchemaStore {
  const { index, objectMeta, minor, kubernetes } = parts;
  const schemas = new Map<string, KindSchema>();
  let all: readonly GroupVersionKind[] | undefined;
  let versions: ReadonlyMap<string, readonly string[]> | undefined;

  function find(gvk: GroupVersionKind): KindSchema | undefined {
    const key = keyOfKind(gvk);
    const earlier = schemas.get(key);
    if (earlier !== undefined) return earlier;
    const schema = index.find(key)?.read();
    if (schema !== undefined) schemas.set(key, schema);
    return schema;
  }

  function kinds(): readonly GroupVersionKind[] {
    all ??= index.list().map(({ gvk }) => gvk);
    return all;
  }

  function versionsOf({ group, kind }: Pick<GroupVersionKind, 'group' | 'kind'>): readonly string[] {
    versions ??= listVersions(kinds());
    return versions.get(`${group}/${kind}`) ?? [];
  }

  function removed(gvk: GroupVersionKind): Deprecation | undefined {
    const key = keyOfKind(gvk);
    if (index.find(key) !== undefined) return undefined;
    const lifecycle = Object.hasOwn(kubernetes.lifecycle, key) ? kubernetes.lifecycle[key] : undefined;
    const { last } = outsideOf(kubernetes, key, minor);
    const isGone = last !== undefined || (lifecycle?.removedIn !== undefined && minorOf(lifecycle.removedIn) <= minor);
    if (!isGone) return undefined;
    // The shipped versions are more reliable than earlier plans.
    const removedIn = last === undefined ? lifecycle?.removedIn : `1.${last + 1}`;
    const replacement = lifecycle?.replacement ?? nameNewest(gvk);
    return {
      ...(lifecycle === undefined ? {} : { since: lifecycle.since }),
      ...(removedIn === undefined ? {} : { removedIn }),
      ...(replacement === undefined ? {} : { replacement }),
    };
  }

  function nameNewest({ group, kind }: GroupVersionKind): string | undefined {
    const [version] = versionsOf({ group, kind });
    return version === undefined ? undefined : formatKind({ group, version, kind });
  }

  const store: SchemaStore = {
    kubernetesVersion: `1.${minor}`,
    patchVersion: parts.patchVersion,
    find,
    objectMeta,
    versionsOf,
    removed,
    kinds,
    addedIn(gvk) {
      const key = keyOfKind(gvk);
      const first = index.find(key) === undefined ? outsideOf(kubernetes, key, minor).first : undefined;
      return first === undefined ? undefined : `1.${first}`;
    },
    with(definitions, source) {
      const added = definitions.flatMap((definition) => {
        const defined = kindsFromDefinition(definition, { source, objectMeta });
        return defined.length === 0 ? [] : [defined];
      });
      return added.length === 0 ? store : storeOf({ ...parts, index: replaceKinds(index, added) });
    },
  };
  return store;
}

/** By group and kind, newest first. */
function listVersions(kinds: readonly GroupVersionKind[]): ReadonlyMap<string, readonly string[]> {
  const versions = new Map<string, string[]>();
  for (const { group, version, kind } of kinds) getOrAdd(versions, `${group}/${kind}`, () => []).push(version);
  for (const list of versions.values()) list.sort(compareApiVersions);
  return versions;
}

/** A cluster has one definition per group and kind, so a new one also removes the versions that it does not serve. */
function replaceKinds(index: KindIndex, added: readonly (readonly KindEntry[])[]): KindIndex {
  const nameOf = ({ gvk }: KindEntry): string => `${gvk.group}/${gvk.kind}`;
  const replaced = new Map(added.map((defined) => [nameOf(defined[0]!), defined]));
  const defined = new Map([...replaced.values()].flat().map((entry) => [keyOfKind(entry.gvk), entry]));
  const isKept = (entry: KindEntry): boolean => !replaced.has(nameOf(entry));
  return {
    find(key) {
      const own = defined.get(key);
      if (own !== undefined) return own;
      const entry = index.find(key);
      return entry === undefined || !isKept(entry) ? undefined : entry;
    },
    list: () => [...index.list().filter(isKept), ...defined.values()],
  };
}

interface DefinitionOptions {
  readonly source: (definition: KubeObject) => string;
  readonly objectMeta: () => SchemaNode;
}

/** The kinds that a CustomResourceDefinition serves; empty if the object is something else or names no kind. */
function kindsFromDefinition(definition: KubeObject, options: DefinitionOptions): readonly KindEntry[] {
  const spec = mappingAt(definition, 'spec');
  const defined = scopeDefinedBy(definition);
  if (spec === undefined || defined === undefined) return [];
  const { group, kind, scope } = defined;
  const kept = nodesOf(spec, options.objectMeta);
  return readVersions(spec, spec['versions']).map(({ name, json, version }, index) => {
    const gvk = { group, version: name, kind };
    return {
      gvk,
      read() {
        const deprecation = readDeprecation(version, formatKind(gvk));
        return {
          gvk,
          scope,
          schema: (kept[index] ??= nodeFromJsonSchema(json, { root: true, objectMeta: options.objectMeta() })),
          source: options.source(definition),
          ...(deprecation === undefined ? {} : { deprecation }),
        };
      },
    };
  });
}

// A text kept between builds yields the same data, and converting a large definition takes longer than reading it.
const nodes = new WeakMap<JsonObject, WeakMap<DefinitionOptions['objectMeta'], SchemaNode[]>>();

/** The schemas of the versions requested so far. */
function nodesOf(spec: JsonObject, objectMeta: DefinitionOptions['objectMeta']): SchemaNode[] {
  const ofSpec = getOrAdd(nodes, spec, () => new WeakMap<DefinitionOptions['objectMeta'], SchemaNode[]>());
  return getOrAdd(ofSpec, objectMeta, () => []);
}

interface DefinedVersion {
  readonly name: string;
  readonly json: JsonObject;
  readonly version: JsonObject;
}

function readVersions(spec: JsonObject, versions: Json | undefined): readonly DefinedVersion[] {
  // In v1beta1, a definition could have one schema for all versions, and name only one version.
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
