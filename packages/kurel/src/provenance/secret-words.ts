import type { Json } from '../model/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { ParameterTrace } from './field-trace.ts';
import { canTrace, traceFields } from './field-tree.ts';
import type { Rendering } from './rendering.ts';

// Shorter values carry no secret, and hiding them would hide parts of ordinary sentences.
const shortest = 4;

/** Values of parameters that end up in a Secret. A finding about another field with such a parameter must not show them. */
export function findSecretWords({ objects, provenance }: Rendering): readonly string[] {
  const words = new Set<string>();
  for (const object of objects) {
    if (object.kind !== 'Secret') continue;
    const history = provenance.historyOf(object);
    if (!canTrace(object, history)) continue;
    for (const { path, steps } of traceFields(object, history)) {
      if (path[0] !== 'data' && path[0] !== 'stringData') continue;
      for (const { parameters } of steps) parameters.forEach(addParameter);
    }
  }
  return [...words].filter(({ length }) => length >= shortest);

  function addParameter({ value, refersTo }: ParameterTrace): void {
    if (value !== undefined) addValue(value);
    refersTo.forEach(addParameter);
  }

  function addValue(value: Json): void {
    if (isJsonArray(value)) value.forEach(addValue);
    else if (isJsonObject(value)) Object.values(value).forEach(addValue);
    else if (typeof value !== 'boolean' && value !== null) words.add(String(value));
  }
}
