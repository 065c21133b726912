import type { Field, KubernetesField } from '../documents/field.ts';

// Kubernetes fields are not described again: their content is checked against the Kubernetes schema.

type OfKubernetes<F extends Field> = F & { readonly kubernetes: KubernetesField };

export function ofContainer<const F extends Field>(field: F, ...path: string[]): OfKubernetes<F> {
  return { ...field, kubernetes: ['v1', 'Pod', 'spec', 'containers', ...path] };
}

export function ofPod<const F extends Field>(field: F, ...path: string[]): OfKubernetes<F> {
  return { ...field, kubernetes: ['v1', 'Pod', 'spec', ...path] };
}

export function ofWorkload<const F extends Field>(kind: string, field: F, ...path: string[]): OfKubernetes<F> {
  return { ...field, kubernetes: ['apps/v1', kind, 'spec', ...path] };
}
