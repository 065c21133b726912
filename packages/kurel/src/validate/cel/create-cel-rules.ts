import { Environment, Optional } from '@marcbachmann/cel-js';
import { BudgetExhausted, createBudget, spend } from '../../budget/index.ts';
import { quote } from '../../diagnostics/index.ts';
import type { Budget, Json } from '../../model/index.ts';
import type { SchemaNode, SchemaRule } from '../../schema/index.ts';
import type { RuleEvaluator, RuleResult } from '../rule-evaluator.ts';
import { isDeclared } from './is-declared.ts';
import { registerFormats } from './formats-library.ts';
import { limitSteps } from './limit-steps.ts';
import type { StepCounter } from './limit-steps.ts';
import { registerLists } from './lists-library.ts';
import { registerNetworks } from './networks-library.ts';
import { registerQuantities } from './quantities-library.ts';
import { hasWord, adaptRule } from './rule-text.ts';
import { registerStrings } from './strings-library.ts';
import { createCelConverter } from './to-cel-value.ts';

interface Expression {
  (context: Readonly<Record<string, unknown>>): unknown;
  readonly ast: unknown;
}

interface RunResult {
  readonly value?: unknown;
  readonly failure?: string;
  /** The field that was asked for and is not there. */
  readonly missing?: string | undefined;
}

/** Of a rule, in characters; reading one takes longer than its length. */
const longest = 20_000;

/** Evaluates rules in CEL with the functions that Kubernetes adds to the language. */
export function createCelRules(budget: Budget = createBudget()): RuleEvaluator {
  const environment = createEnvironment();
  const counter = limitSteps(environment, budget);
  registerFunctions(environment, counter);
  const converter = createCelConverter((steps) => spend(budget, 'ruleSteps', steps));
  const compiled = new Map<string, Expression | string>();
  // The rules of one node come one after another and all look at the same value.
  let last: { readonly value: Json; readonly node: SchemaNode; readonly self: unknown } | undefined;

  function compile(text: string): Expression | string {
    const known = compiled.get(text);
    if (known !== undefined) return known;
    let expression: Expression | string;
    try {
      if (text.length > longest) throw new Error(`it is longer than ${longest} characters`);
      expression = environment.parse(adaptRule(text));
    } catch (error) {
      expression = firstLine(error);
    }
    compiled.set(text, expression);
    return expression;
  }

  function run(text: string, self: unknown): RunResult {
    const expression = compile(text);
    if (typeof expression === 'string') return { failure: `it cannot be read here: ${expression}` };
    try {
      counter.begin(expression.ast);
      return { value: expression({ self, oldSelf: Optional.none() }) };
    } catch (error) {
      if (error instanceof BudgetExhausted) throw error;
      const failure = firstLine(error);
      return { failure: `it cannot be evaluated here: ${failure}`, missing: /^No such key: (.*)$/.exec(failure)?.[1] };
    }
  }

  return {
    evaluate(rule: SchemaRule, value: Json, node: SchemaNode): RuleResult {
      if (rule.optionalOldSelf !== true && rule.rule.length <= longest && hasWord(rule.rule, 'oldSelf'))
        return { verdict: 'not-applicable' };
      if (last?.value !== value || last.node !== node) {
        last = { value, node, self: converter.convert(value, node) };
      }
      const { value: result, failure, missing } = run(rule.rule, last.self);
      // An API server too refuses what a rule reads and does not find, provided that the rule may ask for it at all.
      if (missing !== undefined && isDeclared(node, missing)) {
        return { verdict: 'fails', message: `${rule.message ?? oneLine(rule.rule)} (${quote(missing)} is missing)` };
      }
      if (failure !== undefined) return { verdict: 'not-checked', reason: failure };
      if (result === true) return { verdict: 'holds' };
      if (result !== false) return { verdict: 'not-checked', reason: 'it gives neither true nor false' };
      const said = rule.messageExpression === undefined ? undefined : run(rule.messageExpression, last.self).value;
      const isMessage = typeof said === 'string' && said.trim() !== '' && !said.includes('\n');
      return { verdict: 'fails', message: isMessage ? said : (rule.message ?? `the rule is ${oneLine(rule.rule)}`) };
    },
  };
}

function createEnvironment(): Environment {
  // Lists of mixed values are refused by the type checker of an API server, which has seen the rule before we do.
  return new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
    .registerVariable('self', 'dyn')
    .registerVariable('oldSelf', 'dyn');
}

function registerFunctions(environment: Environment, counter: StepCounter): void {
  registerStrings(environment, counter);
  registerLists(environment);
  registerFormats(environment);
  registerNetworks(environment);
  registerQuantities(environment);
}

/** The library draws the place in the rule below its message. */
function firstLine(error: unknown): string {
  // The parser calls itself for each part.
  if (error instanceof RangeError) return 'its parts are too many inside one another';
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
