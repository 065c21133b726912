import { quote } from '../../diagnostics/index.ts';
import { checkLabelKey, checkLabelValue, has, listAt, textAt } from '../../kube/index.ts';
import type { PodSite } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { JsonObject, Path } from '../../model/index.ts';
import type { KindCheck } from './kind-check.ts';

export function checkTolerations(check: KindCheck, { spec, specPath }: PodSite): void {
  listAt(spec, 'tolerations').forEach((toleration, index) => {
    const path = [...specPath, 'tolerations', index];
    // One that is null is an empty one.
    if (toleration === null || isJsonObject(toleration)) checkToleration(check, toleration ?? {}, path);
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
  if (operator === 'Exists' && value !== '') refuse('value', 'must be left out when the operator is Exists', value);
  if (key === '' && operator !== 'Exists') refuse('operator', 'must be Exists when there is no "key"', operator);
  const valueReason = operator === '' || operator === 'Equal' ? checkLabelValue(value) : undefined;
  if (valueReason !== undefined) {
    findings.add(object, { path: [...path, 'value'] }, [
      'label-invalid',
      { what: 'value', text: value, of: 'a toleration', reason: valueReason },
    ]);
  }
  if (has(toleration, 'tolerationSeconds') && effect !== 'NoExecute')
    refuse('effect', 'must be NoExecute beside "tolerationSeconds"', effect);
}
