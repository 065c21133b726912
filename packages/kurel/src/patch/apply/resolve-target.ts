import { spend } from '../../budget/index.ts';
import { nearest } from '../../diagnostics/index.ts';
import { formatWithGroup, groupNamed, gvkOf, nameOf, namespaceOf, readObjectName } from '../../kube/index.ts';
import type { ObjectReading } from '../../kube/index.ts';
import type { KubeObject } from '../../model/index.ts';
import type { Template } from '../../parameters/index.ts';
import type { HeaderTarget, Target } from '../patch.ts';
import { describeSteps } from './format-path.ts';
import type { PatchRun } from './patch-run.ts';
import type { PlainField, PlainStep } from './prepare-field.ts';
import { applyProblems } from './problems.ts';
import type { TargetIndex } from './target-index.ts';
import { describeReading, onlyReading, restInFull } from './target-readings.ts';
import type { Reading, Resolved } from './target-readings.ts';

/** `isAbsenceMeant`: the patch disables the object, so a missing one is reported only if the name looks mistyped. */
type TargetContext = PatchRun & { readonly isAbsenceMeant?: boolean };

type TextTarget = Extract<Target, { readonly type: 'text' }>;

/** Resolves a target; reports it if no object or more than one matches. */
export function resolveTarget(
  target: HeaderTarget | TextTarget,
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
  const readings = readHeaderName({ namespace, kind, groups, name }, target.quoted ? [] : steps, index);
  if (readings.length === 0) return reportMissing(target, text, context);
  const joined = readings.length === 1 ? [name, ...namesOf(steps).slice(0, readings[0]!.consumed)].join('.') : name;
  const prefix = text.slice(0, text.length - name.length);
  return onlyReading(readings, {
    text: readings.length === 1 ? `${prefix}${joined}` : `${prefix}${name}${afterName(steps)}`,
    target,
    location,
    context,
    explain(position, consumed, isAlone) {
      const object = context.objects[position]!;
      const start = isAlone ? prefix : fullPrefix(object);
      return explainHeader({ position, prefix: start, name: nameOf(object), rest: steps.slice(consumed) }, context);
    },
  });
}

const namesOfChange = 8;

/** A name may contain dots, so it may end at each of them. */
function readHeaderName(query: ObjectReading, steps: readonly PlainStep[], index: TargetIndex): readonly Reading[] {
  const readings: Reading[] = [];
  let { name } = query;
  for (const [consumed, next] of [...namesOf(steps), undefined].entries()) {
    if (name.length > index.maxNameLength) break;
    const indexes = index.byKindAndName({ ...query, name });
    if (indexes.length > 0) readings.push({ indexes, consumed });
    name += `.${next}`;
  }
  return readings;
}

function namesOf(steps: readonly PlainStep[]): readonly string[] {
  const end = steps.findIndex((step) => step.type !== 'field' || step.quoted);
  return (end === -1 ? steps : steps.slice(0, end)).map((step) => (step as PlainField).name);
}

/** Distinguishes objects of the same name in several namespaces or API groups: `shop/secret@core/`. */
function fullPrefix(object: KubeObject): string {
  const namespace = namespaceOf(object);
  const group = gvkOf(object)?.group;
  return `${namespace === '' ? '' : `${namespace}/`}${object.kind.toLowerCase()}@${group === '' ? 'core' : group}/`;
}

interface HeaderReading {
  readonly position: number;
  /** `shop/secret.` */
  readonly prefix: string;
  readonly name: string;
  readonly rest: readonly PlainStep[];
}

function explainHeader({ position, prefix, name, rest }: HeaderReading, context: TargetContext) {
  const inside = afterName(restInFull(rest, position, context));
  return {
    meaning: describeReading(context.objects[position]!, rest),
    spelling: `[${prefix}${JSON.stringify(name)}${inside}]`,
  };
}

function afterName(steps: readonly PlainStep[]): string {
  const text = describeSteps(steps);
  return text === '' || text.startsWith('[') ? text : `.${text}`;
}

function resolveText(target: TextTarget, context: TargetContext): Resolved | undefined {
  const { index, substitution } = context;
  const { location } = target;
  const text = substitution.fillText(target.text, () => location);
  if (text === undefined) return undefined;
  const queries = readObjectName(text);
  if (hasWildcard(target.text)) return resolvePattern(target, { text, queries }, context);
  const named = [...queries.map((query) => index.byKindAndName(query)), index.byName(text)];
  const readings = named.filter((indexes) => indexes.length > 0).map((indexes) => ({ indexes, consumed: 0 }));
  if (readings.length === 0) return reportMissing(target, text, context);
  const explain = (position: number) => explainObject(context.objects[position]!);
  return onlyReading(readings, { text, target, location, context, explain });
}

/** The notation with the API group has only one reading. */
function explainObject(object: KubeObject) {
  return { meaning: describeReading(object, []), spelling: formatWithGroup(object) };
}

/** Only literal stars are wildcards, not those in the value of a reference. */
function hasWildcard({ parts }: Template): boolean {
  return parts.some((part) => typeof part === 'string' && /[*?]/.test(part));
}

interface Pattern {
  readonly text: string;
  readonly queries: readonly ObjectReading[];
}

/** A name without a kind, such as `web-*`, stands for objects of every kind. */
function resolvePattern(target: TextTarget, { text, queries }: Pattern, context: TargetContext): Resolved | undefined {
  const { index, budget, report } = context;
  const { location } = target;
  const isName = queries.length === 0 && !/[./@]/.test(text);
  const patterns: readonly ObjectReading[] = isName ? [{ kind: '*', name: text }] : queries;
  const misplaced = patterns.find((query) => misplacedWildcard(query) !== undefined);
  const usable = patterns.filter((query) => misplacedWildcard(query) === undefined);
  if (usable.length === 0 || misplaced?.namespace !== undefined) {
    const part = (misplaced && misplacedWildcard(misplaced)) ?? { part: 'name', word: '' };
    report(applyProblems.create('target-wildcard', { target: text, ...part }, { location }));
    return undefined;
  }
  const named = usable.map((query) => {
    if (query.name !== '*') spend(budget, 'changes', index.size / namesOfChange, () => location);
    return { query, indexes: index.byPattern(query) };
  });
  const matching = named.filter(({ indexes }) => indexes.length > 0);
  const [first, ...others] = matching;
  if (first === undefined) {
    reportNoMatch(target, { text, kind: usable[0]!.kind, context });
    return { indexes: [], consumed: 0, isPattern: true };
  }
  const { kind } = first.query;
  if (others.length === 0) return { indexes: first.indexes, consumed: 0, isPattern: true, isAnyKind: kind === '*' };
  const readings = matching.map(({ indexes }) => ({ indexes, consumed: 0 }));
  const explain = (position: number) => explainObject(context.objects[position]!);
  return onlyReading(readings, { text, target, location, context, explain });
}

/** Only names accept wildcards, and `*` stands for every kind. */
function misplacedWildcard({ namespace, kind, groups }: ObjectReading) {
  if (namespace !== undefined && /[*?]/.test(namespace)) return { part: 'namespace', word: namespace } as const;
  if (kind !== '*' && /[*?]/.test(kind)) return { part: 'kind', word: kind } as const;
  const group = [...(groups ?? [])].find((word) => /[*?]/.test(word));
  return group === undefined ? undefined : ({ part: 'API group', word: group } as const);
}

function reportMissing(
  target: HeaderTarget | TextTarget,
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
  target: HeaderTarget | TextTarget,
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
