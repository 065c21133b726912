import { spend } from '../../budget/index.ts';
import type { Budget } from '../../model/index.ts';
import type { GoPattern, RuleTree } from '../../schema/index.ts';
import type { RuleEvaluator } from '../rule-evaluator.ts';
import { readPattern } from './read-pattern.ts';
import { isApplicable } from './rule-text.ts';
import { createCelConverter } from './to-cel-value.ts';

/** Thrown for a rule that only the evaluator for all rules can decide. */
export class RuleUndecided extends Error {}

/** Trees do not use durations. */
const duration = Symbol('duration');

/** Decides the rules of shipped schemas that hold, without loading the evaluator for all rules. */
export function createTreeRules(budget: Budget): RuleEvaluator {
  const count = (steps: number): void => spend(budget, 'ruleSteps', steps);
  const run: Evaluation = { spend: count, patterns: new Map() };
  const convert = createCelConverter({ spend: count, createDuration: () => duration });
  return {
    evaluate(rule, value, node) {
      if (!isApplicable(rule)) return { verdict: 'not-applicable' };
      if (rule.tree === undefined || !surelyHolds(rule.tree, convert(value, node), run)) throw new RuleUndecided();
      return { verdict: 'holds' };
    },
  };
}

/** Thrown where the evaluator for all rules has to decide, because a value is missing or has a type that the rule did not expect. */
class Undecided extends Error {}

/** What all rules of a run share. `spend` counts their steps. */
interface Evaluation {
  readonly spend: (steps: number) => void;
  readonly patterns: Map<string, GoPattern | undefined>;
}

type Scope = ReadonlyMap<string, unknown>;

/**
 * Whether a rule surely holds for a value that `createCelConverter` has converted. It never says that a rule fails: whatever it does not
 * know for certain, the evaluator for all rules decides, which takes longer to load than a small build takes.
 */
export function surelyHolds(tree: RuleTree, self: unknown, run: Evaluation): boolean {
  try {
    return evaluate(tree, new Map([['self', self]]), run) === true;
  } catch (error) {
    if (error instanceof Undecided) return false;
    throw error;
  }
}

const undecided = new Undecided();

function giveUp(): never {
  throw undecided;
}

function evaluate(tree: RuleTree, scope: Scope, run: Evaluation): unknown {
  run.spend(1);
  if (typeof tree === 'string') return scope.get(tree) ?? giveUp();
  if (typeof tree === 'number') return BigInt(tree);
  if (typeof tree === 'boolean') return tree;
  const operation = operations[tree[0] as string];
  return operation === undefined ? giveUp() : operation(tree as unknown as Operands, scope, run);
}

/** An operation has as many operands as it takes; the script that writes trees sees to that. */
type Operands = readonly [operator: string, first: RuleTree, second: RuleTree, third: RuleTree];
type Operation = (tree: Operands, scope: Scope, run: Evaluation) => unknown;

const operations: Readonly<Record<string, Operation>> = {
  text: ([, text]) => text,
  list: ([, ...items], scope, run) => items.map((item) => evaluate(item, scope, run)),
  '.': ([, of, name], scope, run) => readField(evaluate(of, scope, run), name as string),
  '[]': ([, of, at], scope, run) => readItem(evaluate(of, scope, run), evaluate(at, scope, run)),
  has: ([, of, name], scope, run) => Object.hasOwn(needObject(evaluate(of, scope, run)), name as string),
  '!': ([, operand], scope, run) => !needBoolean(evaluate(operand, scope, run)),
  '&&': ([, a, b], scope, run) => needBoolean(evaluate(a, scope, run)) && needBoolean(evaluate(b, scope, run)),
  '||': ([, a, b], scope, run) => needBoolean(evaluate(a, scope, run)) || needBoolean(evaluate(b, scope, run)),
  '?:': ([, condition, then, otherwise], scope, run) =>
    evaluate(needBoolean(evaluate(condition, scope, run)) ? then : otherwise, scope, run),
  '==': ([, a, b], scope, run) => isEqual(evaluate(a, scope, run), evaluate(b, scope, run), run),
  '!=': ([, a, b], scope, run) => !isEqual(evaluate(a, scope, run), evaluate(b, scope, run), run),
  '<': ([, a, b], scope, run) => needInteger(evaluate(a, scope, run)) < needInteger(evaluate(b, scope, run)),
  '<=': ([, a, b], scope, run) => needInteger(evaluate(a, scope, run)) <= needInteger(evaluate(b, scope, run)),
  '>': ([, a, b], scope, run) => needInteger(evaluate(a, scope, run)) > needInteger(evaluate(b, scope, run)),
  '>=': ([, a, b], scope, run) => needInteger(evaluate(a, scope, run)) >= needInteger(evaluate(b, scope, run)),
  '+': ([, a, b], scope, run) => add(evaluate(a, scope, run), evaluate(b, scope, run)),
  in: ([, a, b], scope, run) => isIn(evaluate(a, scope, run), evaluate(b, scope, run), run),
  size: ([, of], scope, run) => sizeOf(evaluate(of, scope, run)),
  contains: ([, of, part], scope, run) =>
    needText(evaluate(of, scope, run), run).includes(needText(evaluate(part, scope, run), run)),
  startsWith: ([, of, part], scope, run) =>
    needText(evaluate(of, scope, run), run).startsWith(needText(evaluate(part, scope, run), run)),
  endsWith: ([, of, part], scope, run) =>
    needText(evaluate(of, scope, run), run).endsWith(needText(evaluate(part, scope, run), run)),
  // A pattern that is not written in the rule may be invalid.
  matches: ([, of, pattern], scope, run) => {
    const text = needText(evaluate(of, scope, run), run);
    return Array.isArray(pattern) ? readPattern(pattern[1] as string, text, run).test(text) : giveUp();
  },
  all: (tree, scope, run) => testItems(tree, scope, run).every(needBoolean),
  exists: (tree, scope, run) => testItems(tree, scope, run).filter(needBoolean).length > 0,
  exists_one: (tree, scope, run) => testItems(tree, scope, run).filter(needBoolean).length === 1,
  filter(tree, scope, run) {
    const items = itemsOf(tree, scope, run);
    const tests = testItems(tree, scope, run);
    return items.filter((_, index) => needBoolean(tests[index]));
  },
};

/** The results of a macro's expression for each item: `['all', list, name, expression]`. */
function testItems(tree: Operands, scope: Scope, run: Evaluation): readonly unknown[] {
  const [, , name, expression] = tree;
  return itemsOf(tree, scope, run).map((item) =>
    evaluate(expression, new Map([...scope, [name as string, item ?? giveUp()]]), run),
  );
}

function itemsOf([, of]: Operands, scope: Scope, run: Evaluation): readonly unknown[] {
  const list = evaluate(of, scope, run);
  return Array.isArray(list) ? list : Object.keys(needObject(list));
}

function readField(value: unknown, name: string): unknown {
  const object = needObject(value);
  return Object.hasOwn(object, name) ? (object[name] ?? giveUp()) : giveUp();
}

function readItem(value: unknown, at: unknown): unknown {
  if (Array.isArray(value)) return value[Number(needInteger(at))] ?? giveUp();
  return typeof at === 'string' ? readField(value, at) : giveUp();
}

/** Objects with special keys are Maps, and times and durations are objects of classes. */
function needObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return giveUp();
  return value as Readonly<Record<string, unknown>>;
}

function needBoolean(value: unknown): boolean {
  return typeof value === 'boolean' ? value : giveUp();
}

function needInteger(value: unknown): bigint {
  return typeof value === 'bigint' ? value : giveUp();
}

function needText(value: unknown, run: Evaluation): string {
  if (typeof value !== 'string') return giveUp();
  run.spend(value.length >> 4);
  return value;
}

function isEqual(a: unknown, b: unknown, run: Evaluation): boolean {
  if (typeof a !== typeof b) return giveUp();
  if (typeof a === 'string') run.spend(a.length >> 4);
  else if (typeof a !== 'bigint' && typeof a !== 'boolean') return giveUp();
  return a === b;
}

function add(a: unknown, b: unknown): bigint {
  const sum = needInteger(a) + needInteger(b);
  return BigInt.asIntN(64, sum) === sum ? sum : giveUp();
}

function isIn(item: unknown, list: unknown, run: Evaluation): boolean {
  if (Array.isArray(list)) return list.map((other) => isEqual(item, other, run)).includes(true);
  return typeof item === 'string' ? Object.hasOwn(needObject(list), item) : giveUp();
}

function sizeOf(value: unknown): bigint {
  if (typeof value === 'string') return BigInt(/[\ud800-\udfff]/.test(value) ? giveUp() : value.length);
  return BigInt(Array.isArray(value) ? value.length : Object.keys(needObject(value)).length);
}
