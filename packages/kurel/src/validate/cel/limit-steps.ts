import type { Environment } from '@marcbachmann/cel-js';
import { BudgetExhausted, spend as take } from '../../budget/index.ts';
import type { Budget } from '../../model/index.ts';
import type { GoPattern } from '../../schema/index.ts';

/** Of one rule for one value. */
const mostSteps = 10_000_000;
const longestList = 100_000;
export const longestText = 1_000_000;
/** The library makes each with an excerpt and a stack, and passes over most. */
const costOfError = 100;

/** Counts what the rules of an environment do, and ends those that would go on for too long. */
export interface StepCounter {
  /** Before a rule is evaluated, which does not begin with its root. */
  begin(root: unknown, run: RuleRun): void;
  /** Work that is done without the evaluator. */
  spend(steps: number): void;
  /** Of the rule that is evaluated. */
  run(): RuleRun;
}

/** What the rules of one run share: each run pays for all that it uses, whatever runs before it have left. */
export interface RuleRun {
  readonly budget: Budget;
  /** Those that rules have used, each paid for once. */
  readonly patterns: Map<string, GoPattern | undefined>;
}

/** Not one of the library's errors, which `all`, `exists`, `&&` and `||` may pass over. */
class TooCostly extends Error {}

// The part of the library's evaluator that everything passes through. It is not in its types, and the library has no limits of
// its own on evaluation: rules come with packages, and two lists inside one another are enough for a very long time.
interface Evaluator {
  run(node: Node, context: unknown): unknown;
  tryEval(node: Node, context: unknown): unknown;
}

interface Node {
  readonly op: string;
  readonly args?: unknown;
  evaluate(evaluator: Evaluator, node: Node, context: unknown): unknown;
}

/** Those that look at all of what they are given, or put it into something new. */
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
/** Go through their lists step by step, each of which is counted. */
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
      if (result.length > longestList) throw new TooCostly(`it makes a list of more than ${longestList} items`);
      spend(result.length >> 4);
    } else if (typeof result === 'string') {
      if (result.length > longestText) throw new TooCostly(`it makes a text of more than ${longestText} characters`);
      spend(result.length >> 8);
    }
  }

  /** What it takes to go through all of a value. What stands in it several times counts several times. */
  function weigh(value: unknown): number {
    if (typeof value === 'string') return value.length >> 4;
    if (typeof value !== 'object' || value === null) return 0;
    const known = weights.get(value);
    if (known !== undefined) return known;
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
    // Before whoever asked for it does something with it.
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

/** What is paid for what a node gets from those below it. The length of a list is known, that of a text is counted. */
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

/** All expressions of an environment share one evaluator, which is handed to the nodes of each. */
function findEvaluator(environment: Environment): Evaluator {
  const expression = environment.parse('true');
  const root = expression.ast as unknown as { evaluate: Node['evaluate'] };
  let found: Evaluator | undefined;
  root.evaluate = (evaluator) => {
    found = evaluator;
    return true;
  };
  expression();
  return found!;
}
