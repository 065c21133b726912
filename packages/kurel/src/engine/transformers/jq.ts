import type { Json, KubeObject, Message, Transformer } from '../../model/index.ts';
import { isJsonArray, isJsonObject, putEntry } from '../../model/index.ts';
import { copyJson } from '../copy-json.ts';
import { JqError, compileJq, moreSteps } from '../jq-program.ts';
import type { JqBudget, JqOptions } from '../jq-program.ts';
import { pureIf } from '../steps.ts';

export function jqTransformer(expression: string, options?: JqOptions): Transformer {
  const run = compileJq(expression, options);
  // A custom function could change its input.
  return pureIf(options?.functions === undefined, (object, context) => {
    const result = run(object, context);
    if (!isJsonObject(result))
      throw new JqError('type', expression, { message: 'a transformer must return an object' });
    const refuse = (message: string, hint?: Message): never => {
      throw new JqError('type', expression, { message, hint });
    };
    const count = countCopies(options?.budget, refuse);
    return takeOwnership(result, { input: object, levels: mostLevels, refuse, count }) as KubeObject;
  });
}

/** More than manifests have; a program can nest a result deeper than the call stack allows. */
const mostLevels = 1000;
const tooDeep = `the result has more than ${mostLevels} levels`;
/** A program can put one value in more places than fit in memory once copied. */
const mostCopies = 1_000_000;

/** Counts the values of a result, which stay in memory, against the budget of the run. */
function countCopies(budget: JqBudget | undefined, refuse: Place['refuse']): Place['count'] {
  let left = mostCopies;
  return (container) => {
    // Like jq: one per array or object, and one more for every 4 elements.
    const values = 1 + (Object.keys(container).length >> 2);
    if ((left -= values) < 0) refuse(`the result has more than ${mostCopies} values`);
    if (budget === undefined) return;
    budget.values -= 2 * values;
    if (budget.values < 0) refuse('the results of this run have too many values', moreSteps);
  };
}

interface Place {
  /** Value of the input object at this path. */
  readonly input: Json | undefined;
  /** Remaining levels. */
  readonly levels: number;
  readonly refuse: (message: string, hint?: Message) => never;
  readonly count: (container: object) => void;
}

/**
 * Copies values that are not at the same path of the input object: they may come from a variable or a literal, which the
 * results for all objects would otherwise share.
 */
function takeOwnership(result: Json, { input, levels, refuse, count }: Place): Json {
  if (result === input || typeof result !== 'object' || result === null) return result;
  if (levels === 0) return refuse(tooDeep);
  count(result);
  const inner = (item: Json, old: Json | undefined): Json =>
    takeOwnership(item, { input: old, levels: levels - 1, refuse, count });
  if (isJsonArray(result) && isJsonArray(input)) return result.map((item, index) => inner(item, input[index]));
  if (isJsonArray(result) || !isJsonObject(input)) {
    for (const item of Object.values(result)) measure(item, { levels: levels - 1, refuse, count });
    return copyJson(result);
  }
  const own: Record<string, Json> = {};
  for (const [key, value] of Object.entries(result)) {
    putEntry(own, key, inner(value, Object.hasOwn(input, key) ? input[key] : undefined));
  }
  return own;
}

/** Counts values before they are copied: one value in many places is one value for jq, but many copies. */
function measure(value: Json, { levels, refuse, count }: Omit<Place, 'input'>): void {
  if (typeof value !== 'object' || value === null) return;
  if (levels === 0) refuse(tooDeep);
  count(value);
  for (const item of Object.values(value)) measure(item, { levels: levels - 1, refuse, count });
}
