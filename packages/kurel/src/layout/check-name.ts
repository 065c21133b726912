import { checkDnsLabel } from '../kube/index.ts';
import type { Report } from '../model/index.ts';
import { layoutProblems } from './problems.ts';

/** Names of packages become values of labels, names of objects and names of directories. */
export function checkName(name: string, report: Report): boolean {
  const reason = checkDnsLabel(name);
  if (reason !== undefined) report(layoutProblems.create('layout-name-invalid', { name, reason }));
  return reason === undefined;
}
