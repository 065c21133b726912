import { defineProblems, quote, sentence, setting } from '../diagnostics/index.ts';

export const schemaProblems = defineProblems(() => ({
  'kubernetes-version-unknown': {
    summary: 'kurel has no schemas for the Kubernetes version.',
    message: ({ version }: { version: string; known: readonly string[] }) =>
      `unknown Kubernetes version ${quote(version)}`,
    hint: ({ known: versions }) => `use one of ${versions.join(', ')}`,
    fix: sentence`Pass ${setting('kubernetesVersion')} with a supported version such as 1.34, or leave the flag out to use the newest one.`,
  },
}));
