import type { Json, KubeObject, Transformer } from '../../model/index.ts';
import { isJsonArray, isJsonObject, putEntry } from '../../model/index.ts';
import { copyJson } from '../copy-json.ts';
import { JqError, compileJq, moreSteps } from '../jq-program.ts';
import type { JqBudget, JqOptions } from '../jq-program.ts';
import { pureIf } from '../steps.ts';

/** Replaces an object by what the program makes of it, which must be exactly one object. */
export function jqTransformer(expression: string, options?: JqOptions): Transformer {
  const run = compileJq(expression, options);
  // A function of the user could change what it is given.
  return pureIf(options?.functions === undefined, (object, context) => {
    const result = run(object, context);
    if (!isJsonObject(result))
      throw new JqError('type', expression, { message: 'a transformer must return an object' });
    const refuse = (message: string, hint?: string): never => {
      throw new JqError('type', expression, { message, hint });
    };
    const count = countCopies(options?.budget, refuse);
    return takeOwnership(result, { input: object, levels: mostLevels, refuse, count }) as KubeObject;
  });
}

/** As many as are written; a loop in a program makes more of them than any stack has room for. */
const mostLevels = 1000;
const tooDeep = `the result is nested more than ${mostLevels} deep`;
/** A program can put one value in so many places that no memory holds them all. */
const mostCopies = 1_000_000;

/** Counts the values of a result, which stay in memory, and takes them from the budget of the run. */
function countCopies(budget: JqBudget | undefined, refuse: Place['refuse']): Place['count'] {
  let left = mostCopies;
  return (container) => {
    // as jq counts them: an array or object, and one more for every 4 elements
    const values = 1 + (Object.keys(container).length >> 2);
    if ((left -= values) < 0) refuse(`the result holds more than ${mostCopies} values`);
    if (budget === undefined) return;
    budget.values -= 2 * values;
    if (budget.values < 0) refuse('the results of this run hold too many values', moreSteps);
  };
}

interface Place {
  /** What the object has there. */
  readonly input: Json | undefined;
  /** How many more there may be. */
  readonly levels: number;
  readonly refuse: (message: string, hint?: string) => never;
  readonly count: (container: object) => void;
}

/**
 * Copies what does not stand in the object at the same place: it may come from a variable or a literal of the program, which
 * the results for all objects would otherwise share.
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

/** Counts what is about to be copied: a value in many places is one value for jq, and many for everybody else. */
function measure(value: Json, { levels, refuse, count }: Omit<Place, 'input'>): void {
  if (typeof value !== 'object' || value === null) return;
  if (levels === 0) refuse(tooDeep);
  count(value);
  for (const item of Object.values(value)) measure(item, { levels: levels - 1, refuse, count });
}
