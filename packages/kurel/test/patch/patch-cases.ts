import { deepFreeze } from '../../src/engine/copy-json.ts';
import { createOriginTable } from '../../src/engine/index.ts';
import { bundledSchemas } from '../../src/host/index.ts';
import { layOutSources } from '../../src/layout/index.ts';
import type { Diagnostic, KubeObject, OutputFile, SourceFile } from '../../src/model/index.ts';
import { readObjects } from '../../src/forms/read-objects.ts';
import { createSchemaStore } from '../../src/schema/index.ts';
import type { PatchOptions, PatchResult } from '../../src/patch/patch.ts';
import { applyPatches } from '../../src/patch/apply-patches.ts';
import { readPatchFile } from '../../src/patch/yaml-patch/read-patch-file.ts';

export interface PatchRun {
  readonly before: readonly KubeObject[];
  readonly result: PatchResult;
  readonly diagnostics: readonly Diagnostic[];
  /** The manifests with their changes. */
  readonly texts: readonly OutputFile[];
}

export interface PatchTexts {
  readonly manifests: readonly SourceFile[];
  readonly patches: readonly SourceFile[];
  readonly options?: Partial<PatchOptions> | undefined;
}

const store = createSchemaStore({ files: bundledSchemas() });

/** Texts to texts, as the program does it. Objects cannot be changed in place: they are frozen. */
export function runPatches({ manifests, patches, options = {} }: PatchTexts): PatchRun {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
  const origins = createOriginTable();
  const context = { signal: new AbortController().signal, origins, report };
  const before = manifests.flatMap((source) => {
    const originOf = () => ({ renderer: 'manifests', source: source.path });
    return readObjects(source, { context, report, originOf });
  });
  const files = patches.map((source) => readPatchFile(source, report));
  deepFreeze(before);
  const isRead = diagnostics.every(({ severity }) => severity !== 'error');
  const result = isRead
    ? applyPatches(before, files, { store, origins, report, ...options })
    : { objects: before, changes: [], enabled: new Map<number, boolean>(), conflicts: [] };
  const texts = layOutSources({ before, objects: result.objects, origins, report });
  return { before, result, diagnostics, texts };
}
