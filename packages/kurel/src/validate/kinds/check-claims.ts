import { isJsonObject } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { has, listAt, mappingAt } from '../read-fields.ts';
import type { KindCheck } from './kind-check.ts';

export function checkClaim(check: KindCheck): void {
  checkClaimSpec(check, check.object['spec'], ['spec']);
}

export function checkClaimTemplates(check: KindCheck): void {
  listAt(mappingAt(check.object, 'spec'), 'volumeClaimTemplates').forEach((claim, index) => {
    checkClaimSpec(check, mappingAt(claim, 'spec'), ['spec', 'volumeClaimTemplates', index, 'spec']);
  });
}

function checkClaimSpec({ object, findings }: KindCheck, spec: Json | undefined, path: Path): void {
  if (!isJsonObject(spec)) return;
  const holder = path.length === 1 ? '"spec"' : `"spec" of "volumeClaimTemplates[${path[2]}]"`;
  if (listAt(spec, 'accessModes').length === 0) {
    findings.add(object, { path: [...path, 'accessModes'] }, [
      'field-required',
      { name: 'accessModes', holder, expected: 'a list' },
    ]);
  }
  if (!has(mappingAt(mappingAt(spec, 'resources'), 'requests'), 'storage')) {
    findings.add(object, { path: [...path, 'resources', 'requests', 'storage'] }, [
      'field-required',
      { name: 'resources.requests.storage', holder, expected: 'a quantity such as 1Gi' },
    ]);
  }
}
