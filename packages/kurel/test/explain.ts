import { build, traceOf } from '../src/index.ts';
import type { BuildRequest, BuildResult, FieldTrace, KubeObject, SourceFile } from '../src/index.ts';

export interface Explanation {
  readonly result: BuildResult;
  readonly sources: readonly SourceFile[];
  readonly traceOf: (object: KubeObject) => readonly FieldTrace[];
}

/** A build with what `kurel explain` asks it. */
export async function explain(request: BuildRequest): Promise<Explanation> {
  const result = await build(request);
  const { provenance } = result.rendering;
  return { result, sources: provenance.texts(), traceOf: (object) => traceOf(object, provenance) };
}
