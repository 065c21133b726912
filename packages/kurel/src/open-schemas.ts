import { getOrAdd } from './budget/index.ts';
import { findingsOfFailure } from './build-problems.ts';
import type { BuildRequest } from './build-request.ts';
import { createOriginTable, createRenderContext } from './engine/index.ts';
import { findOwnDefinitions } from './forms/index.ts';
import type { KubeObject, Report } from './model/index.ts';
import { once } from './provenance/index.ts';
import type { SchemaStore } from './schema/index.ts';
import { renderInputs } from './stages.ts';

type DefinitionsRequest = Pick<BuildRequest, 'fileSystem' | 'budget' | 'signal'>;

/** A CustomResourceDefinition, and where it comes from. */
interface Definition {
  readonly object: KubeObject;
  readonly file: string;
}

/** CustomResourceDefinitions from files, directories and patterns; other objects are ignored. */
export async function readDefinitions(
  paths: readonly string[],
  { fileSystem, budget, signal }: DefinitionsRequest,
  report: Report,
): Promise<readonly Definition[]> {
  const definitions: Definition[] = [];
  for (const path of paths) {
    const origins = createOriginTable();
    const context = createRenderContext({ origins, report, budget, signal });
    try {
      const { objects } = await renderInputs({ path, fileSystem, as: 'manifests', budget, signal }, context);
      for (const object of objects) {
        if (object.kind !== 'CustomResourceDefinition') continue;
        definitions.push({ object, file: origins.get(object)?.file ?? path });
      }
    } catch (error) {
      signal?.throwIfAborted();
      // Continues, so that the mistakes of the other paths are reported as well.
      findingsOfFailure(error).forEach(report);
    }
  }
  return definitions;
}

export function addDefinitions(store: SchemaStore, definitions: readonly Definition[]): SchemaStore {
  if (definitions.length === 0) return store;
  const fileOf = new Map(definitions.map(({ object, file }) => [object, file]));
  return store.with([...fileOf.keys()], (definition) => fileOf.get(definition) ?? 'the input');
}

export interface OpenedSchemas extends Pick<BuildRequest, 'store' | 'validation'> {
  /** Without `schemas/crds` of the inputs, which must not decide what a policy finds. */
  readonly trustedStore?: BuildRequest['store'];
}

/**
 * The schemas of a build: those of the request, those in `schemas/crds` of its inputs, and those of `crds`. A request without schemas
 * checks nothing, so then none are read.
 */
export async function openSchemas(request: BuildRequest, report: Report): Promise<OpenedSchemas> {
  const { path, morePaths = [], crds = [], validation } = request;
  const store = request.store ?? (validation && (() => validation.store));
  if (store === undefined) return {};
  const directories: string[] = [];
  for (const input of [path, ...morePaths]) {
    const directory = await findOwnDefinitions({ ...request, path: input });
    if (directory !== undefined) directories.push(directory);
  }
  if (directories.length === 0 && crds.length === 0) return { store, validation, trustedStore: store };
  const own = await readDefinitions(directories, request, report);
  const extra = await readDefinitions(crds, request, report);
  const extended = new Map<SchemaStore, SchemaStore>();
  const extend = (base: SchemaStore): SchemaStore =>
    getOrAdd(extended, base, () => addDefinitions(base, [...own, ...extra]));
  return {
    store: () => extend(store()),
    validation: validation && { ...validation, store: extend(validation.store) },
    trustedStore: once(() => addDefinitions(store(), extra)),
  };
}
