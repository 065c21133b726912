import { describeObject, identityOf, locateObject, nameOf } from '../kube/index.ts';
import type { KubeObject, OriginTable, Report } from '../model/index.ts';
import { validateProblems } from './problems.ts';

/** Warns of objects that a cluster would take for one; a full validation refuses them. */
export function reportDuplicates(
  objects: readonly KubeObject[],
  { origins, report }: { readonly origins: OriginTable; readonly report: Report },
): void {
  const seen = new Map<string, KubeObject>();
  for (const object of objects) {
    if (nameOf(object) === '') continue;
    const identity = identityOf(object);
    const first = seen.get(identity);
    if (first === undefined) {
      seen.set(identity, object);
      continue;
    }
    const location = locateObject(object, origins, ['metadata', 'name']);
    const other = locateObject(first, origins, ['metadata', 'name']);
    report(
      validateProblems.create(
        'object-duplicate',
        { object: describeObject(object) },
        {
          severity: 'warning',
          location,
          ...(other === undefined ? {} : { related: [{ message: 'it is here first', location: other }] }),
        },
      ),
    );
  }
}
