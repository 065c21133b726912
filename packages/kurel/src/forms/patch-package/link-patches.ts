import { nearest } from '../../diagnostics/index.ts';
import type { Report } from '../../model/index.ts';
import type { PackagePatch } from './patch-package.ts';
import { packageProblems } from './problems.ts';

export interface Links {
  readonly requires: ReadonlyMap<PackagePatch, readonly PackagePatch[]>;
  readonly conflicts: ReadonlyMap<PackagePatch, readonly PackagePatch[]>;
}

/** Resolves the patches named in metadata files; reports those that do not exist. */
export function linkPatches(patches: readonly PackagePatch[], report: Report): Links {
  const requires = new Map<PackagePatch, readonly PackagePatch[]>();
  const conflicts = new Map<PackagePatch, readonly PackagePatch[]>();
  const ids = [...new Set(patches.map(({ id }) => id))];
  for (const patch of patches) {
    const others = ids.filter((id) => id !== patch.id);
    const find = (id: string, owner: PackagePatch['owner']) =>
      patches.find((one) => one.id === id && one.owner === owner);
    const required = (patch.sidecar?.requires ?? []).flatMap(({ id, location }) => {
      const found = find(id, patch.owner);
      if (found === patch) report(packageProblems.create('patch-requires-itself', { id }, { location }));
      else if (found !== undefined) return [found];
      else if (patch.owner === 'local' && find(id, 'package') !== undefined) {
        report(packageProblems.create('patch-requires-package', { id }, { location }));
      } else
        report(packageProblems.create('patch-requires-unknown', { id, near: nearestPatch(id, others) }, { location }));
      return [];
    });
    const excluded = (patch.sidecar?.conflicts ?? []).flatMap(({ id, location }) => {
      // A local patch may name patches of the package; its own take precedence.
      const found = find(id, patch.owner) ?? (patch.owner === 'local' ? find(id, 'package') : undefined);
      if (found !== undefined && found !== patch) return [found];
      const args = { id, isSelf: found === patch, near: found === undefined ? nearestPatch(id, others) : undefined };
      report(packageProblems.create('patch-conflicts-unknown', args, { location }));
      return [];
    });
    requires.set(patch, required);
    conflicts.set(patch, excluded);
  }
  return { requires, conflicts };
}

/** The patch with the same name and another extension, or one with a similar name. */
function nearestPatch(id: string, others: readonly string[]): string | undefined {
  const names = others.map(withoutEnding);
  const near = nearest(withoutEnding(id), names);
  return near === undefined ? undefined : others[names.indexOf(near)];
}

function withoutEnding(id: string): string {
  return id.replace(/\.(?:kpatch|patch\.ya?ml)$/, '');
}
