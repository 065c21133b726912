import type { Budget, GroupVersionKind, KubeObject, Values } from '../../model/index.ts';
import type { Findings } from '../findings.ts';

/** What a check of a kind works with. */
export interface KindCheck {
  readonly object: KubeObject;
  readonly gvk: GroupVersionKind;
  readonly findings: Findings;
  /** Of the run, for patterns that are read. */
  readonly budget: Budget;
  /** The 37 of Kubernetes 1.37. */
  readonly minor: number;
  /** Of the package that the object is made by. */
  readonly parameters?: Values | undefined;
}

/** Whether a path has a step that leads up. */
export function escapesRoot(path: string): boolean {
  return path.split('/').includes('..');
}
