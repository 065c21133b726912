import { defineProblems, quote } from '../../../diagnostics/index.ts';

interface Property {
  readonly property: string;
}

/** What can be wrong with something that is taken to a cluster by Flux or Argo CD. */
export const deliveryProblems = defineProblems({
  'delivery-version': {
    severity: 'error',
    summary: 'A version is written as none of what is meant can be.',
    message: ({ version, expected }: { version: string; expected: string }) =>
      `version ${quote(version)} is not ${expected}`,
    hint: ({ hint }: { hint: string | undefined }) => hint,
  },
  'delivery-interval-shared': {
    severity: 'warning',
    summary: 'Two components use the same source, and want it to be looked at in different intervals.',
    message: ({ first, interval, own }: { first: string; interval: string; own: string }) =>
      `the source is shared with component ${quote(first)}, and is looked at every ${interval}, not every ${own}`,
    hint: () => 'give both components the same "interval"',
  },
  'argocd-property-unused': {
    severity: 'warning',
    summary: 'A property is about how Flux works, and the platform has Argo CD.',
    message: ({ property }: Property) => `${quote(property)} is for Flux, and has no effect with Argo CD`,
  },
  'argocd-property-refused': {
    severity: 'error',
    summary: 'A property asks for what only Flux can do, and the platform has Argo CD.',
    message: ({ property }: Property) => `${quote(property)} needs Flux, and the platform has Argo CD`,
    hint: ({ instead }: Property & { instead: string }) => instead,
  },
  'argocd-namespaces-kept': {
    severity: 'warning',
    summary: 'Argo CD puts only those objects into a namespace that name none.',
    message: ({ namespace }: { namespace: string }) =>
      `with Argo CD only objects without a namespace of their own go to ${quote(namespace)}`,
    hint: () => 'let the artifact name no namespaces, or name the right one in its kustomization',
  },
});
