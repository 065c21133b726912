import { isJsonObject } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { checkDnsSubdomain, has, listAt, mappingAt, textAt } from '../../kube/index.ts';
import { fieldName, missingField } from '../../schema/index.ts';
import { checkTiny, readAmount, showAmount } from './read-amount.ts';
import type { KindCheck } from './kind-check.ts';

export function checkClaim(check: KindCheck): void {
  checkClaimSpec(check, check.object['spec'], ['spec']);
}

export function checkClaimTemplates(check: KindCheck): void {
  listAt(mappingAt(check.object, 'spec'), 'volumeClaimTemplates').forEach((claim, index) => {
    checkClaimSpec(check, mappingAt(claim, 'spec'), ['spec', 'volumeClaimTemplates', index, 'spec']);
  });
}

/** A claim that is made for each pod, be it of a StatefulSet or of an ephemeral volume. */
export function checkClaimSpec({ object, findings }: KindCheck, spec: Json | undefined, path: Path): void {
  if (!isJsonObject(spec)) return;
  const holder = path.length === 1 ? 'spec' : `spec of ${fieldName(path.slice(0, -1))}`;
  if (listAt(spec, 'accessModes').length === 0) {
    findings.add(object, { path: [...path, 'accessModes'] }, [
      'field-required',
      missingField({ name: 'accessModes', holder, expected: 'a list' }),
    ]);
  }
  const modes = listAt(spec, 'accessModes');
  if (modes.includes('ReadWriteOncePod') && modes.some((mode) => mode !== 'ReadWriteOncePod')) {
    findings.add(object, { path: [...path, 'accessModes'] }, [
      'field-enum',
      { field: 'accessModes', demand: 'must have nothing beside ReadWriteOncePod' },
    ]);
  }
  const requests = mappingAt(mappingAt(spec, 'resources'), 'requests');
  const place = { path: [...path, 'resources', 'requests', 'storage'] };
  const size = requests !== undefined && has(requests, 'storage') ? requests['storage']! : undefined;
  const amount = size === undefined ? undefined : readAmount(size);
  if (size === undefined) {
    findings.add(object, place, [
      'field-required',
      missingField({ name: 'resources.requests.storage', holder, expected: 'a quantity such as 1Gi' }),
    ]);
  } else if (amount !== undefined && amount.nanos <= 0n) {
    findings.add(object, place, [
      'field-range',
      { field: 'storage', demand: 'must be more than 0', found: showAmount(size) },
    ]);
  }
  checkTiny({ object, findings }, { of: 'storage', value: size, ...place });
  const storageClass = textAt(spec, 'storageClassName');
  const reason = storageClass === undefined || storageClass === '' ? undefined : checkDnsSubdomain(storageClass);
  if (reason !== undefined) {
    findings.add(object, { path: [...path, 'storageClassName'] }, [
      'name-invalid',
      { what: 'storage class', text: storageClass!, reason, rule: checkDnsSubdomain },
    ]);
  }
}
