import type { Json, KubeObject, Transformer } from '../../model/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import { copyJson, setKey } from '../copy-json.ts';
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
    return takeOwnership(result, object) as KubeObject;
  });
}

/**
 * Copies what does not stand in the object at the same place: it may come from a variable or a literal of the program, which
 * the results for all objects would otherwise share.
 */
function takeOwnership(result: Json, input: Json | undefined): Json {
  if (result === input || typeof result !== 'object' || result === null) return result;
  if (isJsonArray(result)) {
    return isJsonArray(input) ? result.map((item, index) => takeOwnership(item, input[index])) : copyJson(result);
  }
  if (!isJsonObject(input)) return copyJson(result);
  const own: Record<string, Json> = {};
  for (const [key, value] of Object.entries(result)) {
    setKey(own, key, takeOwnership(value, Object.hasOwn(input, key) ? input[key] : undefined));
  }
  return own;
}
