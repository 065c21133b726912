import { defineProblems, quote } from '../diagnostics/index.ts';

export const schemaProblems = defineProblems({
  'kubernetes-version-unknown': {
    severity: 'error',
    summary: 'The Kubernetes version is not one whose schemas kurel has.',
    message: ({ version }: { version: string; known: readonly string[] }) =>
      `Kubernetes version ${quote(version)} is not one that kurel knows`,
    hint: ({ known }) => `use one of ${known.join(', ')}`,
  },
});
