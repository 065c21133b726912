import { DiagnosticError } from '../diagnostics/index.ts';
import type { GroupVersionKind } from '../model/index.ts';
import { compareApiVersions } from './compare-api-versions.ts';
import { keyOfKind } from './kind-key.ts';
import { kindsFromDefinition } from './kinds-from-definition.ts';
import type { GatewayChannel, KubernetesData, Manifest } from './manifest.ts';
import { schemaProblems } from './problems.ts';
import type { Deprecation, KindSchema, SchemaFiles, SchemaNode, SchemaStore } from './schema-node.ts';
import { minorOf, outsideOf, readShippedKinds } from './shipped-kinds.ts';
import type { KindEntry } from './shipped-kinds.ts';

export interface SchemaStoreOptions {
  readonly files: SchemaFiles;
  /** `1.37`, `v1.37` or `1.37.1`; the newest that is shipped unless said. */
  readonly kubernetesVersion?: string | undefined;
  /** Which of Gateway API's two sets of schemas; the experimental one unless said, which allows all of the standard one. */
  readonly gatewayChannel?: GatewayChannel | undefined;
  /** Also gives shipped kinds their descriptions, which cost more than their structure. */
  readonly descriptions?: boolean | undefined;
}

/** Throws a `DiagnosticError` when the Kubernetes version is not shipped. Reads the table of contents and nothing else. */
export function createSchemaStore(options: SchemaStoreOptions): SchemaStore {
  const { files } = options;
  const manifest = readManifest(files);
  const minor = chooseMinor(manifest, options.kubernetesVersion);
  const { entries, objectMeta } = readShippedKinds({
    files,
    manifest,
    minor,
    gatewayChannel: options.gatewayChannel ?? 'experimental',
    descriptions: options.descriptions ?? false,
  });
  return storeOf({ entries, objectMeta, minor, kubernetes: manifest.kubernetes });
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
  const known = versionsIn(manifest);
  const version = wanted === undefined ? known[0]! : /^v?(1\.\d+)(?:\.\d+)?$/.exec(wanted)?.[1];
  if (version !== undefined && known.includes(version)) return minorOf(version);
  throw new DiagnosticError([schemaProblems.create('kubernetes-version-unknown', { version: wanted!, known })]);
}

interface StoreParts {
  readonly entries: ReadonlyMap<string, KindEntry>;
  readonly objectMeta: () => SchemaNode;
  readonly minor: number;
  readonly kubernetes: KubernetesData;
}

function storeOf(parts: StoreParts): SchemaStore {
  const { entries, objectMeta, minor, kubernetes } = parts;
  const found = new Map<string, KindSchema>();
  let all: readonly GroupVersionKind[] | undefined;

  function find(gvk: GroupVersionKind): KindSchema | undefined {
    const key = keyOfKind(gvk);
    const known = found.get(key);
    if (known !== undefined) return known;
    const schema = entries.get(key)?.read();
    if (schema !== undefined) found.set(key, schema);
    return schema;
  }

  function kinds(): readonly GroupVersionKind[] {
    all ??= Array.from(entries.values(), ({ gvk }) => gvk);
    return all;
  }

  function versionsOf({ group, kind }: Pick<GroupVersionKind, 'group' | 'kind'>): readonly string[] {
    return kinds()
      .filter((gvk) => gvk.group === group && gvk.kind === kind)
      .map(({ version }) => version)
      .toSorted(compareApiVersions);
  }

  function removed(gvk: GroupVersionKind): Deprecation | undefined {
    const key = keyOfKind(gvk);
    if (entries.has(key)) return undefined;
    const lifecycle = Object.hasOwn(kubernetes.lifecycle, key) ? kubernetes.lifecycle[key] : undefined;
    const { last } = outsideOf(kubernetes, key, minor);
    const isGone = last !== undefined || (lifecycle?.removedIn !== undefined && minorOf(lifecycle.removedIn) <= minor);
    if (!isGone) return undefined;
    // What the shipped versions show is surer than what was once planned.
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
    return version === undefined ? undefined : `${group === '' ? '' : `${group}/`}${version} ${kind}`;
  }

  const store: SchemaStore = {
    kubernetesVersion: `1.${minor}`,
    find,
    versionsOf,
    removed,
    kinds,
    addedIn(gvk) {
      const key = keyOfKind(gvk);
      const { first } = entries.has(key) ? {} : outsideOf(kubernetes, key, minor);
      return first === undefined ? undefined : `1.${first}`;
    },
    with(definitions, source) {
      const added = definitions.flatMap((definition) => {
        const defined = kindsFromDefinition(definition, { source, objectMeta });
        return defined.length === 0 ? [] : [defined];
      });
      return added.length === 0 ? store : storeOf({ ...parts, entries: replaceKinds(entries, added) });
    },
  };
  return store;
}

/** A cluster has one definition of a group and kind, so a new one also takes the versions away that it does not serve. */
function replaceKinds(
  entries: ReadonlyMap<string, KindEntry>,
  added: readonly (readonly KindEntry[])[],
): ReadonlyMap<string, KindEntry> {
  const nameOf = ({ gvk }: KindEntry): string => `${gvk.group}/${gvk.kind}`;
  const replaced = new Map(added.map((defined) => [nameOf(defined[0]!), defined]));
  const kept = [...entries].filter(([, entry]) => !replaced.has(nameOf(entry)));
  const defined = [...replaced.values()].flat();
  return new Map([...kept, ...defined.map((entry) => [keyOfKind(entry.gvk), entry] as const)]);
}
