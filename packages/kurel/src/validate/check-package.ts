import { checkAdvice } from './package-advice.ts';
import { createObjectTable } from './object-table.ts';
import type { PackageCheck } from './object-table.ts';
import { checkIdentities } from './package-identities.ts';
import { checkNamespaces } from './package-namespaces.ts';
import { checkPodReferences } from './package-pod-references.ts';
import { checkReferences } from './package-references.ts';
import { checkRoutes } from './package-routes.ts';
import { checkServices } from './package-services.ts';
import type { Subject } from './subject.ts';

/** What objects say about one another. */
export function checkPackage(
  subjects: readonly Subject[],
  { store, findings, inPackage, namespacesElsewhere }: Omit<PackageCheck, 'table'>,
): void {
  const check = { store, findings, inPackage, namespacesElsewhere, table: createObjectTable(subjects) };
  checkIdentities(subjects, check);
  checkNamespaces(subjects, check);
  for (const subject of subjects) {
    if (subject.pod !== undefined) checkPodReferences(subject, subject.pod, check);
    checkReferences(subject, check);
    checkServices(subject, check);
    checkRoutes(subject, check);
    if (inPackage) checkAdvice(subject, check);
  }
}
