import { defineProblems } from '../diagnostics/index.ts';
import { kindProblems } from './kinds/problems.ts';
import { packageProblems } from './package-problems.ts';
import { valueProblems } from '../schema/index.ts';

/** Everything that can be wrong with objects: in their fields, in what their kind asks of them, and with one another. */
export const validateProblems = defineProblems({
  ...valueProblems.definitions,
  'rule-failed': {
    severity: 'error',
    summary: 'A rule of a CustomResourceDefinition (x-kubernetes-validations) does not hold.',
    message: ({ field, message }: { readonly field: string; readonly message: string }) =>
      `${field} is refused: ${message}`,
    hint: ({ rule, message }: { readonly rule: string; readonly message: string }) =>
      message.includes(rule) ? undefined : `the rule is: ${rule}`,
  },
  ...kindProblems,
  ...packageProblems,
});
