import type { Environment } from '@marcbachmann/cel-js';

/** Of one rule for one value, and of all rules together. */
const mostSteps = 10_000_000;
const mostStepsAltogether = 500_000_000;
const longestList = 100_000;
export const longestText = 1_000_000;
/** The library makes each with an excerpt and a stack, and passes over most. */
const costOfError = 100;

/** Counts what the rules of an environment do, and ends those that would go on for too long. */
export interface StepCounter {
  /** Before a rule is evaluated; `size` is how many values there are in what it looks at. */
  begin(size: number): void;
  /** Work that is done without the evaluator. */
  spend(steps: number): void;
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
  evaluate(evaluator: Evaluator, node: Node, context: unknown): unknown;
}

const comparisons: ReadonlySet<string> = new Set(['==', '!=', 'in']);
const makers: ReadonlySet<string> = new Set(['+', 'call', 'rcall']);

export function limitSteps(environment: Environment): StepCounter {
  const evaluator = findEvaluator(environment);
  let steps = 0;
  let altogether = 0;
  let size = 0;
  let objects = 0;

  function spend(count: number): void {
    steps += count;
    altogether += count;
    if (steps > mostSteps) throw new TooCostly(`it takes more than ${mostSteps} steps`);
    if (altogether > mostStepsAltogether) {
      throw new TooCostly(`all rules together have taken ${mostStepsAltogether} steps`);
    }
  }

  function weigh(result: unknown): void {
    if (Array.isArray(result)) {
      if (result.length > longestList) throw new TooCostly(`it makes a list of more than ${longestList} items`);
      spend(result.length >> 4);
    } else if (typeof result === 'string') {
      if (result.length > longestText) throw new TooCostly(`it makes a text of more than ${longestText} characters`);
      spend(result.length >> 8);
    }
  }

  evaluator.run = (node, context) => {
    spend(1);
    const before = objects;
    const result = node.evaluate(evaluator, node, context);
    if (typeof result === 'object' && result !== null) objects += 1;
    // Comparing is as much work as there is to compare, and that may be everything.
    if (comparisons.has(node.op) && objects > before) spend(size >> 6);
    if (makers.has(node.op)) weigh(result);
    return result;
  };
  evaluator.tryEval = (node, context) => {
    try {
      return evaluator.run(node, context);
    } catch (error) {
      if (error instanceof TooCostly) throw error;
      spend(costOfError);
      return error;
    }
  };
  return {
    begin(values) {
      steps = 0;
      size = values;
    },
    spend,
  };
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
