import { defineProblems, quote } from '../diagnostics/index.ts';

export const schemaProblems = defineProblems(() => ({
  'kubernetes-version-unknown': {
    summary: 'kurel has no schemas for the Kubernetes version.',
    message: ({ version }: { version: string; known: readonly string[] }) =>
      `unknown Kubernetes version ${quote(version)}`,
    hint: ({ known: versions }) => `use one of ${versions.join(', ')}`,
    fix: 'Pass --kubernetes-version with a supported version such as 1.34, or leave the flag out to use the newest one.',
  },
}));
