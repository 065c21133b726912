import { quote } from '../../diagnostics/index.ts';
import { checkLabelKey, checkLabelValue, has, textAt } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import type { KindCheck } from './kind-check.ts';

/** Tolerations of pods and of runtime classes, which must be unique only in the latter. */
export function checkTolerations(check: KindCheck, value: Json | undefined, path: Path, isDistinct = false): void {
  if (!isJsonArray(value)) return;
  const seen = new Map<string, number>();
  value.forEach((entry, index) => {
    // The API server reads null as an empty object.
    if (entry !== null && !isJsonObject(entry)) return;
    const toleration = entry ?? {};
    checkToleration(check, toleration, [...path, index]);
    if (!isDistinct) return;
    const key = ['key', 'operator', 'value', 'effect'].map((field) => textAt(toleration, field) ?? '').join(' ');
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    else {
      const related = [{ message: 'the first one is here', object: check.object, path: [...path, first] }];
      check.findings.add(check.object, { path: [...path, index], related }, [
        'list-duplicate',
        { list: 'tolerations', what: 'toleration' },
      ]);
    }
  });
}

function checkToleration({ object, findings }: KindCheck, toleration: JsonObject, path: Path): void {
  const key = textAt(toleration, 'key') ?? '';
  const value = textAt(toleration, 'value') ?? '';
  const operator = textAt(toleration, 'operator') ?? '';
  const effect = textAt(toleration, 'effect') ?? '';
  const refuse = (name: string, demand: string, found: string): void =>
    findings.add(object, { path: [...path, name] }, [
      'field-enum',
      { field: name, demand, found: found === '' ? 'none' : quote(found) },
    ]);
  const keyReason = key === '' ? undefined : checkLabelKey(key);
  if (keyReason !== undefined) {
    findings.add(object, { path: [...path, 'key'] }, [
      'label-invalid',
      { what: 'key', text: key, of: 'a toleration', reason: keyReason },
    ]);
  }
  if (operator === 'Exists' && value !== '') refuse('value', 'must be empty when operator is Exists', value);
  if (key === '' && operator !== 'Exists') refuse('operator', 'must be Exists when "key" is empty', operator);
  const valueReason = operator === '' || operator === 'Equal' ? checkLabelValue(value) : undefined;
  if (valueReason !== undefined) {
    findings.add(object, { path: [...path, 'value'] }, [
      'label-invalid',
      { what: 'value', text: value, of: 'a toleration', reason: valueReason },
    ]);
  }
  if (has(toleration, 'tolerationSeconds') && effect !== 'NoExecute')
    refuse('effect', 'must be NoExecute when "tolerationSeconds" is set', effect);
}
