import { buildProblems } from './build-problems.ts';
import type { ProblemSummary } from './diagnostics/index.ts';
import { kubeProblems } from './kube/index.ts';
import { layoutProblems } from './layout/index.ts';
import { parameterProblems } from './parameters/index.ts';
import { rendererProblems } from './renderers/index.ts';
import { yamlProblems } from './yaml/index.ts';

/** Every finding that can be reported, by code: the rules of a SARIF log and the rows of the reference. */
export const problemDefinitions: Readonly<Record<string, ProblemSummary>> = {
  ...buildProblems.definitions,
  ...kubeProblems.definitions,
  ...layoutProblems.definitions,
  ...parameterProblems.definitions,
  ...rendererProblems,
  ...yamlProblems.definitions,
};
