import type { Filter, KubeObject, RenderContext } from '../../model/index.ts';
import { requireFunctions } from '../check-arguments.ts';
import { isThenable, pureIfAll, runSteps, throwIfAborted } from '../steps.ts';
import { checkDecision } from '../apply-pipeline.ts';
import type { Steps } from '../steps.ts';

export function and(...filters: readonly Filter[]): Filter {
  requireFunctions('the filter and()', filters);
  return pureIfAll(filters, (object, context) => runSteps(askUntil(false, filters, object, context)));
}

export function or(...filters: readonly Filter[]): Filter {
  requireFunctions('the filter or()', filters);
  if (filters.length === 0) return and();
  return pureIfAll(filters, (object, context) => runSteps(askUntil(true, filters, object, context)));
}

export function not(filter: Filter): Filter {
  requireFunctions('the filter not()', [filter]);
  return pureIfAll([filter], (object, context) => {
    const answer = filter(object, context);
    return isThenable(answer) ? invertLater(answer) : !checkDecision(answer);
  });
}

// In the engine's design: `If`.
export function when(condition: Filter, then: Filter): Filter {
  requireFunctions('the filter when()', [condition, then]);
  return or(not(condition), then);
}

/** The first answer that equals `wanted`, or the last one. */
function* askUntil(
  wanted: boolean,
  filters: readonly Filter[],
  object: KubeObject,
  context: RenderContext,
): Steps<boolean> {
  for (const filter of filters) {
    throwIfAborted(context);
    const answer = filter(object, context);
    if (checkDecision(isThenable(answer) ? yield answer : answer) === wanted) return wanted;
  }
  return !wanted;
}

async function invertLater(answer: PromiseLike<boolean>): Promise<boolean> {
  return !checkDecision(await answer);
}
