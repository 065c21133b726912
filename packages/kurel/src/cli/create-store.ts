import { DiagnosticError } from '../diagnostics/index.ts';
import { bundledSchemas } from '../host/index.ts';
import { createSchemaStore } from '../index.ts';
import type { SchemaStore, SchemaStoreOptions } from '../index.ts';
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
