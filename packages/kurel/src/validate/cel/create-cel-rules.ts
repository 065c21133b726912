import { Environment, Optional } from '@marcbachmann/cel-js';
import { Duration } from '@marcbachmann/cel-js/evaluator';
import { BudgetExhausted, createBudget, spend } from '../../budget/index.ts';
import { quote } from '../../diagnostics/index.ts';
import type { Budget, Json } from '../../model/index.ts';
import type { SchemaNode, SchemaRule } from '../../schema/index.ts';
import { oneLine } from '../findings.ts';
import type { RuleEvaluator, RuleResult } from '../rule-evaluator.ts';
import { limitSteps } from './limit-steps.ts';
import type { RuleRun, StepCounter } from './limit-steps.ts';
import { registerFormats, registerLists, registerQuantities, registerStrings } from './libraries.ts';
import { registerNetworks } from './networks-library.ts';
import { adaptHas, isApplicable, longestRule, renameMatches } from './rule-text.ts';
import { createCelConverter } from './to-cel-value.ts';

interface Expression {
  (context: Readonly<Record<string, unknown>>): unknown;
  readonly ast: unknown;
}

interface RunResult {
  readonly value?: unknown;
  readonly failure?: string;
  /** The field that the rule reads and that does not exist. */
  readonly missing?: string | undefined;
}

/** Of the compiled rules that are kept, in characters. */
const mostCompiled = 1_000_000;

/** Compiles rules. All of them share one evaluator, because it is slow to create. */
interface Language {
  readonly counter: StepCounter;
  /** Returns the reason if the rule cannot be parsed. */
  readonly compile: (text: string) => Expression | string;
}

/** Evaluates CEL rules with the functions that Kubernetes adds to the language. */
export function createCelRules(budget: Budget = createBudget()): RuleEvaluator {
  const create = createLanguage;
  const language = budget.memory?.keep({ kind: 'rules', content: '', create, weigh: () => mostCompiled }) ?? create();
  const { counter, compile } = language;
  const current: RuleRun = { budget, patterns: new Map() };
  const convert = createCelConverter({
    spend: (steps) => spend(budget, 'ruleSteps', steps),
    createDuration: (seconds, nanoseconds) => new Duration(seconds, nanoseconds),
  });
  // The rules of one node are evaluated one after another on the same value.
  let last: { readonly value: Json; readonly node: SchemaNode; readonly self: unknown } | undefined;

  function run(text: string, self: unknown): RunResult {
    const expression = compile(text);
    if (typeof expression === 'string') return { failure: `it cannot be parsed: ${expression}` };
    try {
      counter.begin(expression.ast, current);
      return { value: expression({ self, oldSelf: Optional.none() }) };
    } catch (error) {
      if (error instanceof BudgetExhausted) throw error;
      const failure = firstLine(error);
      return { failure: `it cannot be evaluated: ${failure}`, missing: /^No such key: (.*)$/.exec(failure)?.[1] };
    }
  }

  return {
    evaluate(rule: SchemaRule, value: Json, node: SchemaNode): RuleResult {
      if (!isApplicable(rule)) return { verdict: 'not-applicable' };
      if (last?.value !== value || last.node !== node) {
        last = { value, node, self: convert(value, node) };
      }
      const { value: result, failure, missing } = run(rule.rule, last.self);
      // The API server also rejects an object without a field that the rule reads, if the schema has the field.
      if (missing !== undefined && isDeclared(node, missing)) {
        return { verdict: 'fails', message: `${rule.message ?? oneLine(rule.rule)} (${quote(missing)} is missing)` };
      }
      if (failure !== undefined) return { verdict: 'not-checked', reason: failure };
      if (result === true) return { verdict: 'holds' };
      if (result !== false) return { verdict: 'not-checked', reason: 'it does not evaluate to a boolean' };
      const parsed = rule.messageExpression === undefined ? undefined : run(rule.messageExpression, last.self).value;
      const isMessage = typeof parsed === 'string' && parsed.trim() !== '' && !parsed.includes('\n');
      return { verdict: 'fails', message: isMessage ? parsed : (rule.message ?? `failed rule: ${oneLine(rule.rule)}`) };
    },
  };
}

function createLanguage(): Language {
  // The API server has already rejected rules with mixed lists when the definition was created.
  const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
    .registerVariable('self', 'dyn')
    .registerVariable('oldSelf', 'dyn');
  const counter = limitSteps(environment);
  registerStrings(environment, counter);
  registerLists(environment);
  registerFormats(environment);
  registerNetworks(environment);
  registerQuantities(environment);
  const compiled = new Map<string, Expression | string>();
  let characters = 0;

  function parse(text: string): Expression | string {
    try {
      if (text.length > longestRule) throw new Error(`it is longer than ${longestRule} characters`);
      return environment.parse(adaptHas(renameMatches(text)));
    } catch (error) {
      return firstLine(error);
    }
  }

  return {
    counter,
    compile(text) {
      const earlier = compiled.get(text);
      if (earlier !== undefined) return earlier;
      if (characters > mostCompiled) {
        compiled.clear();
        characters = 0;
      }
      const expression = parse(text);
      compiled.set(text, expression);
      characters += text.length;
      return expression;
    },
  };
}

/** The library appends an excerpt of the rule to its message. */
function firstLine(error: unknown): string {
  // The parser is recursive, so deep nesting overflows the stack.
  if (error instanceof RangeError) return 'it is nested too deeply';
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
}

// Rules read nearby fields, and a recursive schema has no end.
const furthest = 400;

/** Whether a schema has a field of this name anywhere. */
function isDeclared(root: SchemaNode, name: string): boolean {
  const waiting = [root];
  for (let index = 0; index < waiting.length && index < furthest; index += 1) {
    const node = waiting[index]!;
    if (node.propertyNames.includes(name)) return true;
    const children = [...node.propertyNames.map((field) => node.property(field)), node.items, node.values];
    for (const child of children) if (child !== undefined) waiting.push(child);
  }
  return false;
}
