import { isKubeObject } from '../../model/index.ts';
import type { KubeObject } from '../../model/index.ts';
import type { Change, ConflictReport, PatchResult } from '../application.ts';
import type { ObjectPatching } from './object-patching.ts';
import type { PatchRun } from './patch-run.ts';
import { applyProblems } from './problems.ts';

/** All or nothing: one object that cannot be patched leaves every object as it was. */
export function finishRun(run: PatchRun, conflicts: readonly ConflictReport[]): PatchResult {
  const { objects, patchings, state, options, changes } = run;
  for (const patching of patchings.values()) checkObject(patching, run);
  const enabled = decisionsOf(patchings);
  if (state.failed) return { objects, changes: [], removed: [], enabled, conflicts };
  const removed: KubeObject[] = [];
  const kept = objects.flatMap((before, index) => {
    const patching = patchings.get(index);
    if (patching === undefined) return [before];
    if (patching.enabled?.value === false) {
      removed.push(before);
      changes.push(removalOf(patching, before));
      const { location } = patching.enabled;
      run.report(applyProblems.create('object-left-out', { object: patching.key }, { location }));
      return [];
    }
    const after = patching.object;
    const origin = after === before ? undefined : options.origins?.get(before);
    if (origin !== undefined) options.origins?.set(after, origin);
    return [after];
  });
  return { objects: kept, changes, removed, enabled, conflicts };
}

function decisionsOf(patchings: ReadonlyMap<number, ObjectPatching>): ReadonlyMap<number, boolean> {
  return new Map(
    [...patchings].flatMap(([index, { enabled }]): [number, boolean][] =>
      enabled === undefined ? [] : [[index, enabled.value]],
    ),
  );
}

function checkObject({ object, key, changes, index, failed }: ObjectPatching, { report }: PatchRun): void {
  if (failed || isKubeObject(object)) return;
  const location = changes.findLast((change) => change.index === index)?.location;
  report(applyProblems.create('patch-breaks-object', { object: key }, { location }));
}

function removalOf({ index, key: object, enabled }: ObjectPatching, before: KubeObject): Change {
  const { location } = enabled!;
  return { index, object, operation: 'enabled', path: [], before, after: undefined, location, variables: [] };
}
