import { isJsonObject } from './json.ts';
import type { JsonObject } from './json.ts';

/** A Kubernetes object: a plain tree that names its own type. */
export type KubeObject = JsonObject & { readonly apiVersion: string; readonly kind: string };

export function isKubeObject(value: unknown): value is KubeObject {
  return isJsonObject(value) && isName(value['apiVersion']) && isName(value['kind']);
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

export interface GroupVersionKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}
