import type { Report } from '../../model/index.ts';
import type { PackagePatch } from './patch-package.ts';
import { packageProblems } from './problems.ts';

/** Reports every cycle among patches that require each other, enabled or not. */
export function findCycles(requires: ReadonlyMap<PackagePatch, readonly PackagePatch[]>, report: Report): void {
  const done = new Set<PackagePatch>();
  for (const start of requires.keys()) {
    // Not recursive, because a chain of required patches may exceed the call stack.
    const trail = new Map<PackagePatch, Iterator<PackagePatch>>();
    const waiting: PackagePatch[] = [];
    const enter = (patch: PackagePatch): void => {
      if (trail.has(patch)) reportCycle([...waiting.slice(waiting.indexOf(patch)), patch], report);
      else if (!done.has(patch)) {
        trail.set(patch, (requires.get(patch) ?? []).values());
        waiting.push(patch);
      }
    };
    enter(start);
    for (let patch = waiting.at(-1); patch !== undefined; patch = waiting.at(-1)) {
      const next = trail.get(patch)!.next();
      if (next.done !== true) enter(next.value);
      else {
        trail.delete(patch);
        waiting.pop();
        done.add(patch);
      }
    }
  }
}

function reportCycle(chain: readonly PackagePatch[], report: Report): void {
  const [first, second] = chain;
  const location = first!.sidecar?.requires.find(({ id }) => id === second!.id)?.location;
  report(packageProblems.create('patch-cycle', { chain: chain.map(({ id }) => shortName(id)) }, { location }));
}

/** Name of a patch without directory and extension. */
export function shortName(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1).replace(/\.(?:kpatch|patch\.ya?ml)$/, '');
}
