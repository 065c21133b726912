import { DiagnosticError, hintIn, messageIn } from '../diagnostics/index.ts';
import { bundledSchemas } from '../host/index.ts';
import { createSchemaStore } from '../index.ts';
import type { SchemaStore, SchemaStoreOptions } from '../index.ts';
import type { Diagnostic, FileSystem } from '../model/index.ts';
import { addDefinitions, readDefinitions } from '../open-schemas.ts';
import { recordReads } from '../reads/index.ts';
import type { Environment } from './environment.ts';
import { openDisk } from './open-world.ts';
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
    throw new UsageError(messageIn(finding), hintIn(finding));
  }
}

interface DefinitionsReading extends SourcedFindings {
  readonly addTo: (store: SchemaStore) => SchemaStore;
}

/** The CustomResourceDefinitions of `--crds`, where no build reads them. */
export async function readDefinitionFlags(
  paths: readonly string[],
  environment: Environment,
  files: FileSystem = openDisk(environment),
): Promise<DefinitionsReading> {
  const record = recordReads({ fileSystem: files });
  const { signal, budget } = environment;
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const definitions = await readDefinitions(paths, { fileSystem: record.fileSystem, signal, budget }, report);
  return {
    addTo: (store) => addDefinitions(store, definitions),
    diagnostics,
    sources: await record.sourcesOf(diagnostics),
  };
}
