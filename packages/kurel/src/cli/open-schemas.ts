import { DiagnosticError } from '../diagnostics/index.ts';
import { bundledSchemas } from '../host/index.ts';
import { build, createSchemaStore } from '../index.ts';
import type { SchemaStore, SchemaStoreOptions } from '../index.ts';
import { UsageError } from './usage-error.ts';
import type { Diagnostic, KubeObject, SourceFile } from '../model/index.ts';
import type { Environment } from './environment.ts';
import { openDisk } from './open-world.ts';

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

interface DefinitionsReading {
  readonly ok: boolean;
  readonly definitions: readonly KubeObject[];
  /** The file of a definition, for messages. */
  readonly sourceOf: (definition: KubeObject) => string;
  /** The given path that it was found in. */
  readonly pathOf: (definition: KubeObject) => string;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: readonly SourceFile[];
}

/** CustomResourceDefinitions from files, directories and patterns; other objects are ignored. */
export async function readDefinitions(paths: readonly string[], environment: Environment): Promise<DefinitionsReading> {
  const fileSystem = openDisk(environment);
  const { signal, budget } = environment;
  const found = new Map<KubeObject, { readonly file: string; readonly path: string }>();
  const diagnostics: Diagnostic[] = [];
  const sources: SourceFile[] = [];
  for (const path of paths) {
    if (path.trim() === '') throw new UsageError('--crds needs a path', 'name a file, a directory or a pattern');
    const result = await build({ path, fileSystem, as: 'manifests', signal, budget });
    for (const diagnostic of result.diagnostics) {
      // Nobody applies these objects.
      if (diagnostic.code !== 'definition-in-stream') diagnostics.push(diagnostic);
    }
    for (const source of result.sources) sources.push(source);
    for (const object of result.objects) {
      if (object.kind !== 'CustomResourceDefinition') continue;
      found.set(object, { file: result.rendering.provenance.origins.get(object)?.file ?? path, path });
    }
  }
  return {
    ok: !diagnostics.some(({ severity }) => severity === 'error'),
    definitions: [...found.keys()],
    sourceOf: (definition) => found.get(definition)?.file ?? 'the input',
    pathOf: (definition) => found.get(definition)?.path ?? '',
    diagnostics,
    sources,
  };
}
