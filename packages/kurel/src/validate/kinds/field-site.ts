import { describeValue, quote } from '../../diagnostics/index.ts';
import { has, textAt } from '../../kube/index.ts';
import type { PodSite } from '../../kube/index.ts';
import { isNumber } from '../../model/index.ts';
import type { Budget, GroupVersionKind, Json, JsonObject, KubeObject, Path, Values } from '../../model/index.ts';
import { fieldName, findBroken, formatPath, int32, notAllowed } from '../../schema/index.ts';
import type { Relation } from '../../schema/index.ts';
import { firstHere } from '../findings.ts';
import type { Finding, FindingPlace, ObjectFindings, ProblemCode } from '../findings.ts';
import type { NameArgs, NameRule } from './problems.ts';

/** The input of the checks of a kind. */
export interface KindCheck {
  readonly object: KubeObject;
  readonly gvk: GroupVersionKind;
  /** The pods that the object is or creates. */
  readonly pod: PodSite | undefined;
  readonly findings: ObjectFindings;
  /** Of the run; compiling patterns spends it. */
  readonly budget: Budget;
  /** The minor version: 37 for Kubernetes 1.37. */
  readonly minor: number;
  /** The parameters of the package that the object comes from. */
  readonly parameters?: Values | undefined;
}

/** A value of the object. */
export interface FieldSite extends KindCheck {
  readonly value: Json;
  readonly path: Path;
}

/** Where findings are reported. Their paths are relative to it. */
export type Site = Pick<FieldSite, 'object' | 'findings' | 'path'>;

/** A site below another. */
export function below({ object, findings, path }: Site, ...steps: Path): Site {
  return { object, findings, path: [...path, ...steps] };
}

/** Reports a finding below a site. */
export function report<Code extends ProblemCode>(
  { object, findings, path }: Site,
  steps: Path,
  finding: Finding<Code>,
  place?: Omit<FindingPlace, 'path'>,
): void {
  findings.add(object, { ...place, path: [...path, ...steps] }, finding);
}

interface Refusal extends Omit<FindingPlace, 'path'> {
  readonly code?: 'field-enum' | 'field-format' | 'field-range' | 'field-type';
  /** Defaults to the last steps of the path. */
  readonly field?: string;
  /** The text after the field: `must be at least 1`. */
  readonly demand: string;
  /** The value as the message shows it. */
  readonly got?: string | undefined;
  readonly advice?: string;
}

/** Reports a value that is not allowed. */
export function refuse(site: Site, steps: Path, refusal: Refusal): void {
  const { code = 'field-enum', field = fieldAt(site, steps), demand, got, advice, ...place } = refusal;
  report(site, steps, [code, { field, demand, found: got, advice }], place);
}

/** Reports a field that may not be set. */
export function forbid(site: Site, field: string, demand: string): void {
  refuse(site, [field], { demand, at: 'key' });
}

function fieldAt({ path }: Site, steps: Path): string {
  return fieldName([...path, ...steps]);
}

interface Word {
  /** The user's string, which may be a typo of an allowed one. */
  readonly text?: string;
  /** The value as the message shows it; defaults to the string in quotes. */
  readonly got?: string;
  readonly allowed: readonly string[];
  readonly field?: string;
}

/** Reports a string that is not one of the allowed ones. */
export function refuseWord(site: Site, steps: Path, { text, got = quote(text!), allowed, field }: Word): void {
  const args = notAllowed({ field: field ?? fieldAt(site, steps), found: got, allowed, word: text });
  report(site, steps, ['field-enum', args]);
}

interface Missing {
  /** The end of the hint `add "name", …`. */
  readonly expected: string | undefined;
  /** Defaults to the path of the site. */
  readonly holder?: string;
}

/** Reports a field that is missing. */
export function demandField(site: Site, steps: Path, { expected, holder = formatPath(site.path) }: Missing): void {
  const name = steps.join('.');
  const advice = expected === undefined ? undefined : `add ${quote(name)}, ${expected}`;
  report(site, steps, ['field-required', { noun: 'field', name, holder, advice }]);
}

/** Reports an invalid name. */
export function refuseName(site: Site, steps: Path, { at, ...name }: NameArgs & Pick<FindingPlace, 'at'>): void {
  report(site, steps, ['name-invalid', name], { at });
}

/** Checks the name in a field of an object. An empty one counts as missing. */
export function checkName(
  site: FieldSite,
  field: string,
  { what = field, rule }: { readonly what?: string; readonly rule: NameRule },
): void {
  const text = textAt(site.value, field);
  const reason = text === undefined || text === '' ? undefined : rule(text);
  if (reason !== undefined) refuseName(site, [field], { what, text: text!, reason, rule });
}

interface Related extends Pick<FindingPlace, 'at'> {
  readonly fields: readonly string[];
  /** The object as messages name it. Defaults to the last steps of the path. */
  readonly holder?: string | undefined;
  readonly advice?: string;
}

interface Choice extends Pick<Related, 'fields' | 'at'> {
  readonly isOptional?: boolean;
}

/** Checks an object in which only one of several fields may be set. */
export function checkChoice(site: Site, value: JsonObject, { fields, isOptional, at = 'key' }: Choice): void {
  let count = 0;
  for (const name of fields) if (has(value, name)) count += 1;
  if (count === 1 || (count === 0 && isOptional === true)) return;
  const relations: readonly Relation[] = [{ exclusive: fields }, ...(isOptional === true ? [] : [{ anyOf: fields }])];
  for (const relation of relations) {
    const broken = findBroken(relation, { holder: () => holderOf(site), isSet: (name) => has(value, name) });
    for (const { finding, field } of broken) {
      report(site, field === undefined ? [] : [field], finding, { at: field === undefined ? at : 'key' });
    }
  }
}

/** Checks an object in which each type has a field of its own. */
export function checkUnion(
  site: FieldSite,
  by: string,
  fields: Readonly<Record<string, string | undefined>>,
  missing?: Missing,
): void {
  const type = textAt(site.value, by) ?? '';
  if (!Object.hasOwn(fields, type)) return;
  for (const [name, field] of Object.entries(fields)) {
    if (field === undefined || has(site.value, field) === (name === type)) continue;
    if (name !== type) forbid(site, field, `may not be set when ${by} is ${type}`);
    // A priority level that is exempt needs no settings.
    else if (name !== 'Exempt') demandField(site, [field], missing ?? { expected: `required when ${by} is ${type}` });
  }
}

/** Reports an object without any of several fields. */
export function refuseNone(site: Site, { fields, holder = holderOf(site), advice, at = 'key' }: Related): void {
  report(site, [], ['field-choice-missing', { holder, fields, advice }], { at });
}

/** Reports fields that exclude each other. */
export function refuseTogether(
  site: Site,
  steps: Path,
  { fields, holder = holderOf(site), advice }: Omit<Related, 'at'>,
): void {
  report(site, steps, ['fields-exclusive', { holder, fields, advice }], { at: 'key' });
}

/** Checks that exactly one of two fields is set. */
export function checkEither(site: Site, fields: readonly [string, string], isSet: readonly [boolean, boolean]): void {
  if (isSet[0] !== isSet[1]) return;
  if (isSet[0]) refuseTogether(site, [], { fields });
  else refuseNone(site, { fields });
}

function holderOf({ object, path }: Site): string {
  return path.length === 0 ? object.kind : `"${fieldName(path)}"`;
}

interface Duplicate extends Omit<FindingPlace, 'path' | 'related'> {
  /** The place of the first one. */
  readonly first: Path;
  readonly list: string;
  readonly what: string;
  readonly advice?: string;
}

/** Reports the second of two values that must differ. */
export function refuseDuplicate(site: Site, steps: Path, { first, list, what, advice, ...place }: Duplicate): void {
  const related = firstHere(site.object, [...site.path, ...first]);
  const args = { list, what, ...(advice === undefined ? {} : { advice }) };
  report(site, steps, ['list-duplicate', args], { ...place, related });
}

interface Use extends Omit<Duplicate, 'first' | 'list'> {
  /** Of two with the same part, the second is reported elsewhere. */
  readonly part?: unknown;
}

/** Returns a function that reports all places with the same key but the first. */
export function createUniqueness(site: Site, list: string): (key: string, steps: Path, use: Use) => void {
  // Most lists have no such key.
  let seen: Map<string, { readonly steps: Path; readonly part: unknown }> | undefined;
  return (key, steps, use) => {
    const first = seen?.get(key);
    if (first === undefined) (seen ??= new Map()).set(key, { steps, part: use.part });
    else if (use.part === undefined || use.part !== first.part) {
      const { part: _, ...duplicate } = use;
      refuseDuplicate(site, steps, { ...duplicate, first: first.steps, list });
    }
  };
}

export interface Range {
  readonly least: number;
  readonly most?: number;
  /** The field is an int64; others are int32. */
  readonly isLong?: boolean;
}

export const portRange: Range = { least: 1, most: 65_535 };

/** A port where 0 counts as not set. */
export const optionalPort: Range = { least: 0, most: 65_535 };

/** Checks numbers whose limits Kubernetes has in code and not in its schemas. */
export function checkRange(site: Site, value: Json | undefined, range: Range): void {
  if (value === undefined || !isOutside(value, range)) return;
  const { least, most } = range;
  const demand = most === undefined ? `must be at least ${least}` : `must be between ${least} and ${most}`;
  refuse(site, [], { code: 'field-range', demand, got: describeValue(value) });
}

/** Whether a number is beyond its limits. */
export function isOutside(value: Json, { least, most = Number.POSITIVE_INFINITY, isLong = false }: Range): boolean {
  if (!isNumber(value) || (value >= least && value <= most)) return false;
  // The schema check reports fractions and numbers that an int32 cannot hold.
  if (typeof value === 'number' && !Number.isInteger(value)) return false;
  return isLong || int32.fits(value);
}
