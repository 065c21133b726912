import { describeObject, findUndecryptable, isEncryptedText, isSopsEncrypted, listEncrypted } from '../kube/index.ts';
import { fieldName, formatPath } from '../schema/index.ts';
import { valueAt } from '../model/index.ts';
import type { KubeObject, Report, Subject } from '../model/index.ts';
import { validateProblems } from './problems.ts';

const identifying = [['apiVersion'], ['kind'], ['metadata', 'name'], ['metadata', 'namespace']] as const;

/** Reports what SOPS has made unreadable: encrypted identities, values that nothing decrypts, and the number of the others. */
export function reportEncrypted(all: readonly KubeObject[], report: Report): void {
  const objects = all.filter(isSopsEncrypted);
  for (const object of objects) {
    const path = identifying.find((place) => isEncryptedText(valueAt(object, place)));
    if (path === undefined) continue;
    report(validateProblems.create('sops-unidentified', { field: fieldName(path) }, { subject: { object, path } }));
  }
  const counts = objects.map((object) => listEncrypted(object).length);
  const values = counts.reduce((sum, count) => sum + count, 0);
  for (const object of all) {
    const path = findUndecryptable(object);
    if (path === undefined) continue;
    const args = { field: formatPath(path), object: describeObject(object) };
    report(validateProblems.create('sops-metadata-missing', args, { subject: { object, path } }));
  }
  if (values > 0) report(validateProblems.create('sops-not-checked', { values, objects: objects.length }));
}

/** A value that is encrypted with SOPS is not checked, and neither is the metadata of SOPS. A wrong key is a mistake all the same. */
export function isEncryptedPlace(object: KubeObject, { path, at }: Pick<Subject, 'path' | 'at'>): boolean {
  if (!isSopsEncrypted(object)) return false;
  return path[0] === 'sops' || (at !== 'key' && isEncryptedText(valueAt(object, path)));
}
