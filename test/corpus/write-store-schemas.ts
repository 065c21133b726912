import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { SchemaStore } from '../../packages/kurel/src/schema/index.ts';
import { exportJsonSchema } from './export-json-schema.ts';

/** `-schema-location` for schemas in files such as `apps/deployment-v1.json` and `v1/pod-v1.json`. */
export function schemaLocation(directory: string): string {
  return `${directory}/{{ .Group }}/{{ .ResourceKind }}-{{ .ResourceAPIVersion }}.json`;
}

/** Every kind of a store as a file where `schemaLocation` makes kubeconform look. */
export function writeStoreSchemas(directory: string, store: SchemaStore): void {
  for (const gvk of store.kinds()) {
    const folder = join(directory, gvk.group === '' ? gvk.version : gvk.group);
    mkdirSync(folder, { recursive: true });
    const schema = exportJsonSchema(store.find(gvk)!);
    writeFileSync(join(folder, `${gvk.kind.toLowerCase()}-${gvk.version}.json`), JSON.stringify(schema));
  }
}
