import { bundledSchemas } from '../../src/host/index.ts';
import type { Diagnostic, JsonObject } from '../../src/model/index.ts';
import { createSchemaStore } from '../../src/schema/index.ts';
import { memoryFileSystem } from '../../src/forms/memory-file-system.ts';
import { loadPatchPackage } from '../../src/forms/patch-package/load-patch-package.ts';
import type { PatchPackage } from '../../src/forms/patch-package/patch-package.ts';
import { generateParameterSchema } from '../../src/forms/patch-package/schema/generate-schema.ts';
import type { SchemaRequest } from '../../src/forms/patch-package/schema/generate-schema.ts';

export const store = createSchemaStore({ files: bundledSchemas() });

const metadata = 'kurel: { name: app, version: 1.0.0, appVersion: 1.0.0 }\n';

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: { name: my-app }
spec:
  selector: { matchLabels: { app: my-app } }
  template:
    metadata: { labels: { app: my-app } }
    spec:
      containers: [{ name: main, image: app:1 }]
`;

/** A package of a Deployment `my-app`; files by their path in the package, `parameters.yaml` without its metadata. */
export async function loadFiles(files: Readonly<Record<string, string>>): Promise<PatchPackage> {
  const found: Diagnostic[] = [];
  const all = { 'resources/deployment.yaml': deployment, 'parameters.yaml': '', ...files };
  const placed = Object.entries(all).map(([path, text]) => [
    path.startsWith('../') ? path.slice(3) : `app.kurel/${path}`,
    path === 'parameters.yaml' ? text + metadata : text,
  ]);
  const pkg = await loadPatchPackage(
    { fileSystem: memoryFileSystem(Object.fromEntries(placed)), path: 'app.kurel' },
    (diagnostic) => found.push(diagnostic),
  );
  if (pkg === undefined) throw new Error(found.map(({ message }) => message).join('\n'));
  return pkg;
}

export interface Generated {
  readonly schema: JsonObject;
  /** Without those of `kurel`. */
  readonly properties: JsonObject;
  readonly diagnostics: readonly Diagnostic[];
}

export function generate(pkg: PatchPackage, request: Partial<SchemaRequest> = {}): Generated {
  const diagnostics: Diagnostic[] = [];
  const schema = generateParameterSchema({ package: pkg, store, ...request }, (one) => diagnostics.push(one));
  const { kurel: _, ...properties } = schema['properties'] as JsonObject;
  return { schema, properties, diagnostics };
}

/** A schema without the values of the package, which every schema repeats. */
export function withoutDefaults(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).filter(([word]) => word !== 'default');
  return Object.fromEntries(
    entries.map(([word, value]) => {
      if (word !== 'properties') return [word, value];
      const properties = Object.entries(value as JsonObject);
      return [
        word,
        Object.fromEntries(properties.map(([name, inner]) => [name, withoutDefaults(inner as JsonObject)])),
      ];
    }),
  );
}
