import { defineProblems, quote } from '../../../diagnostics/index.ts';

interface Property {
  readonly property: string;
}

/** Findings about components that Flux or Argo CD delivers. */
export const deliveryProblems = defineProblems({
  'delivery-version': {
    severity: 'error',
    summary: 'A version is not valid for its source.',
    message: ({ version, expected }: { version: string; expected: string }) =>
      `version ${quote(version)} is not ${expected}`,
    hint: ({ hint }: { hint: string | undefined }) => hint,
    fix: 'Write a version that the source supports: a version or range such as ^1.2 for a chart repository, a tag or sha256:DIGEST for a registry.',
  },
  'delivery-interval-shared': {
    severity: 'warning',
    summary: 'Two components share a source but have different intervals.',
    message: ({ first, interval, own }: { first: string; interval: string; own: string }) =>
      `interval ${own} is ignored: the source is shared with component ${quote(first)}, which sets ${interval}`,
    hint: () => 'set the same "interval" in both components',
    fix: 'Components with the same source share one Flux object, and the first component sets its interval. Set the same interval in all of them.',
  },
  'delivery-secret-elsewhere': {
    severity: 'note',
    summary: 'Flux looks up the credentials of a source in the namespace of the source, not of the application.',
    message: ({ name, namespace }: { name: string; namespace: string }) =>
      `Flux looks for Secret ${quote(name)} in namespace ${quote(namespace)}, next to the source`,
    hint: ({ own }: { own: string }) => `create it there; Flux does not look in ${quote(own)}`,
    fix: 'Create the Secret in the namespace of the source, or set the Flux namespace to that of the application with --flux-namespace.',
  },
  'argocd-credentials': {
    severity: 'warning',
    summary: 'Argo CD does not use the credentials that a source refers to.',
    message: ({ name, url }: { name: string; url: string }) =>
      `Argo CD does not use Secret ${quote(name)}: it finds the credentials of ${quote(url)} by the URL`,
    hint: ({ namespace }: { namespace: string }) =>
      `create a Secret with this URL and the label "argocd.argoproj.io/secret-type: repository" in namespace ${quote(namespace)}`,
    fix: 'Create a repository Secret for the URL in the namespace of Argo CD, and remove secretRef or accept the finding.',
  },
  'argocd-property-unused': {
    severity: 'warning',
    summary: 'A property applies only to Flux, but the profile uses Argo CD.',
    message: ({ property }: Property) => `${quote(property)} has no effect with Argo CD: it applies only to Flux`,
    fix: 'Remove the property if the application is built only for Argo CD. Otherwise accept the finding.',
  },
  'argocd-property-refused': {
    severity: 'error',
    summary: 'A property requires Flux, but the profile uses Argo CD.',
    message: ({ property }: Property) => `Argo CD does not support ${quote(property)}`,
    hint: ({ instead }: Property & { instead: string }) => instead,
    fix: 'Follow the hint, or build for a platform whose profile has spec.gitopsEngine: fluxcd.',
  },
  'argocd-namespaces-kept': {
    severity: 'warning',
    summary: 'Argo CD sets the target namespace only on objects without a namespace.',
    message: ({ namespace }: { namespace: string }) =>
      `Argo CD deploys only objects without a namespace to ${quote(namespace)}`,
    hint: () => 'remove the namespaces from the artifact, or set the namespace in its kustomization',
    fix: 'Flux overrides the namespace of every object; Argo CD does not. Build the artifact without namespaces, or set the right one in its kustomization.',
  },
});
