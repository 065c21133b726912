import type { GroupVersionKind, KubeObject } from '../../model/index.ts';
import type { Findings } from '../findings.ts';

/** What a check of a kind works with. */
export interface KindCheck {
  readonly object: KubeObject;
  readonly gvk: GroupVersionKind;
  readonly findings: Findings;
  /** The 37 of Kubernetes 1.37. */
  readonly minor: number;
}

/** Whether a path has a step that leads up. */
export function escapesRoot(path: string): boolean {
  return path.split('/').includes('..');
}
