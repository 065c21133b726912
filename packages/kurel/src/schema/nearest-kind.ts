import { nearest } from '../diagnostics/index.ts';
import type { GroupVersionKind } from '../model/index.ts';
import { compareApiVersions } from './compare-api-versions.ts';
import type { SchemaStore } from './schema-node.ts';

/**
 * The kind that was most likely meant by one that the store does not know: the same in another version, else in another
 * group, else one that is spelt alike in the same group, else anywhere.
 */
export function nearestKind(store: SchemaStore, gvk: GroupVersionKind): GroupVersionKind | undefined {
  const all = store.kinds();
  const inGroup = all.filter(({ group }) => group === gvk.group);
  for (const candidates of [inGroup, all]) {
    const same = newest(candidates.filter(({ kind }) => kind === gvk.kind));
    if (same !== undefined) return same;
  }
  for (const candidates of [inGroup, all]) {
    const name = nearest(gvk.kind, new Set(candidates.map(({ kind }) => kind)));
    if (name !== undefined) return newest(candidates.filter(({ kind }) => kind === name));
  }
  return undefined;
}

/** Of the first group among them, so that built-in kinds come before those of CRDs. */
function newest(kinds: readonly GroupVersionKind[]): GroupVersionKind | undefined {
  return kinds
    .filter(({ group }) => group === kinds[0]!.group)
    .toSorted((a, b) => compareApiVersions(a.version, b.version))[0];
}
