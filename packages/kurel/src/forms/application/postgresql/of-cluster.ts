import type { Field, KubernetesField } from '../documents/field.ts';

type Described = { readonly kubernetes: KubernetesField };

/** A property that is a Cluster field, checked against the CloudNativePG schema. */
export function ofCluster<const F extends Field>(field: F, ...path: string[]): F & Described {
  return { ...field, kubernetes: ['postgresql.cnpg.io/v1', 'Cluster', 'spec', ...path] };
}

/** A property that is a Database field, checked against the CloudNativePG schema. */
export function ofDatabase<const F extends Field>(field: F, ...path: string[]): F & Described {
  return { ...field, kubernetes: ['postgresql.cnpg.io/v1', 'Database', 'spec', ...path] };
}
