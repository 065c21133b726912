import { scopeOf } from '../../../kube/index.ts';
import type { Diagnostic, KubeObject, Path } from '../../../model/index.ts';
import { enforcePolicy } from '../../../validate/index.ts';
import type { Rules } from '../../../validate/index.ts';
import type { ComposedObject } from './composition.ts';

interface InspectOptions {
  readonly rules: Rules;
  /** The origin of the object, which may have changed since; `undefined` if no part of the application created it. */
  readonly made?: ComposedObject | undefined;
  /** All objects, some of which may be the CRDs of others. */
  readonly objects: readonly KubeObject[];
  readonly report: (diagnostic: Diagnostic, path: Path) => void;
}

/** Checks an object against the policy and against what traits guarantee for the objects of their component. */
export function inspectObject(object: KubeObject, { rules, made, objects, report }: InspectOptions): void {
  enforcePolicy(object, { rules, scopeOf: (gvk) => scopeOf(gvk, objects), report });
  for (const inspect of made?.inspections ?? []) inspect(object, report);
}
