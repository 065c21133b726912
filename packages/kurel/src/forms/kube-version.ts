import type { SchemaStore } from '../schema/index.ts';

/**
 * The version of Kubernetes that charts see, which is the one that their objects are validated against. Clusters have a patch version,
 * and charts compare it with ranges such as `>=1.25.0`.
 */
export function kubeVersionOf(store: SchemaStore | undefined): string | undefined {
  return store && (store.patchVersion ?? `${store.kubernetesVersion}.0`);
}
