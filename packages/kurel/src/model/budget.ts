/** Resources that a run may use up, counted over all texts, documents and objects together. */
export type BudgetResource = 'values' | 'patternSteps' | 'ruleSteps' | 'changes' | 'fleetSteps';

/** A countdown; below zero means that the limit was exceeded. */
export interface Allowance {
  readonly limit: number;
  left: number;
}

/** One per run, because an expansion inside one text would multiply again across many texts. */
export interface Budget extends Readonly<Record<BudgetResource, Allowance>> {
  /** How many findings of one code are kept; the others are counted. */
  readonly findings: number;
  /** The memory of the workspace. It is here because everything that reads texts already has the budget. */
  readonly memory?: Memory | undefined;
}

/** Results that earlier builds left for reuse, by content. Builds share these values, so they are never changed in place. */
export interface Memory {
  /** Returns the value created earlier for the same content, or creates it. Failures are not kept. */
  keep<Value>(keepsake: Keepsake<Value>): Value;
}

export interface Keepsake<Value> {
  /** The kind of value; contents are compared within a kind only. */
  readonly kind: string;
  /** Everything that the value depends on. */
  readonly content: string;
  readonly create: () => Value;
  /** The size of the value beyond its content, in characters. */
  readonly weigh?: ((value: Value) => number) | undefined;
}
