import { escapeControls } from '../diagnostics/index.ts';
import { describeObject, pluralOf } from '../kube/index.ts';
import type { PackageCheck } from './object-table.ts';
import type { Subject } from './subject.ts';

/** Two objects that a cluster would take for one. */
export function checkIdentities({ findings, inPackage, table, dropped }: PackageCheck): void {
  for (const [subject, first] of table.duplicates) {
    if (dropped.includes(subject)) continue;
    const { object } = subject;
    const related = [{ message: 'it is here first', object: first, path: ['metadata', 'name'] }];
    findings.add(object, { path: ['metadata', 'name'], related }, [
      'object-duplicate',
      { object: describeObject(object), pair: inPackage ? describePair(subject) : undefined },
    ]);
  }
}

function describePair({ gvk, namespace, name }: Subject): string {
  const where = namespace === '' ? '' : ` in namespace '${namespace}'`;
  return escapeControls(`Two ${pluralOf(gvk.kind)} named '${name}'${where}`);
}
