import type { Report } from '../../model/index.ts';
import type { PackagePatch } from './patch-package.ts';
import { packageProblems } from './problems.ts';

/** Tells of every circle among the patches that require one another, whether they are enabled or not. */
export function findCycles(requires: ReadonlyMap<PackagePatch, readonly PackagePatch[]>, report: Report): void {
  const done = new Set<PackagePatch>();
  const visit = (patch: PackagePatch, trail: readonly PackagePatch[]): void => {
    const at = trail.indexOf(patch);
    if (at !== -1) return reportCycle([...trail.slice(at), patch], report);
    if (done.has(patch)) return;
    for (const required of requires.get(patch) ?? []) visit(required, [...trail, patch]);
    done.add(patch);
  };
  for (const patch of requires.keys()) visit(patch, []);
}

function reportCycle(chain: readonly PackagePatch[], report: Report): void {
  const [first, second] = chain;
  const location = first!.sidecar?.requires.find(({ id }) => id === second!.id)?.location;
  report(packageProblems.create('patch-cycle', { chain: chain.map(({ id }) => shortName(id)) }, { location }));
}

/** The name without directory and ending, as people speak of a patch. */
export function shortName(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1).replace(/\.(?:kpatch|patch\.ya?ml)$/, '');
}
