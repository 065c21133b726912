import { reportExhaustion } from '../../budget/index.ts';
import { nearest, quote } from '../../diagnostics/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Budget, Diagnostic, Json, Location, Report } from '../../model/index.ts';
import {
  findParameterOrigin,
  lookUpIn,
  mergeLayers,
  parseTemplate,
  resolveParameters,
  wholeReference,
  writtenParameters,
} from '../../parameters/index.ts';
import type { ParameterLayer, Reference } from '../../parameters/index.ts';
import { adviseBoolean } from '../../schema/index.ts';
import { comparePaths } from '../paths.ts';
import { findCycles } from './find-cycles.ts';
import { linkPatches } from './link-patches.ts';
import type { Links } from './link-patches.ts';
import type { EnabledPatch, PackageParameters, PackagePatch, PatchPackage, PatchPlan } from './patch-package.ts';
import { packageProblems } from './problems.ts';
import { keepVersionTexts } from './read-metadata.ts';
import { completeIdentity } from './read-sidecar.ts';

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

interface Condition {
  readonly isOn: boolean;
  readonly variable: string | undefined;
  readonly reason: EnabledPatch['reason'];
}

function readCondition(patch: PackagePatch, { values, layers }: PackageParameters, report: Report): Condition {
  const { sidecar } = patch;
  const enabled = sidecar?.enabled;
  if (sidecar === undefined || enabled === undefined) {
    return { isOn: true, variable: undefined, reason: { type: 'always' } };
  }
  const location = { file: sidecar.source.path, document: 0, path: ['enabled'] };
  const reference = typeof enabled === 'string' ? wholeReference(parseTemplate(enabled)) : undefined;
  if (typeof enabled === 'string' && isExpression(enabled, reference)) {
    const args = { expression: enabled, parameter: nameParameter(patch) };
    report(packageProblems.create('patch-condition-expression', args, { location }));
    return { isOn: false, variable: undefined, reason: { type: 'condition', variable: undefined } };
  }
  const value =
    reference === undefined
      ? enabled
      : lookUpIn(values)(reference, (diagnostic) => report({ ...diagnostic, location }))?.value;
  const given = reference?.path && findParameterOrigin(layers, reference.path)?.location;
  const reading = { report, location, variable: reference?.text, given };
  const isOn = value === undefined ? undefined : readBoolean(value, reading);
  // A value that is not a boolean is not shown as one.
  const variable = isOn === undefined ? undefined : reference?.text;
  return { isOn: isOn ?? false, variable, reason: { type: 'condition', variable } };
}

/** Whether the value is an expression: `${a == 'b'}`, `!${a}`, `${a} && ${b}`, `a == b`. */
function isExpression(enabled: string, reference: Reference | undefined): boolean {
  if (reference !== undefined) return reference.path === undefined;
  return enabled.includes('${') || /[=<>!&|]|\b(?:and|or|not)\b/.test(enabled);
}

/** Suggests a parameter name for a patch: `features/10-pod-monitor.kpatch` → `podMonitor`. */
function nameParameter({ id }: PackagePatch): string {
  const stem = id.slice(id.lastIndexOf('/') + 1).replace(/\..*$/, '');
  const words = stem.split(/[^A-Za-z0-9]+/).filter((word) => /[A-Za-z]/.test(word));
  const name = words.map((word, index) => (index === 0 ? word : `${word[0]!.toUpperCase()}${word.slice(1)}`)).join('');
  return /^[A-Za-z]/.test(name) ? name : 'feature';
}

interface BooleanReading {
  readonly report: Report;
  readonly location: Location;
  readonly variable: string | undefined;
  /** Where the variable is set. */
  readonly given: Location | undefined;
}

function readBoolean(value: Json, { report, location, variable, given }: BooleanReading): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  const shown = typeof value === 'string' ? quote(value) : (JSON.stringify(value, plainNumbers) ?? 'nothing');
  const advice = adviseBoolean(value);
  const args = {
    value: shown,
    advice: variable === undefined ? advice : `${advice ?? 'use true or false'} for ${variable}`,
  };
  const notes = given && [{ message: `parameter ${quote(variable ?? '')} is set here`, location: given }];
  const place = { location, ...(notes === undefined ? {} : { related: notes }) };
  report(packageProblems.create('patch-condition-not-boolean', args, place));
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

/** Enables everything that enabled patches require, recursively. */
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

/** One of two patches has to declare the conflict. */
function findExclusions(
  reasons: ReadonlyMap<PackagePatch, EnabledPatch['reason']>,
  conflicts: Links['conflicts'],
  report: Report,
): ReadonlyMap<PackagePatch, PackagePatch> {
  const found = new Map<PackagePatch, PackagePatch>();
  const reported = new Map<PackagePatch, ReadonlySet<PackagePatch>>();
  for (const [patch, others] of conflicts) {
    for (const other of others) {
      const isTold = reported.get(other)?.has(patch) === true || reported.get(patch)?.has(other) === true;
      if (!reasons.has(patch) || !reasons.has(other) || isTold) continue;
      reported.set(patch, new Set([...(reported.get(patch) ?? []), other]));
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

/**
 * Apply order: by identity, but each patch after those it requires. Patches of the local extension come after those of the
 * package.
 */
function orderPatches(
  patches: readonly PackagePatch[],
  requires: ReadonlyMap<PackagePatch, readonly PackagePatch[]>,
): readonly PackagePatch[] {
  const waiting = patches.toSorted(compare);
  const placed = new Set<PackagePatch>();
  const isReady = (patch: PackagePatch): boolean =>
    (requires.get(patch) ?? []).every((one) => placed.has(one) || !waiting.includes(one));
  while (waiting.length > 0) {
    // In a cycle, which is reported elsewhere, no patch is ever ready.
    const at = Math.max(0, waiting.findIndex(isReady));
    placed.add(waiting.splice(at, 1)[0]!);
  }
  return [...placed];
}

function compare(a: PackagePatch, b: PackagePatch): number {
  if (a.owner !== b.owner) return a.owner === 'package' ? -1 : 1;
  return comparePaths(a.id, b.id);
}

export interface ResolveRequest {
  readonly report: Report;
  /** Maximum chain of references. */
  readonly maxDepth?: number | undefined;
  readonly budget?: Budget | undefined;
}

/** Merges and resolves all layers; `undefined` after an error. All problems are reported. */
export function resolvePackageParameters(
  { layers: own }: PatchPackage,
  given: readonly ParameterLayer[],
  { report, maxDepth, budget }: ResolveRequest,
): PackageParameters | undefined {
  const layers = [...own, ...given.map(keepVersionTexts)];
  let failed = false;
  const reportFinding = (diagnostic: Diagnostic): void => {
    failed ||= diagnostic.severity === 'error';
    report(diagnostic);
  };
  for (const layer of layers.slice(1)) reportIdentity(layer, layers[0]!, reportFinding);
  const merged = mergeLayers(layers, reportFinding);
  const locate = (path: readonly (string | number)[]) => findParameterOrigin(layers, path)?.location;
  const writtenAt = writtenParameters(merged, layers);
  const resolving = { report: reportFinding, locate, maxDepth, writtenAt, budget };
  const values = reportExhaustion(() => resolveParameters(merged, resolving), reportFinding);
  return failed || values === undefined ? undefined : { layers, merged, values, writtenAt };
}

/** The identity of a package must not depend on its user. */
function reportIdentity(layer: ParameterLayer, base: ParameterLayer, report: Report): void {
  const [kurel, original] = [layer.data['kurel'], base.data['kurel']];
  if (!isJsonObject(kurel) || !isJsonObject(original)) return;
  for (const field of ['name', 'version']) {
    if (!Object.hasOwn(kurel, field) || kurel[field] === original[field]) continue;
    const location = findParameterOrigin([layer], ['kurel', field])?.location;
    report(packageProblems.create('package-identity-changed', { field: `kurel.${field}` }, { location }));
  }
}
