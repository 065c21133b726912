import type { Diagnostic, KubeObject, OriginTable, Path, Report } from '../../model/index.ts';
import { findUnknownSources } from '../../validate/index.ts';
import type { Composition } from './compose/composition.ts';
import { inspectObject } from './compose/inspect-object.ts';

/** Checks objects that patches or flags have changed since they were composed: they must keep to the policy as well. */
export function inspectPatched(
  objects: readonly KubeObject[],
  { composition, origins, report }: { composition: Composition; origins: OriginTable; report: Report },
): void {
  const { rules, objects: all, findings } = composition;
  // An object that takes the place of another has its origin.
  const madeOf = new Map(all.map((made) => [origins.get(made.object), made]));
  const composed = new Set(all.map(({ object }) => object));
  if (objects.every((object) => composed.has(object))) return;
  const keyOf = ({ code }: Diagnostic, path: Path): string => JSON.stringify([code, path]);
  const reported = new Map(all.map((made) => [made, new Set<string>()]));
  for (const { made, diagnostic, path } of findings) reported.get(made)?.add(keyOf(diagnostic, path));
  const unknownSources = findUnknownSources(objects, rules.layers);
  for (const object of objects) {
    if (composed.has(object)) continue;
    const made = madeOf.get(origins.get(object));
    const reportAt = (diagnostic: Diagnostic, path: Path): void => {
      if (made !== undefined && reported.get(made)!.has(keyOf(diagnostic, path))) return;
      report({ ...diagnostic, subject: { object, path } });
    };
    inspectObject(object, { rules, made, objects, report: reportAt });
    for (const one of unknownSources) if (one.object === object) reportAt(one.diagnostic, one.path);
  }
}
