import type { ProblemSummary } from '../diagnostics/index.ts';
import { applyProblems } from './apply/problems.ts';
import { jsonPatchProblems } from './json-patch/problems.ts';
import { kpatchProblems } from './kpatch/problems.ts';
import { mergeProblems } from './merge/problems.ts';
import { yamlPatchProblems } from './yaml-patch/problems.ts';

/** Everything that can be wrong with patches: how they are written, what they are for, and what they ask for. */
export const patchProblems: Readonly<Record<string, ProblemSummary>> = {
  ...kpatchProblems.definitions,
  ...yamlPatchProblems.definitions,
  ...applyProblems.definitions,
  ...mergeProblems.definitions,
  ...jsonPatchProblems.definitions,
};
