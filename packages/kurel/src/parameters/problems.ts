import { defineProblems, quote } from '../diagnostics/index.ts';

export const parameterProblems = defineProblems({
  'set-syntax': {
    severity: 'error',
    summary: 'A --set assignment is not of the form path=value.',
    message: ({ text, reason }: { text: string; reason: string }) =>
      `cannot read the assignment ${quote(text)}: ${reason}`,
    hint: () => String.raw`write a.b[0].c=value; a dot inside a key is written \.`,
  },
  'set-conflict': {
    severity: 'error',
    summary: 'A --set assignment does not fit the values it would change.',
    message: ({ text, reason }: { text: string; reason: string }) =>
      `cannot apply the assignment ${quote(text)}: ${reason}`,
  },
  'values-not-a-mapping': {
    severity: 'error',
    summary: 'A values file holds something other than one mapping.',
    message: ({ found }: { found: string }) => `a values file holds one mapping, but this is ${found}`,
  },
});
