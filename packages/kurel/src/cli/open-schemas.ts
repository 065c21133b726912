import { posix } from 'node:path';

import { DiagnosticError } from '../diagnostics/index.ts';
import { bundledSchemas } from '../host/index.ts';
import { build, createSchemaStore } from '../index.ts';
import type { BuildRequest, SchemaStore, SchemaStoreOptions } from '../index.ts';
import { FileAccessError } from '../model/index.ts';
import type { Diagnostic, KubeObject, SourceFile } from '../model/index.ts';
import type { FlagValues } from './command.ts';
import type { Environment } from './environment.ts';
import type { validationFlags } from './input-flags.ts';
import { openDisk } from './open-world.ts';
import { isRemotePath } from './packages/mount-packages.ts';
import type { SourcedFindings } from './sourced-findings.ts';
import { UsageError } from './usage-error.ts';

/** The store for `--kubernetes-version`; a version that is not shipped is wrong usage. */
export function createStore(
  kubernetesVersion: string | undefined,
  options: Pick<SchemaStoreOptions, 'descriptions' | 'memory'> = {},
): SchemaStore {
  try {
    return createSchemaStore({ files: bundledSchemas(), kubernetesVersion, ...options });
  } catch (error) {
    const [finding] = error instanceof DiagnosticError ? error.diagnostics : [];
    if (finding === undefined) throw error;
    throw new UsageError(finding.message, finding.hint);
  }
}

/** Patches take types and merge keys from the same schemas. */
export function withStore(request: BuildRequest, store: SchemaStore): BuildRequest {
  const { patches } = request;
  return { ...request, store: () => store, patches: patches && { ...patches, store } };
}

interface DefinitionsReading extends SourcedFindings {
  /** The store with the definitions, or with those from some of the paths. */
  readonly addTo: (store: SchemaStore, isWanted?: (path: string) => boolean) => SchemaStore;
}

/** CustomResourceDefinitions from files, directories and patterns; other objects are ignored. */
export async function readDefinitions(paths: readonly string[], environment: Environment): Promise<DefinitionsReading> {
  const fileSystem = openDisk(environment);
  const { signal, budget } = environment;
  const definitions = new Map<KubeObject, { readonly file: string; readonly path: string }>();
  const diagnostics: Diagnostic[] = [];
  const sources: SourceFile[] = [];
  for (const path of paths) {
    const result = await build({ path, fileSystem, as: 'manifests', signal, budget });
    for (const diagnostic of result.diagnostics) {
      // Nobody applies these objects.
      if (diagnostic.code !== 'definition-in-stream') diagnostics.push(diagnostic);
    }
    for (const source of result.sources) sources.push(source);
    for (const object of result.objects) {
      if (object.kind !== 'CustomResourceDefinition') continue;
      definitions.set(object, { file: result.rendering.provenance.origins.get(object)?.file ?? path, path });
    }
  }
  return {
    addTo(store, isWanted = () => true) {
      const wanted = [...definitions.keys()].filter((definition) => isWanted(definitions.get(definition)!.path));
      return store.with(wanted, (definition) => definitions.get(definition)?.file ?? 'the input');
    },
    diagnostics,
    sources,
  };
}

interface SchemasReading extends SourcedFindings {
  readonly store: SchemaStore;
  /** The same without `schemas/crds` of the package. */
  readonly trusted: SchemaStore;
}

/** The bundled schemas, those in `schemas/crds` of the package, and those of `--crds`. */
export async function openSchemas(
  { path }: Pick<BuildRequest, 'path'>,
  flags: FlagValues<typeof validationFlags>,
  environment: Environment,
): Promise<SchemasReading> {
  const store = createStore(flags['kubernetes-version'], { memory: environment.budget?.memory });
  const own = await ownDefinitions(path, environment);
  const paths = [...own, ...flags.crds];
  if (paths.length === 0) return { store, trusted: store, diagnostics: [], sources: [] };
  const { addTo, ...reading } = await readDefinitions(paths, environment);
  return { ...reading, store: addTo(store), trusted: addTo(store, (crds) => !own.includes(crds)) };
}

/** The CustomResourceDefinitions in `schemas/crds` of a package. */
async function ownDefinitions(path: string, environment: Environment): Promise<readonly string[]> {
  if (path === '-' || (/[*?[{]/.test(path) && !isRemotePath(path))) return [];
  const fileSystem = openDisk(environment);
  const root = path.replace(/\/+$/, '');
  try {
    // For a pipe of a shell, listing the path fails.
    if ((await fileSystem.kindOf(path)) !== 'directory') return [];
    for (const directory of ['', 'schemas/']) {
      const wanted = directory === '' ? 'schemas' : 'crds';
      const entry = (await fileSystem.list(`${root}/${directory}`)).find(({ name }) => name === wanted);
      // The build reports a link that points outside the package.
      const target = posix.normalize(`${directory}${entry?.target ?? ''}`);
      if (entry?.kind !== 'directory' || /^(?:\/|\.\.(?:\/|$))/.test(target)) return [];
    }
    const entries = await fileSystem.list(`${root}/schemas/crds`);
    const hasSchemas = entries.some(({ name, kind }) => kind === 'directory' || /\.(?:ya?ml|json)$/.test(name));
    return hasSchemas ? [`${root}/schemas/crds`] : [];
  } catch (error) {
    // The build reports why a package cannot be read.
    if (error instanceof FileAccessError) return [];
    throw error;
  }
}
