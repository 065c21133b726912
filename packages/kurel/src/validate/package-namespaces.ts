import type { PackageCheck } from './object-table.ts';
import type { Subject } from './subject.ts';

/** Namespaces that are used and not created. Every cluster has `default` and those of Kubernetes itself. */
export function checkNamespaces(
  subjects: readonly Subject[],
  { store, findings, inPackage, namespacesElsewhere }: PackageCheck,
): void {
  const created = new Set<string>();
  const used = new Map<string, Subject[]>();
  for (const subject of subjects) {
    const { gvk, name, namespace } = subject;
    if (gvk.kind === 'Namespace' && gvk.group === '') created.add(name);
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
    findings.add(users[0]!.object, { path: ['metadata', 'namespace'] }, [
      'namespace-missing',
      { namespace, count: users.length, created: [...created], inPackage },
    ]);
  }
}
