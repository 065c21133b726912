import { defineProblems } from '../diagnostics/index.ts';
import { kindProblems } from './kinds/problems.ts';
import { packageProblems } from './package-problems.ts';
import { valueProblems } from '../schema/index.ts';

/** All problems of objects: their fields, the rules of their kind, and their references to one another. */
export const validateProblems = defineProblems({
  ...valueProblems.definitions,
  'rule-failed': {
    severity: 'error',
    summary: 'A value violates a rule of its CustomResourceDefinition (x-kubernetes-validations).',
    message: ({ field, message }: { readonly field: string; readonly message: string }) =>
      `${field} is not valid: ${message}`,
    hint: ({ rule, message }: { readonly rule: string; readonly message: string }) =>
      message.includes(rule) ? undefined : `satisfy the rule ${rule}`,
    fix: 'Change the value so that the CEL expression of the rule is true. The API server evaluates the same rule and rejects the object.',
  },
  ...kindProblems,
  ...packageProblems,
});
