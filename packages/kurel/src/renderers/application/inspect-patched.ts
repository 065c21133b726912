import type { Diagnostic, KubeObject, OriginTable, Path, Report } from '../../model/index.ts';
import type { Change } from '../../patch/index.ts';
import { findUnknownSources } from '../../validate/door.ts';
import type { LocateField } from './causes/locate-field.ts';
import type { Composition } from './compose/composition.ts';
import { inspectObject } from './compose/inspect-object.ts';

interface Patched {
  readonly composition: Composition;
  /** Where patches did it. */
  readonly changes: readonly Change[];
  /** Those that have been looked at. */
  readonly known: ReadonlySet<KubeObject>;
  readonly origins: OriginTable;
  readonly locateField: LocateField;
  readonly report: Report;
}

/** Whoever changes objects must keep to the policy as well, so that those that were changed are looked at again. */
export function inspectPatched(
  objects: readonly KubeObject[],
  { composition, changes, known, origins, locateField, report }: Patched,
): void {
  if (objects.every((object) => known.has(object))) return;
  const { rules, objects: all } = composition;
  // An object that takes the place of another has its origin.
  const positions = new Map(all.map(({ object }, index) => [origins.get(object), index]));
  const unknownSources = findUnknownSources(objects, rules.layers);
  for (const object of objects) {
    if (known.has(object)) continue;
    const index = positions.get(origins.get(object));
    const made = index === undefined ? undefined : all[index];
    const tell = (diagnostic: Diagnostic, path: Path): void => {
      const change = changes.findLast((one) => one.index === index && isOnWay(one.path, path));
      // What no patch has touched was told when the object was made.
      if (diagnostic.severity === 'warning' && change === undefined && made !== undefined) return;
      const location = change?.location ?? (made && locateField(made, path));
      report(location === undefined ? diagnostic : { ...diagnostic, location });
    };
    inspectObject(object, { rules, made, objects, report: tell });
    for (const one of unknownSources) if (one.object === object) tell(one.diagnostic, one.path);
  }
}

/** Whether one of the paths leads to or through where the other ends. */
function isOnWay(one: Path, other: Path): boolean {
  return one.every((step, depth) => depth >= other.length || String(step) === String(other[depth]));
}
