import { nearest, quote } from '../../diagnostics/index.ts';
import { compareText } from '../../model/index.ts';
import type { Json, Report } from '../../model/index.ts';
import { findParameterOrigin, lookUpIn, parseTemplate, wholeReference } from '../../parameters/index.ts';
import type { Reference } from '../../parameters/index.ts';
import { adviseBoolean } from '../../schema/index.ts';
import { lastPartOf } from '../paths.ts';
import type { EnabledPatch, PackageParameters, PackagePatch, PatchPackage, PatchPlan } from './patch-package.ts';
import { packageProblems } from './problems.ts';
import { completeIdentity, withoutPatchEnding } from './read-metadata.ts';

export interface PlanOptions {
  readonly report: Report;
  /** Patches to enable regardless of their conditions. */
  readonly force?: readonly string[] | undefined;
}

/** Determines which patches are enabled by parameters or required by others, and their apply order. */
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
  for (const [patch, { isOn, variable, reason }] of conditions) {
    if (isOn && !reasons.has(patch)) reasons.set(patch, reason ?? { type: 'condition', variable });
  }
  requireOthers(reasons, links.requires);
  const conflicts = findExclusions(reasons, links.conflicts, report);
  const ordered = orderPatches([...reasons.keys()], links.requires);
  const enabled = ordered.map((patch) => ({ patch, reason: reasons.get(patch)!, conflict: conflicts.get(patch) }));
  const disabled = patches
    .filter((patch) => !reasons.has(patch))
    .map((patch) => ({ patch, variable: conditions.get(patch)?.variable }));
  return { enabled, disabled };
}

/** Whether the metadata of a patch enables it, and the parameter that decides; without a condition it is always enabled. */
function readCondition(patch: PackagePatch, { values, layers }: PackageParameters, report: Report) {
  const { sidecar } = patch;
  const enabled = sidecar?.enabled;
  if (sidecar === undefined || enabled === undefined) return { isOn: true, reason: { type: 'always' } as const };
  const location = { file: sidecar.source.path, document: 0, path: ['enabled'] };
  const reference = typeof enabled === 'string' ? wholeReference(parseTemplate(enabled)) : undefined;
  if (typeof enabled === 'string' && isExpression(enabled, reference)) {
    const args = { expression: enabled, parameter: nameParameter(patch) };
    report(packageProblems.create('patch-condition-expression', args, { location }));
    return { isOn: false };
  }
  const value =
    reference === undefined
      ? enabled
      : lookUpIn(values)(reference, (diagnostic) => report({ ...diagnostic, location }))?.value;
  const isOn = value === undefined ? undefined : readBoolean(value);
  if (value !== undefined && isOn === undefined) {
    const shown = typeof value === 'string' ? quote(value) : JSON.stringify(value, plainNumbers);
    const words = adviseBoolean(value);
    const advice = reference === undefined ? words : `${words ?? 'use true or false'} for ${reference.text}`;
    const setAt = reference?.path && findParameterOrigin(layers, reference.path)?.location;
    const related = setAt && [{ message: `parameter ${quote(reference.text)} is set here`, location: setAt }];
    report(packageProblems.create('patch-condition-not-boolean', { value: shown, advice }, { location, related }));
  }
  // A value that is not a boolean is not shown as one.
  const variable = isOn === undefined ? undefined : reference?.text;
  return { isOn: isOn ?? false, variable };
}

/** Whether the value is an expression: `${a == 'b'}`, `!${a}`, `${a} && ${b}`, `a == b`. */
function isExpression(enabled: string, reference: Reference | undefined): boolean {
  if (reference !== undefined) return reference.path === undefined;
  return enabled.includes('${') || /[=<>!&|]|\b(?:and|or|not)\b/.test(enabled);
}

/** Suggests a parameter name for a patch: `features/10-pod-monitor.kpatch` → `podMonitor`. */
function nameParameter({ id }: PackagePatch): string {
  const stem = lastPartOf(id).replace(/\..*$/, '');
  const words = stem.split(/[^A-Za-z0-9]+/).filter((word) => /[A-Za-z]/.test(word));
  const name = words.map((word, index) => (index === 0 ? word : `${word[0]!.toUpperCase()}${word.slice(1)}`)).join('');
  return /^[A-Za-z]/.test(name) ? name : 'feature';
}

/** `undefined` for a value that is not a boolean. */
export function readBoolean(value: Json): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' && /^(?:true|false)$/i.test(value) ? value.toLowerCase() === 'true' : undefined;
}

function plainNumbers(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

function findForced(
  patches: readonly PackagePatch[],
  force: readonly string[],
  report: Report,
): readonly PackagePatch[] {
  const ids = patches.map(({ id }) => id);
  return force.flatMap((name) => {
    const patch = patches.find(({ id }) => id === name) ?? patches.find(({ id }) => id === completeIdentity(name));
    if (patch !== undefined) return [patch];
    const args = { id: name, near: nearest(completeIdentity(name), ids), ids };
    report(packageProblems.create('patch-forced-unknown', args));
    return [];
  });
}

/** Enables everything that enabled patches require, recursively. */
function requireOthers(reasons: Map<PackagePatch, EnabledPatch['reason']>, requires: Links): void {
  const pending = [...reasons.keys()];
  for (let patch = pending.shift(); patch !== undefined; patch = pending.shift()) {
    for (const required of requires.get(patch) ?? []) {
      if (reasons.has(required)) continue;
      reasons.set(required, { type: 'required', by: patch });
      pending.push(required);
    }
  }
}

/** One of two patches has to declare the conflict. */
function findExclusions(
  reasons: ReadonlyMap<PackagePatch, EnabledPatch['reason']>,
  conflicts: Links,
  report: Report,
): ReadonlyMap<PackagePatch, PackagePatch> {
  const exclusions = new Map<PackagePatch, PackagePatch>();
  const reported = new Map<PackagePatch, Set<PackagePatch>>();
  for (const [patch, others] of conflicts) {
    const own = new Set<PackagePatch>();
    reported.set(patch, own);
    for (const other of others) {
      const isReported = reported.get(other)?.has(patch) === true || own.has(other);
      if (!reasons.has(patch) || !reasons.has(other) || isReported) continue;
      own.add(other);
      if (!exclusions.has(patch)) exclusions.set(patch, other);
      const { location } = patch.sidecar!.conflicts.find(({ id }) => id === other.id)!;
      const why = [patch, other].map((enabled) => `${enabled.id} ${explain(reasons.get(enabled)!)}`);
      const args = { id: patch.id, other: other.id, reasons: why };
      report(packageProblems.create('patches-exclude', args, { location }));
    }
  }
  return exclusions;
}

function explain(reason: EnabledPatch['reason']): string {
  if (reason.type === 'required') return `is required by ${reason.by.id}`;
  if (reason.type === 'forced') return 'is enabled by name';
  if (reason.type === 'always') return 'is always enabled';
  return reason.variable === undefined ? 'is enabled' : `is enabled by ${reason.variable}`;
}

/**
 * Apply order: by identity, but each patch after those it requires. Patches of the local extension come after those of the
 * package.
 */
function orderPatches(patches: readonly PackagePatch[], requires: Links): readonly PackagePatch[] {
  const waiting = patches.toSorted(
    (a, b) => Number(a.owner === 'local') - Number(b.owner === 'local') || compareText(a.id, b.id),
  );
  const placed = new Set<PackagePatch>();
  const isReady = (patch: PackagePatch): boolean =>
    (requires.get(patch) ?? []).every((required) => placed.has(required) || !waiting.includes(required));
  while (waiting.length > 0) {
    // In a cycle, which is reported elsewhere, no patch is ever ready.
    const at = Math.max(0, waiting.findIndex(isReady));
    placed.add(waiting.splice(at, 1)[0]!);
  }
  return [...placed];
}

type Links = ReadonlyMap<PackagePatch, readonly PackagePatch[]>;

/** Resolves the patches named in metadata files; reports those that do not exist. */
export function linkPatches(patches: readonly PackagePatch[], report: Report) {
  const requires = new Map<PackagePatch, readonly PackagePatch[]>();
  const conflicts = new Map<PackagePatch, readonly PackagePatch[]>();
  const ids = [...new Set(patches.map(({ id }) => id))];
  for (const patch of patches) {
    const others = ids.filter((id) => id !== patch.id);
    const find = (id: string, owner: PackagePatch['owner']) =>
      patches.find((candidate) => candidate.id === id && candidate.owner === owner);
    const required = (patch.sidecar?.requires ?? []).flatMap(({ id, location }) => {
      const other = find(id, patch.owner);
      if (other === patch) report(packageProblems.create('patch-requires-itself', { id }, { location }));
      else if (other !== undefined) return [other];
      else if (patch.owner === 'local' && find(id, 'package') !== undefined) {
        report(packageProblems.create('patch-requires-package', { id }, { location }));
      } else
        report(packageProblems.create('patch-requires-unknown', { id, near: nearestPatch(id, others) }, { location }));
      return [];
    });
    const excluded = (patch.sidecar?.conflicts ?? []).flatMap(({ id, location }) => {
      // A local patch may name patches of the package; its own take precedence.
      const other = find(id, patch.owner) ?? (patch.owner === 'local' ? find(id, 'package') : undefined);
      if (other !== undefined && other !== patch) return [other];
      const args = { id, isSelf: other === patch, near: other === undefined ? nearestPatch(id, others) : undefined };
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
  const names = others.map(withoutPatchEnding);
  const near = nearest(withoutPatchEnding(id), names);
  return near === undefined ? undefined : others[names.indexOf(near)];
}

/** Reports every cycle among patches that require each other, enabled or not. */
function findCycles(requires: Links, report: Report): void {
  const done = new Set<PackagePatch>();
  for (const start of requires.keys()) {
    // Not recursive, because a chain of required patches may exceed the call stack.
    const trail = new Map<PackagePatch, Iterator<PackagePatch>>();
    const waiting: PackagePatch[] = [];
    const enter = (patch: PackagePatch): void => {
      if (trail.has(patch)) {
        const chain = [...waiting.slice(waiting.indexOf(patch)), patch];
        const location = patch.sidecar?.requires.find(({ id }) => id === chain[1]!.id)?.location;
        report(packageProblems.create('patch-cycle', { chain: chain.map(({ id }) => shortName(id)) }, { location }));
      } else if (!done.has(patch)) {
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

/** Name of a patch without directory and extension. */
export function shortName(id: string): string {
  return withoutPatchEnding(lastPartOf(id));
}
