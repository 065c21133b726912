import { nearest } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, Report, Values } from '../model/index.ts';
import { explainBooleanKey } from './explain-boolean-key.ts';
import { parameterProblems } from './problems.ts';
import { formatReferencePath } from './reference-path.ts';
import type { Reference } from './template.ts';

/** The value that a reference stands for among resolved values; `undefined`, and a finding without a place, when there is none. */
export function lookUpParameter(reference: Reference, values: Values, report: Report): Json | undefined {
  const { path, text } = reference;
  if (path === undefined) {
    report(parameterProblems.create('variable-syntax', { variable: text }));
    return undefined;
  }
  let value: Json = values;
  for (const [index, step] of path.entries()) {
    const next: Json | undefined = stepInto(value, step);
    if (next === undefined) {
      const near = nearest(String(step), isJsonObject(value) ? Object.keys(value) : []);
      const meant = near === undefined ? undefined : [...path.slice(0, index), near, ...path.slice(index + 1)];
      const args = {
        variable: text,
        near: meant && formatReferencePath(meant),
        scopes: explainBooleanKey(step, value),
      };
      report(parameterProblems.create('variable-undefined', args));
      return undefined;
    }
    value = next;
  }
  return value;
}

export function stepInto(value: Json, step: string | number): Json | undefined {
  if (typeof step === 'number') return isJsonArray(value) ? value[step] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
