import { describeObject } from '../kube/index.ts';
import { isJsonArray } from '../model/index.ts';
import type { LayoutInput } from './layout.ts';
import { layoutProblems } from './problems.ts';

/**
 * The tools that apply manifests take whatever has a list `items` for a List, whatever its kind, and apply the items alone. Those
 * would pass every check of their container, so the object is refused, wherever `items` came from.
 */
export function refuseHiddenItems({ objects, report }: Pick<LayoutInput, 'objects' | 'report'>): void {
  for (const object of objects) {
    if (!isJsonArray(object['items'] ?? null)) continue;
    const subject = { object, path: ['items'], at: 'key' as const };
    report(layoutProblems.create('object-read-as-list', { object: describeObject(object) }, { subject }));
  }
}
