import type { Budget, GroupVersionKind, KubeObject, Values } from '../../model/index.ts';
import type { Findings } from '../findings.ts';

/** The input of the checks of a kind. */
export interface KindCheck {
  readonly object: KubeObject;
  readonly gvk: GroupVersionKind;
  readonly findings: Findings;
  /** Of the run; compiling patterns spends it. */
  readonly budget: Budget;
  /** The minor version: 37 for Kubernetes 1.37. */
  readonly minor: number;
  /** The parameters of the package that the object comes from. */
  readonly parameters?: Values | undefined;
}

/** Whether a path contains `..`. */
export function escapesRoot(path: string): boolean {
  return path.split('/').includes('..');
}
