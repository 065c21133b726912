import { nearest, quote } from '../../diagnostics/index.ts';
import type { Json, Location, Report } from '../../model/index.ts';
import { lookUpParameter, parseTemplate, wholeReference } from '../../parameters/index.ts';
import { findCycles } from './find-cycles.ts';
import { orderPatches } from './order-patches.ts';
import type { EnabledPatch, PackageParameters, PackagePatch, PatchPackage, PatchPlan } from './patch-package.ts';
import { packageProblems } from './problems.ts';
import { completeIdentity } from './read-sidecar.ts';

export interface PlanOptions {
  readonly report: Report;
  /** Patches that are enabled whatever their conditions say. */
  readonly force?: readonly string[] | undefined;
}

/** Which patches are enabled by the parameters, which come along because others require them, and in what order they apply. */
export function planPatches(
  { patches }: PatchPackage,
  parameters: PackageParameters,
  { report, force = [] }: PlanOptions,
): PatchPlan {
  const links = linkPatches(patches, report);
  findCycles(links.requires, report);
  const conditions = new Map(patches.map((patch) => [patch, readCondition(patch, parameters, report)]));
  const reasons = new Map<PackagePatch, EnabledPatch['reason']>();
  for (const patch of findForced(patches, force, report)) reasons.set(patch, { type: 'forced' });
  for (const [patch, { isOn, reason }] of conditions) if (isOn && !reasons.has(patch)) reasons.set(patch, reason);
  requireOthers(reasons, links.requires);
  const conflicts = findExclusions(reasons, links.conflicts, report);
  const ordered = orderPatches([...reasons.keys()], links.requires);
  const enabled = ordered.map((patch) => ({ patch, reason: reasons.get(patch)!, conflict: conflicts.get(patch) }));
  const disabled = patches
    .filter((patch) => !reasons.has(patch))
    .map((patch) => ({ patch, variable: conditions.get(patch)?.variable }));
  return { enabled, disabled };
}

interface Links {
  readonly requires: ReadonlyMap<PackagePatch, readonly PackagePatch[]>;
  readonly conflicts: ReadonlyMap<PackagePatch, readonly PackagePatch[]>;
}

/** The patches that sidecars name. */
function linkPatches(patches: readonly PackagePatch[], report: Report): Links {
  const requires = new Map<PackagePatch, readonly PackagePatch[]>();
  const conflicts = new Map<PackagePatch, readonly PackagePatch[]>();
  const ids = [...new Set(patches.map(({ id }) => id))];
  for (const patch of patches) {
    const find = (id: string, owner: PackagePatch['owner']) =>
      patches.find((one) => one.id === id && one.owner === owner);
    const required = (patch.sidecar?.requires ?? []).flatMap(({ id, location }) => {
      const found = find(id, patch.owner);
      if (found === patch) report(packageProblems.create('patch-requires-itself', { id }, { location }));
      else if (found !== undefined) return [found];
      else if (patch.owner === 'local' && find(id, 'package') !== undefined) {
        report(packageProblems.create('patch-requires-package', { id }, { location }));
      } else report(packageProblems.create('patch-requires-unknown', { id, near: nearest(id, ids) }, { location }));
      return [];
    });
    const excluded = (patch.sidecar?.conflicts ?? []).flatMap(({ id, location }) => {
      // A local patch may name patches of the package, its own first.
      const found = find(id, patch.owner) ?? (patch.owner === 'local' ? find(id, 'package') : undefined);
      if (found !== undefined && found !== patch) return [found];
      const args = { id, isSelf: found === patch, near: found === undefined ? nearest(id, ids) : undefined };
      report(packageProblems.create('patch-conflicts-unknown', args, { location }));
      return [];
    });
    requires.set(patch, required);
    conflicts.set(patch, excluded);
  }
  return { requires, conflicts };
}

interface Condition {
  readonly isOn: boolean;
  readonly variable: string | undefined;
  readonly reason: EnabledPatch['reason'];
}

function readCondition({ sidecar }: PackagePatch, { values }: PackageParameters, report: Report): Condition {
  const enabled = sidecar?.enabled;
  if (sidecar === undefined || enabled === undefined) {
    return { isOn: true, variable: undefined, reason: { type: 'always' } };
  }
  const location = { file: sidecar.source.path, document: 0, path: ['enabled'] };
  const reference = typeof enabled === 'string' ? wholeReference(parseTemplate(enabled)) : undefined;
  const value =
    reference === undefined
      ? enabled
      : lookUpParameter(reference, values, (diagnostic) => report({ ...diagnostic, location }));
  const isOn = value === undefined ? undefined : readBoolean(value, { report, location });
  // What is not known to be true or false is not told to be so.
  const variable = isOn === undefined ? undefined : reference?.text;
  return { isOn: isOn ?? false, variable, reason: { type: 'condition', variable } };
}

function readBoolean(value: Json, { report, location }: { report: Report; location: Location }): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  const shown = typeof value === 'string' ? quote(value) : (JSON.stringify(value, plainNumbers) ?? 'nothing');
  report(packageProblems.create('patch-condition-not-boolean', { value: shown }, { location }));
  return undefined;
}

function plainNumbers(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

function findForced(
  patches: readonly PackagePatch[],
  force: readonly string[],
  report: Report,
): readonly PackagePatch[] {
  const known = patches.map(({ id }) => id);
  return force.flatMap((name) => {
    const found = patches.find(({ id }) => id === name) ?? patches.find(({ id }) => id === completeIdentity(name));
    if (found !== undefined) return [found];
    report(
      packageProblems.create('patch-forced-unknown', { id: name, near: nearest(completeIdentity(name), known), known }),
    );
    return [];
  });
}

/** Whatever an enabled patch requires is enabled with it, and what that requires in turn. */
function requireOthers(reasons: Map<PackagePatch, EnabledPatch['reason']>, requires: Links['requires']): void {
  const pending = [...reasons.keys()];
  for (let patch = pending.shift(); patch !== undefined; patch = pending.shift()) {
    for (const required of requires.get(patch) ?? []) {
      if (reasons.has(required)) continue;
      reasons.set(required, { type: 'required', by: patch });
      pending.push(required);
    }
  }
}

/** It is enough that one of two patches says that they cannot be together. */
function findExclusions(
  reasons: ReadonlyMap<PackagePatch, EnabledPatch['reason']>,
  conflicts: Links['conflicts'],
  report: Report,
): ReadonlyMap<PackagePatch, PackagePatch> {
  const found = new Map<PackagePatch, PackagePatch>();
  const told = new Map<PackagePatch, ReadonlySet<PackagePatch>>();
  for (const [patch, others] of conflicts) {
    for (const other of others) {
      const isTold = told.get(other)?.has(patch) === true || told.get(patch)?.has(other) === true;
      if (!reasons.has(patch) || !reasons.has(other) || isTold) continue;
      told.set(patch, new Set([...(told.get(patch) ?? []), other]));
      if (!found.has(patch)) found.set(patch, other);
      const { location } = patch.sidecar!.conflicts.find(({ id }) => id === other.id)!;
      const why = [patch, other].map((one) => `${one.id} ${explain(reasons.get(one)!)}`);
      const args = { id: patch.id, other: other.id, reasons: why };
      report(packageProblems.create('patches-exclude', args, { location }));
    }
  }
  return found;
}

function explain(reason: EnabledPatch['reason']): string {
  if (reason.type === 'required') return `is required by ${reason.by.id}`;
  if (reason.type === 'forced') return 'is enabled by name';
  if (reason.type === 'always') return 'is always enabled';
  return reason.variable === undefined ? 'is enabled' : `is enabled by ${reason.variable}`;
}
