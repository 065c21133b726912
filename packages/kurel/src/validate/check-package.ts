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

/** What objects say about one another. Gives the namespaces that are used and not created, without anything that looks wrong. */
export function checkPackage(subjects: readonly Subject[], given: Omit<PackageCheck, 'table'>): readonly string[] {
  const all = given.dropped.length === 0 ? subjects : [...subjects, ...given.dropped];
  const check = { ...given, table: createObjectTable(all) };
  checkIdentities(check);
  const elsewhere = checkNamespaces(subjects, check);
  for (const subject of subjects) {
    if (subject.pod !== undefined) checkPodReferences(subject, subject.pod, check);
    checkReferences(subject, check);
    checkServices(subject, check);
    checkRoutes(subject, check);
    if (given.inPackage) checkAdvice(subject, check);
  }
  return elsewhere;
}
