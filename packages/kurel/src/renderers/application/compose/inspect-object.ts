import type { Diagnostic, KubeObject, Path } from '../../../model/index.ts';
import { enforcePolicy } from '../../../validate/door.ts';
import type { Rules } from '../../../validate/door.ts';
import type { ComposedObject } from './composition.ts';

interface InspectOptions {
  readonly rules: Rules;
  /** What made the object, which may have been changed since. */
  readonly made: ComposedObject;
  readonly report: (diagnostic: Diagnostic, path: Path) => void;
}

/** Holds an object against the policy, and against what traits promise of the objects of their component. */
export function inspectObject(object: KubeObject, { rules, made, report }: InspectOptions): void {
  enforcePolicy(object, { rules, isWrittenOut: made.locate !== undefined, report });
  for (const inspect of made.inspections ?? []) inspect(object, report);
}
