import { describeObject, identityOf, nameOf } from '../kube/index.ts';
import type { KubeObject, Location, OriginTable, Report } from '../model/index.ts';
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
    const location = locateName(object, origins);
    const other = locateName(first, origins);
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

function locateName(object: KubeObject, origins: OriginTable): Location | undefined {
  const text = origins.get(object)?.text;
  if (text === undefined) return undefined;
  return { file: text.source.path, document: text.document, path: [...(text.path ?? []), 'metadata', 'name'] };
}
