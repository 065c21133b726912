import { defineProblems, quote } from '../../../diagnostics/index.ts';

/** What can be said of traits that are about how Flux applies the objects, and not about the objects. */
export const bundleProblems = defineProblems({
  'trait-of-flux': {
    severity: 'warning',
    summary: 'A trait asks Flux to change the objects when it applies them, which static manifests cannot say.',
    message: ({ trait }: { trait: string }) =>
      `the trait ${quote(trait)} has no effect: it is for the Kustomization of Flux that applies the objects, which is not built here`,
    hint: ({ instead }: { instead: string }) => instead,
  },
  'substitution-empty': {
    severity: 'error',
    summary: 'Values are to be put into the objects, and there are none.',
    message: () => 'neither "substitute" nor "substituteFrom" say which values are put in',
    hint: () => 'give one of them, or take the trait out',
  },
});
