import { defineProblems } from '../diagnostics/index.ts';
import { fieldProblems } from './fields/problems.ts';
import { kindProblems } from './kinds/problems.ts';
import { packageProblems } from './package-problems.ts';

/** Everything that can be wrong with objects: in their fields, in what their kind asks of them, and with one another. */
export const validateProblems = defineProblems({
  ...fieldProblems,
  ...kindProblems,
  ...packageProblems,
});
