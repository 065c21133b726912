// What every build needs of the public API. The program's commands import from here what they always need: `index.ts` brings all
// rooms along, and a plain build should not pay for reading the code that patches and validates.
import type { ProblemSummary } from './diagnostics/index.ts';

export { createBudget } from './budget/index.ts';
export type { BudgetLimits } from './budget/index.ts';
export { build } from './build.ts';
export type { BuildRequest, BuildResult, ValidationSettings } from './build.ts';
export * from './engine/index.ts';
export {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelKey,
  checkLabelValue,
  kindsNamed,
  LabelSelectorError,
  nameOf,
} from './kube/index.ts';
export { applyAssignment, parseAssignment, readValues } from './parameters/index.ts';
export type { Assignment } from './parameters/index.ts';
export type { BuildStage, PatchedInputRequest, PatchSettings } from './render-input.ts';
export { createSchemaStore } from './schema/index.ts';
export { locateInYaml } from './yaml/index.ts';

/** Every finding that can be reported, by code: the rules of a SARIF log and the rows of the reference. */
export async function loadProblemDefinitions(): Promise<Readonly<Record<string, ProblemSummary>>> {
  const { problemDefinitions } = await import('./problem-definitions.ts');
  return problemDefinitions;
}
