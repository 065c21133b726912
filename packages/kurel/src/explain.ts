import { build } from './build.ts';
import type { BuildRequest, BuildResult } from './build.ts';
import { pure } from './engine/index.ts';
import type { KubeObject, Origin, Path, SourceFile, Transformer } from './model/index.ts';
import type { ParameterLayer } from './parameters/index.ts';
import { readHistories } from './read-histories.ts';
import type { WatchedStep } from './read-histories.ts';
import { traceFields } from './trace/index.ts';
import type { FieldTrace } from './trace/index.ts';

export interface ExplainRequest extends Omit<BuildRequest, 'transformers'> {
  readonly transformers?: readonly NamedTransformer[] | undefined;
  /** Where the values that patches may use come from, later ones win; packages have theirs in `package`. */
  readonly layers?: readonly ParameterLayer[] | undefined;
}

/** A transformer, and what to say of the fields that it changes. */
export interface NamedTransformer {
  /** `--label team=shop` */
  readonly words: string;
  readonly transform: Transformer;
  /** The field that it sets, be it to the value that was there. */
  readonly sets?: Path | undefined;
}

export interface Explanation {
  readonly result: BuildResult;
  /** The texts that traces point into. */
  readonly sources: readonly SourceFile[];
  /** Where each field of an object of the result comes from. */
  readonly traceOf: (object: KubeObject) => readonly FieldTrace[];
}

/** What a patch says decides a field also where it was so already. */
const everything = { unchanged: true };

/** Builds, and finds out where the fields of the objects come from. */
export async function explain(request: ExplainRequest): Promise<Explanation> {
  const { transformers: named = [], filters = [], layers = [], ...rest } = request;
  const { patched, stepsOf, filter, transformers } = watchPipeline(named);
  const { namespace, store } = request;
  const patches = request.patches === undefined ? undefined : { ...request.patches, ...everything };
  const settings = { ...request.package, ...everything };
  const result = await build({ ...rest, patches, package: settings, filters: [filter, ...filters], transformers });
  const record = { result, rendered: result.rendered, patched, stepsOf, namespace, patches, store, layers };
  const { sources, historyOf } = readHistories(record);
  return { result, sources, traceOf: (object) => traceFields(object, historyOf(object)) };
}

/** Looks at objects before the filters, and at what each transformer makes of them. */
function watchPipeline(named: readonly NamedTransformer[]) {
  const patched: KubeObject[] = [];
  const steps = new Map<Origin, WatchedStep[]>();
  const filter = pure((object: KubeObject): boolean => {
    patched.push(object);
    return true;
  });
  const transformers = named.map(({ words, sets, transform }): Transformer => {
    return async (object, context) => {
      const after = await transform(object, context);
      const origin = context.origins.get(object);
      if (origin !== undefined) steps.set(origin, [...(steps.get(origin) ?? []), { words, sets, after }]);
      return after;
    };
  });
  return { patched, filter, transformers, stepsOf: (origin: Origin) => steps.get(origin) ?? [] };
}
