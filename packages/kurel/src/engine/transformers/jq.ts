import type { Json, KubeObject, Transformer } from '../../model/index.ts';
import { isJsonArray, isJsonObject, putEntry } from '../../model/index.ts';
import { copyJson } from '../copy-json.ts';
import { JqError, compileJq } from '../jq-program.ts';
import type { JqOptions } from '../jq-program.ts';
import { pureIf } from '../purity.ts';

/** Replaces an object by what the program makes of it, which must be exactly one object. */
export function jqTransformer(expression: string, options?: JqOptions): Transformer {
  const run = compileJq(expression, options);
  // A function of the user could change what it is given.
  return pureIf(options?.functions === undefined, (object, context) => {
    const result = run(object, context);
    if (!isJsonObject(result))
      throw new JqError('type', expression, { message: 'a transformer must return an object' });
    const refuse = (): never => {
      const message = `the result is nested more than ${mostLevels} deep`;
      throw new JqError('type', expression, { message });
    };
    return takeOwnership(result, { input: object, levels: mostLevels, refuse }) as KubeObject;
  });
}

/** As many as are written; a loop in a program makes more of them than any stack has room for. */
const mostLevels = 1000;

interface Place {
  /** What the object has there. */
  readonly input: Json | undefined;
  /** How many more there may be. */
  readonly levels: number;
  readonly refuse: () => never;
}

/**
 * Copies what does not stand in the object at the same place: it may come from a variable or a literal of the program, which
 * the results for all objects would otherwise share.
 */
function takeOwnership(result: Json, { input, levels, refuse }: Place): Json {
  if (result === input || typeof result !== 'object' || result === null) return result;
  if (levels === 0) return refuse();
  const inner = (item: Json, old: Json | undefined): Json =>
    takeOwnership(item, { input: old, levels: levels - 1, refuse });
  if (isJsonArray(result) && isJsonArray(input)) return result.map((item, index) => inner(item, input[index]));
  if (isJsonArray(result) || !isJsonObject(input)) return isDeeper(result, levels) ? refuse() : copyJson(result);
  const own: Record<string, Json> = {};
  for (const [key, value] of Object.entries(result)) {
    putEntry(own, key, inner(value, Object.hasOwn(input, key) ? input[key] : undefined));
  }
  return own;
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item: Json) => isDeeper(item, levels - 1));
}
