import { escapeControls } from '../diagnostics/index.ts';
import { describeObject, pluralOf } from '../kube/index.ts';
import type { KubeObject } from '../model/index.ts';
import type { PackageCheck } from './object-table.ts';
import type { Subject } from './subject.ts';

/** Two objects that a cluster would take for one. */
export function checkIdentities(subjects: readonly Subject[], { findings, inPackage }: PackageCheck): void {
  const seen = new Map<string, KubeObject>();
  for (const subject of subjects) {
    const { object, gvk, namespace, name } = subject;
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
        { object: describeObject(object), pair: inPackage ? describePair(subject) : undefined },
      ]);
    }
  }
}

function describePair({ gvk, namespace, name }: Subject): string {
  const where = namespace === '' ? '' : ` in namespace '${namespace}'`;
  return escapeControls(`Two ${pluralOf(gvk.kind)} named '${name}'${where}`);
}
