import type { KubeObject } from '../../../model/index.ts';

/** Each workload has an account of its own, without a token unless a trait gives it rights. */
export function createServiceAccount(component: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: component, labels: { app: component } },
    automountServiceAccountToken: false,
  };
}
