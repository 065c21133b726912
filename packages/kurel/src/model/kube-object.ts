import type { JsonObject } from './json.ts';

/** A Kubernetes object: a plain tree that names its own type. */
export type KubeObject = JsonObject & { readonly apiVersion: string; readonly kind: string };

export interface GroupVersionKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}
