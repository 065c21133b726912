import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createSchemaStore } from '../../packages/kurel/src/schema/index.ts';
import type { SchemaStore } from '../../packages/kurel/src/schema/index.ts';

/** The shipped schemas, found from the root of the repository: this code also runs bundled, far from them. */
export function openStore(root: string, kubernetesVersion: string): SchemaStore {
  const read = (name: string): string => readFileSync(join(root, 'packages', 'kurel', 'schemas', name), 'utf8');
  return createSchemaStore({ files: { read }, kubernetesVersion });
}
