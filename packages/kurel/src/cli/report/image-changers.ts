import type { ImageUse, StepKind, TraceStep } from '../../index.ts';
import type { Location } from '../../model/index.ts';

/** A place that a user edits to change an image. */
export interface ImageChanger {
  readonly kind: StepKind;
  /** Name of the parameter, if it is one. */
  readonly parameter?: string;
  /** Source of the value: `--set image.tag=2`, `default`; empty if the location is enough. */
  readonly words: string;
  readonly location?: Location | undefined;
}

// Causes of the same step: none of them overrides the others.
const composed: ReadonlySet<StepKind> = new Set(['author', 'profile', 'policy', 'default']);

/** The last step that set the field, or the parameters that it substituted. Each is reported once. */
export function changersOf({ trace, likely }: ImageUse): readonly ImageChanger[] {
  const steps = trace?.steps ?? [];
  const last = steps.at(-1);
  const isComposed = last !== undefined && composed.has(last.kind);
  const start = isComposed ? steps.findLastIndex(({ kind }) => !composed.has(kind)) + 1 : -1;
  // A patch overrides the source of the object, so the likely causes there do not count.
  const found = [...steps.slice(start), ...(isComposed ? likely : [])].flatMap(changersIn);
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}

function changersIn({ kind, words, location, parameters }: TraceStep): readonly ImageChanger[] {
  if (parameters.length === 0) return [{ kind, words, location }];
  return parameters.map((one) => ({
    kind: 'parameter',
    parameter: one.name,
    words: one.words,
    location: one.location,
  }));
}
