import { describeObject, locateObject } from '../kube/index.ts';
import { isJsonArray } from '../model/index.ts';
import type { LayoutInput } from './layout.ts';
import { layoutProblems } from './problems.ts';

/**
 * The tools that apply manifests take whatever has a list `items` for a List, whatever its kind, and apply the items alone. Those
 * would pass every check of their container, so the object is refused, wherever `items` came from.
 */
export function refuseHiddenItems({
  objects,
  origins,
  report,
}: Pick<LayoutInput, 'objects' | 'origins' | 'report'>): void {
  for (const object of objects) {
    if (!isJsonArray(object['items'] ?? null)) continue;
    const location = locateObject(object, origins, ['items']);
    const place = location === undefined ? {} : { location: { ...location, at: 'key' as const } };
    report(layoutProblems.create('object-read-as-list', { object: describeObject(object) }, place));
  }
}
