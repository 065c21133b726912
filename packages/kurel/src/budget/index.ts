// takes:   limits of a run, and of the memory between runs
// gives:   the budget that everything that multiplies input draws on, and one finding when it runs out
// refuses: clocks; a budget counts steps, so that the same input always gives the same result
export {
  addToList,
  BudgetExhausted,
  createBudget,
  describeExhaustion,
  getOrAdd,
  locateExhaustion,
  reportExhaustion,
  spend,
  createMemory,
} from './create-budget.ts';
export type { BudgetLimits } from './create-budget.ts';
export { limitFindings, listFindings } from './limit-findings.ts';
export type { FindingLimit } from './limit-findings.ts';
export { budgetProblems } from './problems.ts';
