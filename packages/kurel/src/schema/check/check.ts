import { BudgetExhausted, spend } from '../../budget/index.ts';
import { describeValue, didYouMean, nearest, quote } from '../../diagnostics/index.ts';
import { isJsonArray } from '../../model/index.ts';
import type { Budget, Json, JsonArray, JsonObject, Location, Message, Path, Subject } from '../../model/index.ts';
import type { SchemaNode } from '../schema-node.ts';
import { adviseType, describeEmpty, describeTypes } from './advice.ts';
import { checkRelations } from './check-relations.ts';
import type { Complaint } from './constraints.ts';
import { createDefaultFiller } from './defaults.ts';
import { checkDuplicates } from './duplicates.ts';
import { findElsewhere, findFree } from './elsewhere.ts';
import { int32 } from './formats.ts';
import { checkLogic, isFitting } from './logic.ts';
import { listWords, mostMisspelt } from './names.ts';
import { fieldPlan, itemPlan, logicPlan, planOf, sorts } from './plan.ts';
import type { FieldPlan } from './plan.ts';
import type { Mismatch } from './problems.ts';
import { complain, countStep, nameField, nameHolder, TooComplex } from './walk.ts';
import type { CheckFinding, CheckSource, PendingRules, Walk } from './walk.ts';

export interface CheckOptions {
  readonly source: CheckSource;
  readonly budget: Budget;
  readonly report: (finding: CheckFinding) => void;
  /** Path of the value in its document. */
  readonly path?: Path | undefined;
  /** The location of a value, for when the budget runs out. */
  readonly locate?: ((path: Path) => Location | Subject | undefined) | undefined;
}

// Far beyond any real object; protects the stack against artificial ones.
const deepest = 500;

/** The one checker: reports every mismatch between a value and a schema, and returns the rules to evaluate on the valid parts. */
export function check(value: Json, schema: SchemaNode, options: CheckOptions): readonly PendingRules[] {
  const { source, budget, report, path = [] } = options;
  const { most } = source;
  const findings: CheckFinding[] | undefined = most && [];
  const root = planOf(schema);
  const walk: Walk = {
    source,
    root,
    start: path.length,
    path: [...path],
    report: findings === undefined ? report : (finding) => void findings.push(finding),
    budget,
    defaults: undefined,
    isBuiltIn: source.isBuiltIn === true,
    rules: [],
    misfits: undefined,
    constraining: 0,
    isLimited: most !== undefined,
    steps: most?.steps ?? 0,
    depth: 0,
    deepest: most?.depth ?? 0,
    check: checkValue,
  };
  try {
    checkValue(walk, root, value);
    findings?.forEach(report);
  } catch (error) {
    // The path still points to the current value.
    if (error instanceof BudgetExhausted) throw error.at(options.locate?.([...walk.path]));
    if (!(error instanceof TooComplex)) throw error;
    report({ finding: ['schema-too-complex', {}], path });
  }
  return walk.rules;
}

/** Whether a value is valid against a schema. */
export function fits(value: Json, schema: SchemaNode, { source, budget }: Omit<CheckOptions, 'report'>): boolean {
  let isFitting = true;
  const report = (): void => void (isFitting = false);
  check(value, schema, { source, budget, report });
  return isFitting;
}

function checkValue(walk: Walk, plan: FieldPlan, value: Json): void {
  if (walk.isLimited) {
    countStep(walk);
    if (walk.depth > walk.deepest) throw new TooComplex();
  }
  switch (typeof value) {
    case 'string':
      if (value === '' && plan.emptyIsAbsent) return;
      if ((plan.accepts & sorts.text) === 0) return refuseType(walk, plan, value);
      break;
    case 'number':
    case 'bigint':
      if ((plan.accepts & sorts.number) === 0 || !(plan.isWhole ? isWhole(value) : isFinite(value)))
        return refuseType(walk, plan, value);
      break;
    case 'boolean':
      if ((plan.accepts & sorts.flag) === 0) return refuseType(walk, plan, value);
      break;
    default:
      if (value === null) {
        if (!plan.takesNull) refuseType(walk, plan, value);
        else if (plan.nullIsValue) checkRest(walk, plan, value);
        return;
      }
      if ((plan.accepts & (isJsonArray(value) ? sorts.list : sorts.mapping)) === 0)
        return refuseType(walk, plan, value);
      walk.depth += 1;
      if (isJsonArray(value)) checkItems(walk, plan, value);
      else checkMapping(walk, plan, value);
      walk.depth -= 1;
  }
  // Kubernetes' own type for it has 32 bits, that of a CRD 64.
  if (plan.isIntOrString && walk.isBuiltIn && !int32.fits(value)) {
    refuse(walk, value, { code: 'field-range', demand: `must be ${int32.expected}`, found: describeValue(value) });
  }
  checkRest(walk, plan, value);
}

function checkRest(walk: Walk, plan: FieldPlan, value: Json): void {
  for (const constraint of plan.constraints) {
    const complaint = constraint(value, walk.budget);
    if (complaint !== undefined) refuse(walk, value, complaint);
  }
  if (plan.logic !== undefined) {
    walk.defaults ??= createDefaultFiller(walk.budget);
    checkLogic(walk, logicPlan(plan), walk.defaults(value, plan.node));
  }
  if (plan.rules !== undefined && walk.misfits === undefined) {
    walk.rules.push({ node: plan.node, rules: plan.rules, path: [...walk.path], value });
  }
}

function isWhole(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

function isFinite(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isFinite(value);
}

function refuse(walk: Walk, value: Json, { code, demand, found: shown, advice, rule }: Complaint): void {
  const field = nameField(walk);
  if (code === 'rule-not-checked') {
    const reason = 'the pattern is not a supported regular expression';
    return complain(walk, [code, { rule: demand, kind: field, reason }]);
  }
  const prescribed = rule === undefined ? undefined : walk.source.prescribe?.({ field, value, rule });
  complain(walk, [code, { field, demand, found: shown, written: writtenAs(walk, value), advice, prescribed }]);
}

/** A number or boolean as written, if it can be looked up; called only for findings that are kept. */
function writtenAs({ source, path }: Walk, value: Json): (() => string | undefined) | undefined {
  const { writtenAt } = source;
  const isPlain = typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
  if (!isPlain || writtenAt === undefined) return undefined;
  const place = [...path];
  return () => writtenAt(place, value);
}

function refuseType(walk: Walk, plan: FieldPlan, value: Json): void {
  const { node, constraints } = plan;
  const field = nameField(walk);
  if (node.type === 'none') return reportUnknown(walk, undefined);
  const { source, budget } = walk;
  const path = [...walk.path];
  const written = writtenAs(walk, value);
  const refuseBy = (candidate: Json): string | undefined => {
    const complaint = constraints.map((constraint) => constraint(candidate, budget)).find((each) => each !== undefined);
    return complaint === undefined ? undefined : complaint.demand.replace(/^must /, '');
  };
  const advice = (): Message | undefined => {
    const text = written?.() ?? (typeof value === 'object' ? '' : String(value));
    return source.adviseType?.(path, node, value) ?? adviseType(value, { node, written: text, refuse: refuseBy });
  };
  const mismatch: Mismatch = {
    field,
    demand: `must be ${describeTypes(node)}`,
    found: describeValue(value),
    written,
    advice,
    prescribed: source.prescribe?.({ field, value, types: node.types ?? [node.type] }),
  };
  complain(walk, ['field-type', mismatch]);
}

function checkItems(walk: Walk, plan: FieldPlan, list: JsonArray): void {
  if (isTooDeep(walk)) return;
  const items = itemPlan(plan);
  const { firstItems } = plan;
  if (items !== undefined || firstItems !== undefined) {
    for (let index = 0; index < list.length; index += 1) {
      const item = list[index]!;
      const itsPlan = firstItems === undefined ? items : itemPlan(plan, index);
      if (itsPlan === undefined) continue;
      walk.path.push(index);
      if (item === null && itsPlan.nullIsAbsent) checkNullItem(walk, itsPlan);
      else checkValue(walk, itsPlan, item);
      walk.path.pop();
    }
  }
  if (list.length > 1 && (plan.listKeys !== undefined || plan.isSet)) checkDuplicates(walk, plan, list);
}

/** An item cannot be absent, so Kubernetes' own types read null as an empty item. */
function checkNullItem(walk: Walk, { node, required }: FieldPlan): void {
  if (node.type === 'any') return;
  const isStrict = walk.source.refusesNullItems === true;
  const isRefused = isStrict || required.length > 0 || node.enum?.includes('') === false;
  const args = {
    field: nameField(walk),
    taken: isStrict ? undefined : describeEmpty(node.type),
    required: isStrict ? [] : required,
  };
  complain(walk, ['list-item-null', args], isRefused ? undefined : { severity: 'warning' });
}

function checkMapping(walk: Walk, plan: FieldPlan, mapping: JsonObject): void {
  if (isTooDeep(walk)) return;
  if (plan.required.length > 0) checkRequired(walk, plan, mapping);
  if (plan.relations !== undefined) checkRelations(walk, plan, mapping);
  const { keys } = plan;
  for (const name in mapping) {
    const field = fieldPlan(plan, name);
    const value = mapping[name]!;
    walk.path.push(name);
    if (keys !== undefined) checkKey(walk, planOf(keys), name);
    if (field === undefined) {
      if (isClosed(walk, plan)) reportUnknown(walk, plan);
    } else {
      // Kubernetes writes the status, so its deprecated fields are not the user's concern.
      if (field.deprecated !== undefined && value !== null && walk.path[0] !== 'status')
        noteDeprecated(walk, field.deprecated);
      // A null field counts as absent, and is missing if it is required.
      if (value !== null || (field.nullIsValue && !(plan.required.includes(name) && isNone(walk, field))))
        checkValue(walk, field, value);
      else if (field.nullIsEmpty) checkValue(walk, field, {});
    }
    walk.path.pop();
  }
}

/** Whether fields without a schema are unknown. */
function isClosed({ constraining, isBuiltIn }: Walk, plan: FieldPlan): boolean {
  // Kubernetes' own types without named fields accept anything; in a CRD such an object is pruned.
  return plan.isClosed && constraining === 0 && !(isBuiltIn && plan.node.propertyNames.length === 0);
}

function checkRequired(walk: Walk, plan: FieldPlan, mapping: JsonObject): void {
  if (plan.required.length > fewRequired) {
    spend(walk.budget, 'patternSteps', plan.required.length * stepsOfField);
    walk.steps -= plan.required.length / stepsOfField;
  }
  let missing: string[] | undefined;
  for (const name of plan.required) {
    if (isMissing(walk, plan, mapping[name], name)) (missing ??= []).push(name);
  }
  if (missing !== undefined) requireFields(walk, plan, mapping, missing);
}

// Reporting a missing field takes some time, and a schema may require thousands in each of thousands of items.
const fewRequired = 32;
const stepsOfField = 32;

function isMissing(walk: Walk, plan: FieldPlan, value: unknown, name: string): boolean {
  if (value === null) {
    const field = fieldPlan(plan, name);
    return field === undefined ? !plan.nullIsValue : isNone(walk, field);
  }
  // The names of prototype members yield functions or the prototype itself.
  return value === undefined || typeof value === 'function' || value === Object.prototype;
}

/** Whether null is not a value of the field. */
function isNone(walk: Walk, field: FieldPlan): boolean {
  if (!field.nullIsValue || !field.takesNull) return true;
  return field.logic !== undefined && !isFitting(walk, field, null);
}

/** Keys have a schema if the user chooses them, as with labels. */
function checkKey(walk: Walk, plan: FieldPlan, name: string): void {
  const outer = walk.misfits;
  walk.misfits = [];
  checkValue(walk, plan, name);
  const { misfits } = walk;
  walk.misfits = outer;
  for (const { finding } of misfits) {
    const [code, args] = finding;
    const isMismatch = code === 'field-format' || code === 'field-range' || code === 'field-enum';
    const mismatch = { ...(args as Mismatch), field: `key ${quote(name)}`, found: undefined, prescribed: undefined };
    complain(walk, isMismatch ? [code, mismatch] : finding, { at: 'key' });
  }
}

function reportUnknown(walk: Walk, plan: FieldPlan | undefined): void {
  const name = String(walk.path.at(-1));
  const { root, source, start } = walk;
  const names = plan?.node.propertyNames ?? [];
  const holder = walk.path.slice(start, -1);
  const prefix = walk.path.slice(0, start);
  const { instead = {} } = plan?.node ?? {};
  const args =
    source.namePath === undefined
      ? {
          name,
          known: names,
          advice: Object.hasOwn(instead, name) ? instead[name] : undefined,
          listing: plan?.node.listing,
          elsewhere: () => findElsewhere(root, { holder, name, prefix, whole: source.whole }),
          free: () => findFree(plan, [...prefix, ...holder]),
        }
      : { name: source.namePath(walk.path), known: undefined, advice: adviseNear(source.namePath, walk.path, names) };
  complain(walk, ['field-unknown', { noun: source.noun, holder: nameHolder(walk, 1), ...args }], { at: 'key' });
}

/** Suggests the nearest name as a full path. */
function adviseNear(namePath: (path: Path) => string, path: Path, names: readonly string[]): string | undefined {
  return didYouMean(nearest(String(path.at(-1)), names), (near) => namePath([...path.slice(0, -1), near]));
}

function requireFields(walk: Walk, plan: FieldPlan, mapping: JsonObject, missing: readonly string[]): void {
  const { source } = walk;
  const holder = nameHolder(walk, 0);
  const others = findUndescribed(plan, mapping);
  // A misspelled key is already reported as unknown, which is enough.
  const misspelled = isClosed(walk, plan) ? findMeant(walk, plan, others) : undefined;
  for (const name of missing) {
    if (misspelled?.has(name) === true) continue;
    walk.path.push(name);
    const path = [...walk.path];
    const advice = (): Message | undefined => {
      const near = misspelled === undefined ? nearest(name, others) : undefined;
      if (near !== undefined) return `rename ${quote(near)} to ${quote(name)}`;
      return source.adviseMissing?.(path) ?? adviseField(plan.node.property(name), name);
    };
    const title = source.namePath?.(walk.path) ?? name;
    complain(walk, ['field-required', { noun: source.noun, name: title, holder, advice }]);
    walk.path.pop();
  }
}

function findUndescribed(plan: FieldPlan, mapping: JsonObject): readonly string[] {
  const keys: string[] = [];
  for (const key in mapping) {
    if (keys.length === mostMisspelt) break;
    if (fieldPlan(plan, key) === undefined) keys.push(key);
  }
  return keys;
}

/** The fields that the unknown keys are typos of. */
function findMeant(
  { root, path, start, source }: Walk,
  plan: FieldPlan,
  unknown: readonly string[],
): ReadonlySet<string> {
  const [holder, prefix] = [path.slice(start), path.slice(0, start)];
  const meant = unknown.flatMap((name) => {
    const near = nearest(name, plan.node.propertyNames);
    const isElsewhere = findElsewhere(root, { holder, name, prefix, whole: source.whole }) !== undefined;
    return near === undefined || isElsewhere ? [] : [near];
  });
  return new Set(meant);
}

const fewWords = 2;

function adviseField(node: SchemaNode | undefined, name: string): string | undefined {
  if (node === undefined) return undefined;
  const words = (node.enum?.length ?? Number.POSITIVE_INFINITY) <= fewWords ? node.enum!.map(String) : undefined;
  const isTyped = node.type !== 'any' || node.types !== undefined;
  const expected =
    words === undefined ? (node.meaning ?? (isTyped ? describeTypes(node) : undefined)) : listWords(words, 'or');
  return expected === undefined ? undefined : `add "${name}", ${expected}`;
}

function noteDeprecated(walk: Walk, words: string): void {
  complain(walk, ['field-deprecated', { field: nameField(walk), words }], { at: 'key', severity: 'note' });
}

function isTooDeep(walk: Walk): boolean {
  if (walk.path.length < deepest || walk.isLimited) return false;
  complain(walk, ['object-too-deep', { limit: deepest }]);
  return true;
}
