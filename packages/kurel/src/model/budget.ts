import type { Memory } from './memory.ts';

/** What a run may use up, all texts, documents and objects together. */
export type BudgetResource = 'values' | 'patternSteps' | 'ruleSteps' | 'changes';

/** Counts down; below zero there was too little. */
export interface Allowance {
  readonly limit: number;
  left: number;
}

/** One for each run: what multiplies inside one text would multiply again over many. */
export interface Budget extends Readonly<Record<BudgetResource, Allowance>> {
  /** How many findings of one code are kept; the others are counted. */
  readonly findings: number;
  /** Of the workspace that the run belongs to. It is here because everything that reads texts has the budget already. */
  readonly memory?: Memory | undefined;
}
