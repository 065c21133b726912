import { spend } from '../../budget/index.ts';
import { nameOf, namespaceOf } from '../../kube/index.ts';
import type { Location } from '../../model/index.ts';
import { findConflicts } from '../merge/find-conflicts.ts';
import type { ConflictReport } from '../application.ts';
import { isBuiltIn } from './apply-document.ts';
import { isSameJson } from './edit-json.ts';
import { describeValue } from './format-path.ts';
import type { Setting } from './object-patching.ts';
import type { PatchRun, StrategicUse } from './patch-run.ts';
import { applyProblems } from './problems.ts';

/** Tells where patches of one object want different things; they are applied all the same, and the last one wins. */
export function reportConflicts(run: PatchRun): readonly ConflictReport[] {
  const reports = [...run.strategic]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([index, uses]) => (uses.length < 2 ? [] : reportStrategic(index, uses, run)));
  const patchings = [...run.patchings.values()].toSorted((a, b) => a.index - b.index);
  for (const { settings, key } of patchings) reportOverridden(settings ?? [], key, run);
  return reports;
}

function reportStrategic(index: number, uses: readonly StrategicUse[], run: PatchRun): readonly ConflictReport[] {
  const { shape, key } = run.open(index);
  const object = run.objects[index]!;
  // Every patch is compared with every other one.
  spend(run.budget, 'changes', (uses.length * (uses.length - 1)) / 2, () => uses[0]!.location);
  const conflicts = findConflicts(
    uses.map(({ document }) => document),
    { schema: shape.known?.schema, builtIn: isBuiltIn(shape) },
  );
  for (const { patchIndexA, patchIndexB, description } of conflicts) {
    const first = uses[patchIndexA]!.location;
    const { location } = uses[patchIndexB]!;
    const related = [{ message: 'the other patch', location: first }];
    run.report(applyProblems.create('patch-conflict', { object: key, description }, { location, related }));
  }
  if (conflicts.length === 0) return [];
  const namespace = namespaceOf(object);
  return [
    {
      resourceName: nameOf(object),
      resourceKind: object.kind,
      ...(namespace === '' ? {} : { resourceNamespace: namespace }),
      resourceKey: key,
      conflicts,
    },
  ];
}

/** Within one file the order is plain to see; between files it is easily overlooked. */
function reportOverridden(settings: readonly Setting[], object: string, { report }: PatchRun): void {
  const last = new Map<string, Setting>();
  for (const setting of settings) {
    const { path } = setting;
    const before = last.get(path);
    last.set(path, setting);
    if (before === undefined || before.location.file === setting.location.file) continue;
    if (isSameJson(before.value, setting.value)) continue;
    const args = { path, object, before: describeValue(before.value), after: describeValue(setting.value) };
    const related: { readonly message: string; readonly location: Location }[] = [
      { message: 'set here first', location: before.location },
    ];
    report(applyProblems.create('patch-overridden', args, { location: setting.location, related }));
  }
}
