import { comparePaths } from '../paths.ts';
import type { PackagePatch } from './patch-package.ts';

/**
 * The order of application: by identity, but each patch behind those it requires. Patches of the local extension come behind
 * all of the package.
 */
export function orderPatches(
  patches: readonly PackagePatch[],
  requires: ReadonlyMap<PackagePatch, readonly PackagePatch[]>,
): readonly PackagePatch[] {
  const waiting = patches.toSorted(compare);
  const placed = new Set<PackagePatch>();
  const isReady = (patch: PackagePatch): boolean =>
    (requires.get(patch) ?? []).every((one) => placed.has(one) || !waiting.includes(one));
  while (waiting.length > 0) {
    // In a circle, which is told elsewhere, nothing is ever ready.
    const at = Math.max(0, waiting.findIndex(isReady));
    placed.add(waiting.splice(at, 1)[0]!);
  }
  return [...placed];
}

function compare(a: PackagePatch, b: PackagePatch): number {
  if (a.owner !== b.owner) return a.owner === 'package' ? -1 : 1;
  return comparePaths(a.id, b.id);
}
