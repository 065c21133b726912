import { acceptProblems } from './accept/index.ts';
import { artifactProblems } from './artifact/index.ts';
import { budgetProblems } from './budget/index.ts';
import { buildProblems } from './build-problems.ts';
import type { ProblemSummary } from './diagnostics/index.ts';
import { documentProblems } from './documents/index.ts';
import { fleetProblems } from './fleet/index.ts';
import { kubeProblems } from './kube/index.ts';
import { layoutProblems } from './layout/index.ts';
import { declaredProblems, parameterProblems } from './parameters/index.ts';
import { patchProblems } from './patch/index.ts';
import { listFormProblems } from './forms/index.ts';
import { schemaProblems } from './schema/index.ts';
import { signingProblems } from './signing/index.ts';
import { traceProblems } from './provenance/index.ts';
import { policyProblems } from './validate/index.ts';
import { validateProblems } from './validate/index.ts';
import { yamlProblems } from './yaml/index.ts';

// Loaded lazily: the findings of all modules come with much of their code.

/** The definition of every finding by code: the rules of a SARIF log and the rows of the reference. */
export const problemDefinitions: Readonly<Record<string, ProblemSummary>> = {
  ...acceptProblems.definitions,
  ...artifactProblems.definitions,
  ...budgetProblems.definitions,
  ...buildProblems.definitions,
  ...documentProblems.definitions,
  ...fleetProblems.definitions,
  ...kubeProblems.definitions,
  ...layoutProblems.definitions,
  ...declaredProblems.definitions,
  ...parameterProblems.definitions,
  ...patchProblems,
  ...listFormProblems(),
  ...schemaProblems.definitions,
  ...signingProblems.definitions,
  ...traceProblems.definitions,
  ...policyProblems.definitions,
  ...validateProblems.definitions,
  ...yamlProblems.definitions,
};
