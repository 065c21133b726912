import type { Field, KubernetesField } from '../documents/field.ts';

type Described = { readonly kubernetes: KubernetesField };

/** A property that is a field of a Cluster: the schema of CloudNativePG checks what is in it. */
export function ofCluster<const F extends Field>(field: F, ...path: string[]): F & Described {
  return { ...field, kubernetes: ['postgresql.cnpg.io/v1', 'Cluster', 'spec', ...path] };
}

/** A property that is a field of the object that CloudNativePG has for a database. */
export function ofDatabase<const F extends Field>(field: F, ...path: string[]): F & Described {
  return { ...field, kubernetes: ['postgresql.cnpg.io/v1', 'Database', 'spec', ...path] };
}
