import type { Memory } from './memory.ts';

/** Resources that a run may use up, counted over all texts, documents and objects together. */
export type BudgetResource = 'values' | 'patternSteps' | 'ruleSteps' | 'changes';

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
