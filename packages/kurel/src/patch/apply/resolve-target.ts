import { spend } from '../../budget/index.ts';
import { nearest } from '../../diagnostics/index.ts';
import { groupNamed, locateObject, readObjectName } from '../../kube/index.ts';
import type { ObjectReading } from '../../kube/index.ts';
import type { Location } from '../../model/index.ts';
import type { Template } from '../../parameters/index.ts';
import type { HeaderTarget, Target } from '../patch.ts';
import { describeSteps } from './format-path.ts';
import type { PatchRun } from './patch-run.ts';
import type { PlainStep } from './prepare-field.ts';
import { applyProblems } from './problems.ts';
import type { TargetIndex } from './target-index.ts';

/** The objects that a patch applies to. */
export interface Resolved {
  readonly indexes: readonly number[];
  /** Number of leading path steps that are part of the name. */
  readonly consumed: number;
  /** Whether a wildcard matched them: then some of them may lack the selected item. */
  readonly isPattern?: boolean;
  /** Whether the wildcard covers every kind: then only kinds that have the field count. */
  readonly isAnyKind?: boolean;
}

/** `isAbsenceMeant`: the patch disables the object, so a missing one is reported only if the name looks mistyped. */
type TargetContext = PatchRun & { readonly isAbsenceMeant?: boolean };

/** Resolves a target; reports it if no object or more than one matches. */
export function resolveTarget(
  target: Extract<Target, { readonly type: 'header' | 'text' }>,
  steps: readonly PlainStep[],
  context: TargetContext,
): Resolved | undefined {
  return target.type === 'header' ? resolveHeader(target, steps, context) : resolveText(target, context);
}

function resolveHeader(
  target: HeaderTarget,
  steps: readonly PlainStep[],
  context: TargetContext,
): Resolved | undefined {
  const { index, substitution } = context;
  const { location } = target;
  const fill = (template: Template): string | undefined => substitution.fillText(template, () => location);
  const namespace = target.namespace && fill(target.namespace);
  const kind = fill(target.kind);
  const name = fill(target.name);
  const group = target.group && fill(target.group);
  if (kind === undefined || name === undefined) return undefined;
  if ((target.namespace && namespace === undefined) || (target.group && group === undefined)) return undefined;
  const groups = group === undefined ? undefined : new Set([groupNamed(group)]);
  const kindText = `${namespace === undefined ? '' : `${namespace}/`}${kind}`;
  const text = group === undefined ? `${kindText}.${name}` : `${kindText}@${group}/${name}`;
  // Only literal stars are wildcards, not those in the value of a reference.
  const isPattern = !target.quoted && /[*?]/.test(target.name.text);
  if (isPattern || kind === '*') {
    // Comparing a name costs much less than a change, but there may be many objects.
    if (name !== '*') spend(context.budget, 'changes', index.size / namesOfChange, () => location);
    const indexes = index.byPattern({ namespace, kind, groups, name, isExact: !isPattern });
    if (indexes.length === 0) reportNoMatch(target, { text, kind, context });
    return { indexes, consumed: 0, isPattern: true, isAnyKind: kind === '*' };
  }
  const indexes = index.byKindAndName({ namespace, kind, groups, name });
  if (indexes.length > 0) return single(indexes, { text, target, location, context });
  const dotted = target.quoted ? undefined : findDotted({ namespace, kind, groups, name }, steps, index);
  if (dotted === undefined) return reportMissing(target, text, context);
  return single(dotted.indexes, { text: dotted.text, target, location, context }, dotted.consumed);
}

const namesOfChange = 8;

/** Names may contain dots: the longest existing name wins. */
function findDotted(
  query: ObjectReading,
  steps: readonly PlainStep[],
  index: TargetIndex,
): (Resolved & { readonly text: string }) | undefined {
  const names: string[] = [];
  for (const step of steps) {
    if (step.type !== 'field' || step.quoted) break;
    names.push(step.name);
  }
  for (let consumed = names.length; consumed > 0; consumed -= 1) {
    const name = [query.name, ...names.slice(0, consumed)].join('.');
    const indexes = index.byKindAndName({ ...query, name });
    if (indexes.length > 0) return { indexes, consumed, text: `${query.kind}.${name}` };
  }
  return undefined;
}

function resolveText(target: Extract<Target, { readonly type: 'text' }>, context: TargetContext): Resolved | undefined {
  const { index, substitution } = context;
  const { location } = target;
  const text = substitution.fillText(target.text, () => location);
  if (text === undefined) return undefined;
  const naming = { text, target, location, context };
  for (const reading of readObjectName(text)) {
    const indexes = index.byKindAndName(reading);
    if (indexes.length > 0) return single(indexes, naming);
  }
  const indexes = index.byName(text);
  return indexes.length > 0 ? single(indexes, naming) : reportMissing(target, text, context);
}

interface Naming {
  readonly text: string;
  readonly target: Target;
  readonly location: Location;
  readonly context: TargetContext;
}

/** Never guesses between several objects with the same name. */
function single(
  indexes: readonly number[],
  { text, target, location, context }: Naming,
  consumed = 0,
): Resolved | undefined {
  if (indexes.length === 1) return { indexes, consumed };
  const { index, report, reported, objects, options } = context;
  if (reported.has(target) && target.type !== 'derived') return undefined;
  reported.add(target);
  const keys = index.keys();
  const candidates = indexes.map((position) => keys[position]!);
  const isGrouped = new Set(indexes.map((position) => index.keyOf(position))).size < indexes.length;
  const isNamespaced = candidates.some((key) => key.includes('/'));
  const advice =
    new Set(candidates).size < candidates.length
      ? undefined
      : isGrouped
        ? 'use kind@group/name'
        : isNamespaced
          ? 'use namespace/kind.name'
          : 'use kind.name';
  // Only their location distinguishes objects with the same name.
  const related =
    advice !== undefined || options.origins === undefined
      ? []
      : indexes.flatMap((position) => locateObject(objects[position]!, options.origins!, ['metadata', 'name']) ?? []);
  const notes = related.map((place) => ({ message: 'one of them is here', location: place }));
  const args = { target: text, candidates, advice };
  report(
    applyProblems.create('target-ambiguous', args, { location, ...(notes.length === 0 ? {} : { related: notes }) }),
  );
  return undefined;
}

function reportMissing(
  target: Extract<Target, { readonly type: 'header' | 'text' }>,
  text: string,
  { index, report, options, reported, limit, isAbsenceMeant = false }: TargetContext,
): undefined {
  if (reported.has(target)) return;
  const severity = options.missingTarget ?? 'warning';
  const keys = index.keys();
  const lower = text.toLowerCase();
  // Searching all names is slow, and the finding would not be shown.
  const near = limit.isFull('patch-target-not-found', severity)
    ? undefined
    : (findByKubectlName(text, index) ??
      nearest(lower, keys) ??
      nearest(
        lower,
        keys.map((key) => key.slice(key.indexOf('/') + 1)),
      ));
  if (isAbsenceMeant && near === undefined) return;
  reported.add(target);
  const { location } = target;
  report(
    applyProblems.create('patch-target-not-found', { target: text, near, available: keys }, { location, severity }),
  );
}

/** Translates a header in kubectl style to `deployment@apps/web`. */
function findByKubectlName(text: string, index: TargetIndex): string | undefined {
  const [, kind, group, name] = /^([^./@]+)\.([^/@]+)\/([^/]+)$/.exec(text) ?? [];
  if (kind === undefined || group === undefined || name === undefined) return undefined;
  const indexes = index.byKindAndName({ kind, groups: new Set([group]), name });
  return indexes.length === 0 ? undefined : `${kind}@${group}/${name}`;
}

function reportNoMatch(
  target: HeaderTarget,
  { text, kind, context }: { readonly text: string; readonly kind: string; readonly context: TargetContext },
): void {
  const { index, report, reported, isAbsenceMeant = false } = context;
  if (isAbsenceMeant || reported.has(target)) return;
  reported.add(target);
  const isKnown = kind === '*' || index.hasKind(kind);
  const reason = isKnown ? 'no object has a matching name' : `no object of kind ${kind} exists`;
  const args = { what: text, reason };
  report(applyProblems.create('patch-no-match', args, { location: target.location }));
}

interface Derivation {
  readonly target: Target;
  readonly location: Location;
  readonly context: TargetContext;
  /** Whether the object currently has the field at the path. */
  readonly exists: (index: number) => boolean;
}

/** Finds the object for a path without a target: the one named at the start of the path, or the only one that has the path. */
export function deriveTarget(steps: readonly PlainStep[], derivation: Derivation): Resolved | undefined {
  const { context, exists, location, target } = derivation;
  const { index, report } = context;
  const named = findNamed(steps, derivation);
  if (named !== undefined) return named.indexes.length === 0 ? undefined : named;
  const text = describeSteps(steps);
  spend(context.budget, 'changes', index.size / objectsOfChange, () => location);
  const indexes = Array.from({ length: index.size }, (_, position) => position).filter(exists);
  if (indexes.length > 0) return single(indexes, { text, target, location, context });
  report(applyProblems.create('target-undetermined', { key: text, available: index.keys() }, { location }));
  return undefined;
}

/** Searching this many objects for a path costs as much of the budget as one change. */
const objectsOfChange = 2;

/** Returns no indexes if the name matches several objects, which is reported. */
function findNamed(steps: readonly PlainStep[], { target, location, context }: Derivation): Resolved | undefined {
  const names: string[] = [];
  for (const step of steps) {
    if (step.type !== 'field') break;
    names.push(step.name);
  }
  const { index } = context;
  const [first = ''] = names;
  const slash = first.indexOf('/');
  const namespace = slash > 0 ? first.slice(0, slash) : undefined;
  const kind = slash > 0 ? first.slice(slash + 1) : first;
  const isGrouped = first.includes('@');
  for (let count = Math.min(names.length, steps.length - 1); count >= (isGrouped ? 1 : 2); count -= 1) {
    const text = names.slice(0, count).join('.');
    const [reading] = isGrouped ? readObjectName(text) : [{ namespace, kind, name: names.slice(1, count).join('.') }];
    const indexes = reading === undefined ? [] : index.byKindAndName(reading);
    if (indexes.length === 0) continue;
    return single(indexes, { text, target, location, context }, count) ?? ambiguous;
  }
  if (steps.length < 2) return undefined;
  const byName = index.byNameInAnyCase(first);
  if (byName.length === 0) return undefined;
  return single(byName, { text: first, target, location, context }, 1) ?? ambiguous;
}

const ambiguous: Resolved = { indexes: [], consumed: 0 };
