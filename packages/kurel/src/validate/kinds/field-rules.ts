import { describeValue, quote } from '../../diagnostics/index.ts';
import { presentOf } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonArray, JsonObject, Path } from '../../model/index.ts';
import { fieldName, formatPath, missingField, notAllowed } from '../../schema/index.ts';
import { checkRange, isOutside } from './read-amount.ts';
import type { KindCheck } from './kind-check.ts';
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
  readonly range?: { readonly least: number; readonly most?: number; readonly isLong?: boolean };
  /** Of objects: exactly one of these fields is set. */
  readonly oneOf?: readonly string[];
  /** Of objects: at most one of these fields is set. */
  readonly exclusive?: readonly string[];
  readonly fields?: Readonly<Record<string, FieldRule>>;
  readonly items?: FieldRule;
  /** Of lists: the largest number of items. */
  readonly most?: number;
  /** Of lists: the field that must be unique among the items; `''` for the whole item. */
  readonly unique?: string;
  /** Rules that the properties above cannot express. */
  readonly also?: (site: FieldSite) => void;
}

export interface FieldSite extends KindCheck {
  readonly value: Json;
  readonly path: Path;
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
  readonly range: FieldRule['range'];
  readonly hasChoice: boolean;
  readonly also: FieldRule['also'];
}

const plans = new WeakMap<FieldRule, Plan>();

function planOf(rule: FieldRule): Plan {
  const known = plans.get(rule);
  if (known !== undefined) return known;
  const { fields, items, text, format, words, range, oneOf, exclusive, also } = rule;
  const entries = fields === undefined ? [] : Object.entries(fields);
  const plan: Plan = {
    rule,
    fields: new Map(),
    required: entries.flatMap(([name, field]) => (field.required === undefined ? [] : [name])),
    items: items === undefined ? undefined : planOf(items),
    emptyIsValue: rule.emptyIsValue === true,
    hasText: text !== undefined || format !== undefined || words !== undefined,
    range,
    hasChoice: oneOf !== undefined || exclusive !== undefined,
    also,
  };
  plans.set(rule, plan);
  return plan;
}

function fieldPlan({ fields, rule }: Plan, name: string): Plan | undefined {
  const known = fields.get(name);
  if (known !== undefined) return known;
  if (!Object.hasOwn(rule.fields!, name)) return undefined;
  const plan = planOf(rule.fields![name]!);
  fields.set(name, plan);
  return plan;
}

function checkValue(walk: Walk, plan: Plan, value: Json): void {
  if (typeof value === 'string') {
    if (plan.hasText && (value !== '' || plan.emptyIsValue)) checkText(walk, plan.rule, value);
  } else if (typeof value === 'number' || typeof value === 'bigint') {
    if (plan.range !== undefined && isOutside(value, plan.range))
      checkRange(walk.check, value, { path: [...walk.path], ...plan.range });
  } else if (isJsonArray(value)) checkList(walk, plan, value);
  else if (isJsonObject(value)) checkMapping(walk, plan, value);
  if (plan.also !== undefined) {
    const { object, gvk, findings, budget, minor } = walk.check;
    plan.also({ object, gvk, findings, budget, minor, value, path: walk.path.slice() });
  }
}

function checkMapping(walk: Walk, plan: Plan, value: JsonObject): void {
  if (plan.hasChoice) checkChoices(walk, plan.rule, value);
  if (plan.rule.fields === undefined) return;
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
    const field = plan.rule.fields[name]!;
    const isEmptyList = isJsonArray(inner) && inner.length === 0;
    if (isEmptyList || isMissing(inner, field))
      reportMissing(walk.check, { name, field, isEmptyList, path: [...walk.path] });
  }
}

interface MissingField {
  readonly name: string;
  readonly field: FieldRule;
  readonly isEmptyList: boolean;
  readonly path: Path;
}

function reportMissing({ object, findings }: KindCheck, { name, field, isEmptyList, path }: MissingField): void {
  const place = { path: [...path, name] };
  if (isEmptyList) {
    const args = { field: name, demand: 'must have at least 1 item', found: 'none' };
    findings.add(object, place, ['field-range', args]);
    return;
  }
  const holder = path.length === 0 ? object.kind : formatPath(path);
  findings.add(object, place, ['field-required', missingField({ name, holder, expected: field.required })]);
}

function isMissing(value: Json | undefined, { fields }: FieldRule): boolean {
  if (value === undefined || value === null || value === '') return true;
  return fields === undefined && isJsonObject(value) && Object.keys(value).length === 0;
}

function checkText({ check: { object, findings }, path: live }: Walk, rule: FieldRule, text: string): void {
  const reason = rule.text?.(text);
  if (reason !== undefined) {
    const path = [...live];
    const what = rule.what ?? fieldName(path);
    findings.add(object, { path }, ['name-invalid', { what, text, reason, ...(rule.text && { rule: rule.text }) }]);
  }
  const demand = rule.format?.(text);
  if (demand !== undefined) {
    const path = [...live];
    findings.add(object, { path }, ['field-format', { field: fieldName(path), demand, found: quote(text) }]);
  }
  if (rule.words !== undefined && !rule.words.includes(text)) {
    const path = [...live];
    const args = notAllowed({ field: fieldName(path), found: quote(text), allowed: rule.words, word: text });
    findings.add(object, { path }, ['field-enum', args]);
  }
}

function checkList(walk: Walk, { rule, items }: Plan, list: JsonArray): void {
  const { object, findings } = walk.check;
  const { most, unique } = rule;
  if (most !== undefined && list.length > most) {
    const path = [...walk.path];
    const demand = `must have at most ${most} item${most === 1 ? '' : 's'}`;
    findings.add(object, { path }, ['field-range', { field: fieldName(path), demand, found: String(list.length) }]);
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
  if (unique !== undefined && list.length > 1) checkUnique(walk.check, list, { path: [...walk.path], unique });
}

/** The API server reads a null item as an empty one; the schema check may already have reported it. */
function checkNullItem(walk: Walk, plan: Plan): void {
  if (walk.check.findings.hasError(walk.check.object, walk.path)) return;
  if (plan.rule.fields !== undefined) checkValue(walk, plan, {});
  else if (plan.rule.required !== undefined) refuseEmpty(walk);
  else if (plan.emptyIsValue) checkValue(walk, plan, '');
}

function refuseEmpty({ check: { object, findings }, path: live }: Walk): void {
  const path = [...live];
  findings.add(object, { path }, ['field-format', { field: fieldName(path), demand: 'must not be empty' }]);
}

function checkUnique(
  { object, findings }: KindCheck,
  list: JsonArray,
  { path, unique }: { readonly path: Path; readonly unique: string },
): void {
  const seen = new Map<string, number>();
  list.forEach((item, index) => {
    const holder = item ?? {};
    const key = unique === '' ? item : isJsonObject(holder) ? (holder[unique] ?? '') : undefined;
    if (key === undefined || key === null || typeof key === 'object') return;
    const first = seen.get(String(key));
    if (first === undefined) seen.set(String(key), index);
    else {
      const steps = unique === '' ? [] : [unique];
      const related = [{ message: 'the first one is here', object, path: [...path, first, ...steps] }];
      const what = unique === '' ? describeValue(key) : `${unique} ${describeValue(key)}`;
      findings.add(object, { path: [...path, index, ...steps], related }, [
        'list-duplicate',
        { list: fieldName(path), what },
      ]);
    }
  });
}

function checkChoices(walk: Walk, { oneOf, exclusive }: FieldRule, value: JsonObject): void {
  if (oneOf !== undefined) checkChoice(walk, value, { fields: oneOf, isNeeded: true });
  if (exclusive !== undefined) checkChoice(walk, value, { fields: exclusive, isNeeded: false });
}

interface Choice {
  readonly fields: readonly string[];
  readonly isNeeded: boolean;
}

function checkChoice({ check, path: live }: Walk, value: JsonObject, { fields, isNeeded }: Choice): void {
  const { object, findings } = check;
  const present = presentOf(value, fields);
  if (present.length === 1 || (present.length === 0 && !isNeeded)) return;
  const path = [...live];
  const holder = path.length === 0 ? object.kind : `"${fieldName(path)}"`;
  if (present.length === 0) findings.add(object, { path, at: 'key' }, ['field-choice-missing', { holder, fields }]);
  else {
    const place = { path: [...path, present[1]!], at: 'key' } as const;
    findings.add(object, place, ['fields-exclusive', { holder, fields: present }]);
  }
}
