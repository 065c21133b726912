import { countNoun, describeValue, quote } from '../../diagnostics/index.ts';
import { has } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonArray, JsonObject, Path } from '../../model/index.ts';
import { fieldName } from '../../schema/index.ts';
import {
  checkChoice,
  checkRange,
  demandField,
  forbid,
  isOutside,
  refuse,
  refuseDuplicate,
  refuseName,
  refuseWord,
} from './field-site.ts';
import type { FieldSite, KindCheck, Range, Site } from './field-site.ts';
import type { NameRule } from './problems.ts';

/** A rule that the API server has in code. Values of the wrong type are skipped, because the schema check reports them. */
export interface FieldRule {
  /** The field is required and must not be empty; the text is the end of the hint `add "name", …`. An object with `fields` may be empty. */
  readonly required?: string;
  /** Why a string is not a valid name. An empty string counts as missing, unless `emptyIsValue`. */
  readonly text?: NameRule;
  /** Why a string that is not a name is not valid: a path, an address, a time. */
  readonly format?: NameRule;
  /** What the message of `text` calls the field: `Secret name`. Defaults to the name of the field. */
  readonly what?: string;
  readonly emptyIsValue?: boolean;
  readonly words?: readonly string[];
  readonly range?: Range;
  /** Of objects: exactly one of these fields is set. */
  readonly oneOf?: readonly string[];
  /** Of objects: at most one of these fields is set. */
  readonly exclusive?: readonly string[];
  /** Of objects: fields that may not be set together with the values of others, with the demand if they are. */
  readonly refuses?: Readonly<Record<string, (holder: JsonObject, check: KindCheck) => string | false>>;
  /** The minor version from which on the API server reads the field; before, it drops it. */
  readonly since?: number;
  readonly fields?: Fields;
  readonly items?: FieldRule;
  /** Of lists: the largest number of items. */
  readonly most?: number;
  /** Of lists: the field that must be unique among the items; `''` for the whole item. */
  readonly unique?: string;
  /** Rules that the properties above cannot express. */
  readonly also?: (site: FieldSite) => void;
}

export type Fields = Readonly<Record<string, FieldRule>>;

/** The rule of an object with a rule for its spec. */
export function ofSpec(spec: FieldRule): FieldRule {
  return { fields: { spec } };
}

export interface RulePlace {
  readonly rule: FieldRule;
  readonly path: Path;
}

/** Checks a value and everything in it against its rules. */
export function checkFieldRules(check: KindCheck, value: Json | undefined, { rule, path }: RulePlace): void {
  if (value !== undefined && value !== null) checkValue({ check, path: [...path] }, planOf(rule), value);
}

/** One walk through a value. The path is one list that grows and shrinks, so that values without findings cost little. */
interface Walk {
  readonly check: KindCheck;
  readonly path: (string | number)[];
}

/** A rule in a form that is fast to read: rules have many object shapes, plans have one. */
interface Plan {
  readonly rule: FieldRule;
  /** The plans of the fields that were checked so far: an object has few of those that have rules. */
  readonly fields: Map<string, Plan>;
  readonly required: readonly string[];
  readonly items: Plan | undefined;
  readonly emptyIsValue: boolean;
  /** Whether strings need a check. */
  readonly hasText: boolean;
  readonly range: Range | undefined;
  readonly since: number;
  readonly hasChoice: boolean;
  readonly hasFields: boolean;
  readonly refuses: FieldRule['refuses'];
  readonly also: FieldRule['also'];
}

/** Rules are constants, so the map stays small. */
const plans = new Map<FieldRule, Plan>();

function planOf(rule: FieldRule): Plan {
  const earlier = plans.get(rule);
  if (earlier !== undefined) return earlier;
  const { fields, items, text, format, words, range, oneOf, exclusive, refuses, also } = rule;
  const entries = fields === undefined ? [] : Object.entries(fields);
  const plan: Plan = {
    rule,
    fields: new Map(),
    required: entries.flatMap(([name, field]) => (field.required === undefined ? [] : [name])),
    items: items === undefined ? undefined : planOf(items),
    emptyIsValue: rule.emptyIsValue === true,
    hasText: text !== undefined || format !== undefined || words !== undefined,
    range,
    since: rule.since ?? 0,
    hasChoice: oneOf !== undefined || exclusive !== undefined,
    hasFields: fields !== undefined,
    refuses,
    also,
  };
  plans.set(rule, plan);
  return plan;
}

function fieldPlan({ fields, rule }: Plan, name: string): Plan | undefined {
  const earlier = fields.get(name);
  if (earlier !== undefined) return earlier;
  if (!Object.hasOwn(rule.fields!, name)) return undefined;
  const plan = planOf(rule.fields![name]!);
  fields.set(name, plan);
  return plan;
}

function checkValue(walk: Walk, plan: Plan, value: Json): void {
  if (plan.since > walk.check.minor) return;
  if (typeof value === 'string') {
    if (plan.hasText && (value !== '' || plan.emptyIsValue)) checkText(walk, plan.rule, value);
  } else if (typeof value === 'number' || typeof value === 'bigint') {
    if (plan.range !== undefined && isOutside(value, plan.range)) checkRange(siteOf(walk), value, plan.range);
  } else if (isJsonArray(value)) checkList(walk, plan, value);
  else if (isJsonObject(value)) checkMapping(walk, plan, value);
  if (plan.also !== undefined) {
    const { object, gvk, pod, findings, budget, minor, parameters } = walk.check;
    plan.also({ object, gvk, pod, findings, budget, minor, parameters, value, path: walk.path.slice() });
  }
}

function siteOf({ check: { object, findings }, path }: Walk): Site {
  return { object, findings, path: path.slice() };
}

function checkMapping(walk: Walk, plan: Plan, value: JsonObject): void {
  if (plan.hasChoice) {
    const { oneOf, exclusive } = plan.rule;
    if (oneOf !== undefined) checkChoice(siteOf(walk), value, { fields: oneOf });
    if (exclusive !== undefined) checkChoice(siteOf(walk), value, { fields: exclusive, isOptional: true });
  }
  if (plan.hasFields) checkFields(walk, plan, value);
  if (plan.refuses !== undefined) checkRefused(walk, plan.refuses, value);
}

function checkRefused(walk: Walk, refuses: NonNullable<FieldRule['refuses']>, value: JsonObject): void {
  for (const name in refuses) {
    const demand = has(value, name) && refuses[name]!(value, walk.check);
    if (demand !== false) forbid(siteOf(walk), name, demand);
  }
}

function checkFields(walk: Walk, plan: Plan, value: JsonObject): void {
  // A value sets few of the fields that have rules, so looping over its own fields is faster.
  for (const name in value) {
    const field = fieldPlan(plan, name);
    const inner = value[name]!;
    if (field === undefined || inner === null) continue;
    walk.path.push(name);
    checkValue(walk, field, inner);
    walk.path.pop();
  }
  for (const name of plan.required) {
    const inner = Object.hasOwn(value, name) ? value[name] : undefined;
    const field = plan.rule.fields![name]!;
    if (isJsonArray(inner) && inner.length === 0)
      refuse(siteOf(walk), [name], { code: 'field-range', demand: 'must have at least 1 item', got: 'none' });
    else if (isMissing(inner, field)) {
      const holder = walk.path.length === 0 ? { holder: walk.check.object.kind } : {};
      demandField(siteOf(walk), [name], { expected: field.required, ...holder });
    }
  }
}

function isMissing(value: Json | undefined, { fields }: FieldRule): boolean {
  if (value === undefined || value === null || value === '') return true;
  return fields === undefined && isJsonObject(value) && Object.keys(value).length === 0;
}

function checkText(walk: Walk, rule: FieldRule, text: string): void {
  const reason = rule.text?.(text);
  if (reason !== undefined) {
    const what = rule.what ?? fieldName(walk.path);
    refuseName(siteOf(walk), [], { what, text, reason, ...(rule.text && { rule: rule.text }) });
  }
  const demand = rule.format?.(text);
  if (demand !== undefined) refuse(siteOf(walk), [], { code: 'field-format', demand, got: quote(text) });
  if (rule.words !== undefined && !rule.words.includes(text))
    refuseWord(siteOf(walk), [], { text, allowed: rule.words });
}

function checkList(walk: Walk, { rule, items }: Plan, list: JsonArray): void {
  const { most, unique } = rule;
  if (most !== undefined && list.length > most) {
    const demand = `must have at most ${countNoun(most, 'item')}`;
    refuse(siteOf(walk), [], { code: 'field-range', demand, got: String(list.length) });
  }
  if (items !== undefined) {
    for (let index = 0; index < list.length; index += 1) {
      const item = list[index]!;
      walk.path.push(index);
      if (item === null) checkNullItem(walk, items);
      else if (item === '' && items.rule.required !== undefined) refuseEmpty(walk);
      else checkValue(walk, items, item);
      walk.path.pop();
    }
  }
  if (unique !== undefined && list.length > 1) checkUnique(walk, list, unique);
}

/** The API server reads a null item as an empty one; the schema check may already have reported it. */
function checkNullItem(walk: Walk, plan: Plan): void {
  if (walk.check.findings.hasError(walk.check.object, walk.path)) return;
  if (plan.rule.fields !== undefined) checkValue(walk, plan, {});
  else if (plan.rule.required !== undefined) refuseEmpty(walk);
  else if (plan.emptyIsValue) checkValue(walk, plan, '');
}

function refuseEmpty(walk: Walk): void {
  refuse(siteOf(walk), [], { code: 'field-format', demand: 'must not be empty' });
}

function checkUnique(walk: Walk, list: JsonArray, unique: string): void {
  const seen = new Map<string, number>();
  list.forEach((item, index) => {
    const holder = item ?? {};
    const key = unique === '' ? item : isJsonObject(holder) ? (holder[unique] ?? '') : undefined;
    if (key === undefined || key === null || typeof key === 'object') return;
    const first = seen.get(String(key));
    if (first === undefined) seen.set(String(key), index);
    else {
      const steps = unique === '' ? [] : [unique];
      const what = [...steps, describeValue(key)].join(' ');
      const duplicate = { first: [first, ...steps], list: fieldName(walk.path), what };
      refuseDuplicate(siteOf(walk), [index, ...steps], duplicate);
    }
  });
}
