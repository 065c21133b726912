import type { ProblemSummary } from '../diagnostics/index.ts';
import { applyProblems } from './apply/problems.ts';
import { jsonPatchProblems } from './json-patch/problems.ts';
import { kpatchProblems } from './kpatch/problems.ts';
import { mergeProblems } from './merge/problems.ts';
import { yamlPatchProblems } from './yaml-patch/problems.ts';

/** All findings about patches: their syntax, their targets and their effect. */
export const patchProblems: Readonly<Record<string, ProblemSummary>> = {
  ...kpatchProblems.definitions,
  ...yamlPatchProblems.definitions,
  ...applyProblems.definitions,
  ...mergeProblems.definitions,
  ...jsonPatchProblems.definitions,
};
