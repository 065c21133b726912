import { nearest } from '../diagnostics/index.ts';
import type { PackageCheck } from './object-table.ts';
import type { Subject } from './subject.ts';

/**
 * Reports namespaces that are used and not created, and gives those about which nothing seems wrong but that others are created.
 * Objects without any Namespace among them are for namespaces that exist. Every cluster has `default` and those of Kubernetes itself.
 */
export function checkNamespaces(
  subjects: readonly Subject[],
  { store, findings, inPackage, namespacesElsewhere, dropped }: PackageCheck,
): readonly string[] {
  const created = new Set(namesCreated(subjects).concat(namesCreated(dropped)));
  if (!inPackage && created.size === 0) return [];
  const used = new Map<string, Subject[]>();
  const elsewhere: string[] = [];
  for (const subject of subjects) {
    const { namespace } = subject;
    if (namespace === '' || namespace === 'default' || namespace.startsWith('kube-')) continue;
    const users = used.get(namespace);
    if (users === undefined) used.set(namespace, [subject]);
    else users.push(subject);
  }
  for (const [namespace, all] of used) {
    if (created.has(namespace) || namespacesElsewhere.includes(namespace)) continue;
    // What is put into a namespace by mistake, because its kind lives in none, is another finding.
    const users = all.filter(({ gvk }) => store.find(gvk)?.scope !== 'Cluster');
    if (users.length === 0) continue;
    const near = nearest(namespace, [...created]);
    if (!inPackage && near === undefined) elsewhere.push(namespace);
    else {
      findings.add(users[0]!.object, { path: ['metadata', 'namespace'] }, [
        'namespace-missing',
        { namespace, count: users.length, near, inPackage },
      ]);
    }
  }
  return elsewhere;
}

function namesCreated(subjects: readonly Subject[]): readonly string[] {
  return subjects.flatMap(({ gvk, name }) => (gvk.kind === 'Namespace' && gvk.group === '' ? [name] : []));
}
