import type { ImageUse, StepKind, TraceStep } from '../../index.ts';
import type { Location } from '../../model/index.ts';

/** What a person would change to get another image. */
export interface ImageChanger {
  readonly kind: StepKind;
  /** The name, when it is a parameter. */
  readonly parameter?: string;
  /** What gave it: `--set image.tag=2`, `default`; empty where the place says it all. */
  readonly words: string;
  readonly location?: Location | undefined;
}

// They are found out together: none of them comes after the others.
const composed: ReadonlySet<StepKind> = new Set(['author', 'profile', 'policy', 'default']);

/** The last step that made the field, or the parameters that were put in there. Each of them is reported once. */
export function changersOf({ trace, likely }: ImageUse): readonly ImageChanger[] {
  const steps = trace?.steps ?? [];
  const last = steps.at(-1);
  const isComposed = last !== undefined && composed.has(last.kind);
  const start = isComposed ? steps.findLastIndex(({ kind }) => !composed.has(kind)) + 1 : -1;
  // A patch that has the last word leaves nothing to where the object came from.
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
