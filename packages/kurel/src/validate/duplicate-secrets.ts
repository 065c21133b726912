import { describeObject, mappingAt, textAt } from '../kube/index.ts';
import type { PackageCheck } from './object-table.ts';
import type { Subject } from './subject.ts';

const path = ['spec', 'secretName'];

/** Reports Certificates with the same Secret, because cert-manager issues only one of them. */
export function checkDuplicateSecrets(subjects: readonly Subject[], { findings }: PackageCheck): void {
  const seen = new Map<string, Subject>();
  for (const subject of subjects) {
    const { object, gvk, namespace, name } = subject;
    if (gvk.group !== 'cert-manager.io' || gvk.kind !== 'Certificate') continue;
    const secret = textAt(mappingAt(object, 'spec'), 'secretName');
    if (secret === undefined) continue;
    const key = `${namespace}/${secret}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, subject);
    // The same Certificate twice is another finding.
    else if (first.name !== name) {
      const related = [{ message: 'the first one is here', object: first.object, path }];
      const args = { secret, object: describeObject(first.object) };
      findings.add(object, { path, related }, ['certificate-secret-duplicate', args]);
    }
  }
}
