import type { Filter, KubeObject, RenderContext, Transformer } from '../../model/index.ts';
import { requireFunctions, requireList } from '../check-arguments.ts';
import { isPure, isThenable, pure, pureIfAll, runSteps, throwIfAborted } from '../steps.ts';
import { checkDecision, checkObject, freezeCopy } from '../apply-pipeline.ts';
import { carryOrigin } from '../../kube/index.ts';
import type { Steps } from '../steps.ts';

/** One branch of `switch`. */
export interface Case {
  readonly when: Filter;
  readonly then: Transformer;
}

export function chain(...transformers: readonly Transformer[]): Transformer {
  requireFunctions('the transformer chain()', transformers);
  return pureIfAll(transformers, (object, context) => runSteps(chainSteps(transformers, object, context)));
}

// In the engine's design: `If`.
export function when(condition: Filter, transformer: Transformer): Transformer {
  requireFunctions('the transformer when()', [condition, transformer]);
  return switchCases([{ when: condition, then: transformer }]);
}

export function switchCases(cases: readonly Case[], fallback: Transformer = chain()): Transformer {
  requireList('the transformer switch()', cases);
  requireFunctions('the transformer switch()', [...cases.flatMap((branch) => [branch.when, branch.then]), fallback]);
  const guarded = cases.map((branch) => ({ when: guardFilter(branch.when), then: branch.then }));
  return pureIfAll([...cases.map((branch) => branch.then), fallback], (object, context) =>
    runSteps(switchSteps(guarded, fallback, object, context)),
  );
}

/** A condition that is not marked as pure gets a frozen copy, so that it cannot change the object. */
function guardFilter(filter: Filter): Filter {
  return isPure(filter) ? filter : pure((object, context) => filter(freezeCopy(object, context), context));
}

function* chainSteps(
  transformers: readonly Transformer[],
  object: KubeObject,
  context: RenderContext,
): Steps<KubeObject> {
  let current = object;
  for (const transformer of transformers) {
    throwIfAborted(context);
    const answer = transformer(current, context);
    const next = checkObject(isThenable(answer) ? yield answer : answer);
    carryOrigin(context.origins, current, next);
    current = next;
  }
  return current;
}

function* switchSteps(
  cases: readonly Case[],
  fallback: Transformer,
  object: KubeObject,
  context: RenderContext,
): Steps<KubeObject> {
  let chosen = fallback;
  for (const branch of cases) {
    throwIfAborted(context);
    const answer = branch.when(object, context);
    if (checkDecision(isThenable(answer) ? yield answer : answer)) {
      chosen = branch.then;
      break;
    }
  }
  throwIfAborted(context);
  const result = chosen(object, context);
  return checkObject(isThenable(result) ? yield result : result);
}
