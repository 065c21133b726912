import { describeObject } from '../kube/index.ts';
import type { KubeObject } from '../model/index.ts';
import type { PackageCheck } from './object-table.ts';
import type { Subject } from './subject.ts';

/** Two objects that a cluster would take for one. */
export function checkIdentities(subjects: readonly Subject[], { findings }: PackageCheck): void {
  const seen = new Map<string, KubeObject>();
  for (const { object, gvk, namespace, name } of subjects) {
    // Without a name the API server makes one up, and no two are alike.
    if (name === '') continue;
    // The parts of `identityOf`, which have been read already; no name has a line break in it.
    const identity = `${gvk.group}\n${gvk.kind}\n${namespace}\n${name}`;
    const first = seen.get(identity);
    if (first === undefined) seen.set(identity, object);
    else {
      const related = [{ message: 'it is here first', object: first, path: ['metadata', 'name'] }];
      findings.add(object, { path: ['metadata', 'name'], related }, [
        'object-duplicate',
        { object: describeObject(object) },
      ]);
    }
  }
}
