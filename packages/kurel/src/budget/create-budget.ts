import { DiagnosticError } from '../diagnostics/index.ts';
import type {
  Allowance,
  Budget,
  BudgetResource,
  Diagnostic,
  Keepsake,
  Location,
  Memory,
  Report,
  Subject,
} from '../model/index.ts';
import { budgetProblems } from './problems.ts';

/** Limits of a whole run, each with a default. */
export interface BudgetLimits {
  /** Values that aliases, merge keys, references and JSON patches copy; every 64 characters of text count as one value. */
  readonly maxValues?: number | undefined;
  /** Steps of the patterns in schemas and parameters. */
  readonly maxPatternSteps?: number | undefined;
  /** Steps of the rules of CustomResourceDefinitions. */
  readonly maxRuleSteps?: number | undefined;
  /** Patches multiplied by the objects and fields that they match. */
  readonly maxChanges?: number | undefined;
  /** Steps to expand the targets of a fleet. */
  readonly maxFleetSteps?: number | undefined;
  /** Findings kept per code. */
  readonly maxFindings?: number | undefined;
}

// With these, 1 MB of hostile input takes less than ten seconds and a gigabyte on a small machine (docs/limits.md).
const usualValues = 1_000_000;
const usualPatternSteps = 100_000_000;
const usualRuleSteps = 50_000_000;
const usualChanges = 500_000;
const usualFleetSteps = 6_000_000;
const usualFindings = 100;

export function createBudget(limits: BudgetLimits = {}, memory?: Memory): Budget {
  return {
    values: allow(limits.maxValues ?? usualValues),
    patternSteps: allow(limits.maxPatternSteps ?? usualPatternSteps),
    ruleSteps: allow(limits.maxRuleSteps ?? usualRuleSteps),
    changes: allow(limits.maxChanges ?? usualChanges),
    fleetSteps: allow(limits.maxFleetSteps ?? usualFleetSteps),
    findings: limits.maxFindings ?? usualFindings,
    memory,
  };
}

function allow(limit: number): Allowance {
  return { limit, left: limit };
}

/** Thrown when work cannot continue without more of a resource. */
export class BudgetExhausted extends DiagnosticError {
  readonly resource: BudgetResource;
  readonly #limit: number;

  constructor(resource: BudgetResource, limit: number, place?: Location | Subject) {
    super([describeExhaustion(resource, limit, place)]);
    this.name = 'BudgetExhausted';
    this.resource = resource;
    this.#limit = limit;
  }

  /** Adds the place, for callers that know it; a place that is already set stays. */
  at(place: Location | Subject | undefined): BudgetExhausted {
    const { location, subject } = this.diagnostics[0]!;
    return (location ?? subject) ? this : new BudgetExhausted(this.resource, this.#limit, place);
  }
}

/** Throws when the resource does not have enough left. */
export function spend(
  budget: Budget,
  resource: BudgetResource,
  count: number,
  locate?: () => Location | undefined,
): void {
  const allowance = budget[resource];
  allowance.left -= count;
  if (allowance.left < 0) throw new BudgetExhausted(resource, allowance.limit, locate?.());
}

/** Runs some work and adds the current place to the error when a budget runs out. */
export function locateExhaustion<Result>(work: () => Result, locate: () => Location | Subject | undefined): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof BudgetExhausted ? error.at(locate()) : error;
  }
}

/** Runs some work; when a budget runs out, reports it and returns undefined. */
export function reportExhaustion<Result>(work: () => Result, report: Report): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof BudgetExhausted)) throw error;
    for (const diagnostic of error.diagnostics) report(diagnostic);
    return undefined;
  }
}

/** For callers that report instead of throwing. */
export function describeExhaustion(
  resource: BudgetResource,
  limit: number,
  place: Location | Subject | undefined,
): Diagnostic {
  const at = place !== undefined && 'object' in place ? { subject: place } : { location: place };
  return budgetProblems.create('budget-exhausted', { resource, limit }, at);
}

// Parsed data takes about ten times as much memory as its text.
const usualCharacters = 10_000_000;

interface BoundedMemory extends Memory {
  /** The total size of the values. */
  characters(): number;
}

interface Entry {
  readonly value: unknown;
  readonly weight: number;
}

/** Keeps the most recently used values, up to a limit of characters. */
export function createMemory(mostCharacters = usualCharacters): BoundedMemory {
  // Ordered by last use.
  const entries = new Map<string, Entry>();
  let characters = 0;

  function drop(key: string, { weight }: Entry): void {
    entries.delete(key);
    characters -= weight;
  }

  function add(key: string, entry: Entry): void {
    if (entry.weight > mostCharacters) return;
    entries.set(key, entry);
    characters += entry.weight;
    for (const [oldest, other] of entries) {
      if (characters <= mostCharacters) break;
      drop(oldest, other);
    }
  }

  return {
    characters: () => characters,
    keep<Value>({ kind, content, create, weigh }: Keepsake<Value>): Value {
      const key = `${kind} ${content}`;
      const entry = entries.get(key);
      if (entry !== undefined) {
        drop(key, entry);
        add(key, entry);
        // All values of a kind have the same type.
        return entry.value as Value;
      }
      const value = create();
      add(key, { value, weight: key.length + (weigh?.(value) ?? 0) });
      return value;
    },
  };
}

/** The value of a key; creates and keeps it if there is none. */
export function getOrAdd<Key, Value>(
  values: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  create: () => Value,
): Value {
  const kept = values.get(key);
  if (kept !== undefined) return kept;
  const created = create();
  values.set(key, created);
  return created;
}

/** Adds an item to the list of a key. Most lists stay alone with one item, and an empty list that grows reserves memory for 17. */
export function addToList<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
