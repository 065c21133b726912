import type { Environment } from '@marcbachmann/cel-js';
import { BudgetExhausted, spend as take } from '../../budget/index.ts';
import type { Budget } from '../../model/index.ts';
import type { GoPattern } from '../../schema/index.ts';

/** Of one rule for one value. */
const mostSteps = 10_000_000;
const longestList = 100_000;
export const longestText = 1_000_000;
/** Errors of the library are slow to create, with an excerpt and a stack, and most are caught again. */
const costOfError = 100;

/** Counts the steps of rules, and stops rules that take too many. */
export interface StepCounter {
  /** Call before a rule is evaluated: the evaluator does not pass the root to `run`. */
  begin(root: unknown, run: RuleRun): void;
  /** Counts work outside of the evaluator. */
  spend(steps: number): void;
  /** The run of the current rule. */
  run(): RuleRun;
}

/** State of one run. Each run pays for everything it uses, even if an earlier run has compiled it. */
export interface RuleRun {
  readonly budget: Budget;
  /** The patterns that rules have used, each paid for once. */
  readonly patterns: Map<string, GoPattern | undefined>;
}

/** Not an error of the library, because `all`, `exists`, `&&` and `||` catch those. */
class TooCostly extends Error {}

// The part of the library's evaluator that every evaluation goes through. It is not in the types of the library. Limits are needed
// because rules come with packages and the library has none: two nested loops can already run for hours.
interface Evaluator {
  run(node: Node, context: unknown): unknown;
  tryEval(node: Node, context: unknown): unknown;
}

interface Node {
  readonly op: string;
  readonly args?: unknown;
  evaluate(evaluator: Evaluator, node: Node, context: unknown): unknown;
}

/** Operators that read their whole operands or copy them. */
const paying: ReadonlySet<string> = new Set([
  '==',
  '!=',
  'in',
  '<',
  '<=',
  '>',
  '>=',
  '+',
  'call',
  'rcall',
  'list',
  'map',
  'accuPush',
]);
/** Macros evaluate an expression for each item, and those steps are counted. */
const macros: ReadonlySet<unknown> = new Set(['all', 'exists', 'exists_one', 'map', 'filter', 'bind']);
const makers: ReadonlySet<string> = new Set(['+', 'call', 'rcall']);

export function limitSteps(environment: Environment): StepCounter {
  const evaluator = findEvaluator(environment);
  let steps = 0;
  let run: RuleRun | undefined;
  let payment = nothingPaid;
  const weights = new WeakMap<object, number>();

  function spend(count: number): void {
    steps += count;
    take(run!.budget, 'ruleSteps', count);
    if (steps > mostSteps) throw new TooCostly(`it takes more than ${mostSteps} steps`);
  }

  function checkMade(result: unknown): void {
    if (Array.isArray(result)) {
      if (result.length > longestList) throw new TooCostly(`it creates a list of more than ${longestList} items`);
      spend(result.length >> 4);
    } else if (typeof result === 'string') {
      if (result.length > longestText)
        throw new TooCostly(`it creates a string of more than ${longestText} characters`);
      spend(result.length >> 8);
    }
  }

  /** The cost of reading all of a value. A part that it contains several times counts several times. */
  function weigh(value: unknown): number {
    if (typeof value === 'string') return value.length >> 4;
    if (typeof value !== 'object' || value === null) return 0;
    const earlier = weights.get(value);
    if (earlier !== undefined) return earlier;
    const inner: Iterable<unknown> =
      Array.isArray(value) || value instanceof Map ? value.values() : Object.values(value);
    let weight = 1;
    for (const item of inner) weight += 1 + weigh(item);
    weights.set(value, weight);
    return weight;
  }

  evaluator.run = (node, context) => {
    spend(1);
    const owed = payment;
    payment = paymentOf(node);
    const result = node.evaluate(evaluator, node, context);
    payment = owed;
    if (makers.has(node.op)) checkMade(result);
    // Paid before the parent node uses the result.
    if (owed !== nothingPaid && (owed === everythingPaid || typeof result === 'string')) spend(weigh(result));
    return result;
  };
  evaluator.tryEval = (node, context) => {
    const owed = payment;
    try {
      return evaluator.run(node, context);
    } catch (error) {
      if (error instanceof TooCostly || error instanceof BudgetExhausted) throw error;
      payment = owed;
      spend(costOfError);
      return error;
    }
  };
  return {
    begin(root, current) {
      steps = 0;
      run = current;
      payment = paymentOf(root as Node);
    },
    spend,
    run: () => run!,
  };
}

/** What a node pays for its operands. The length of a list is stored, the length of a string has to be counted. */
const nothingPaid = 0;
const textsPaid = 1;
const everythingPaid = 2;

function paymentOf({ op, args }: Node): number {
  if (!paying.has(op)) return nothingPaid;
  if (op !== 'call' && op !== 'rcall') return everythingPaid;
  const name: unknown = Array.isArray(args) ? args[0] : undefined;
  if (name === 'size') return textsPaid;
  return op === 'rcall' && macros.has(name) ? nothingPaid : everythingPaid;
}

/** All expressions of an environment share one evaluator, which their nodes receive as an argument. */
function findEvaluator(environment: Environment): Evaluator {
  const expression = environment.parse('true');
  const root = expression.ast as unknown as { evaluate: Node['evaluate'] };
  let shared: Evaluator | undefined;
  root.evaluate = (evaluator) => {
    shared = evaluator;
    return true;
  };
  expression();
  return shared!;
}
