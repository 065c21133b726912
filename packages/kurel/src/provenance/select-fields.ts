import { nearest } from '../diagnostics/index.ts';
import type { Diagnostic, KubeObject, Path } from '../model/index.ts';
import type { FieldTrace } from './field-trace.ts';
import { formatObject } from './find-object.ts';
import { formatField } from './format-field.ts';
import { parseField } from './parse-field.ts';
import type { FieldStep } from './parse-field.ts';
import { traceProblems } from './problems.ts';
import { stepInto, textOf, valueAt } from './value-at.ts';

export interface FieldQuestion {
  readonly object: KubeObject;
  /** `replicas`, `containers.name=web`: a path as patches have it, which may begin anywhere in the object. */
  readonly text: string;
}

/** The fields that a path means, and all below it; of several places that it could begin at, the highest is meant. */
export function selectFields(
  traces: readonly FieldTrace[],
  { object, text }: FieldQuestion,
): { readonly fields: readonly FieldTrace[] } | { readonly problem: Diagnostic } {
  const steps = parseField(text);
  if (typeof steps === 'string') {
    return { problem: traceProblems.create('explain-field-syntax', { text, reason: steps }) };
  }
  const deepest = traces.reduce((most, { path }) => Math.max(most, path.length), 0);
  for (let start = 0; start < deepest; start += 1) {
    const fields = traces.filter(
      ({ path }) => typeof path[start] !== 'number' && fits({ steps, path, object }, { step: 0, at: start }),
    );
    if (fields.length > 0) return { fields };
  }
  return { problem: describeMissing(traces, { object, text, steps }) };
}

interface Fitting {
  readonly steps: readonly FieldStep[];
  readonly path: Path;
  readonly object: KubeObject;
}

/** Whether the steps lead along a path, or to something above its end. */
function fits(fitting: Fitting, { step: position, at }: { readonly step: number; readonly at: number }): boolean {
  const { steps, path } = fitting;
  const step = steps[position];
  if (step === undefined) return true;
  const part = path[at];
  if (part === undefined) return false;
  const next = { step: position + 1, at: at + 1 };
  if (step.type === 'all') return fits(fitting, next);
  if (typeof part === 'number') return fitsItem(fitting, { step: position, at, part });
  if (step.type !== 'name') return false;
  if (step.name === part) return fits(fitting, next);
  // The keys of labels have dots in them, and need not be quoted here.
  const length = step.quoted ? 0 : joinedLength(steps.slice(position), part);
  if (length > 0) return fits(fitting, { step: position + length, at: at + 1 });
  // `template.labels` leaves out what everybody knows.
  const isMetadata = part === 'metadata' && (step.name === 'labels' || step.name === 'annotations') && position > 0;
  return isMetadata && fits(fitting, { step: position, at: at + 1 });
}

function fitsItem(
  fitting: Fitting,
  { step: position, at, part }: { readonly step: number; readonly at: number; readonly part: number },
): boolean {
  const { steps, path, object } = fitting;
  const step = steps[position]!;
  const next = { step: position + 1, at: at + 1 };
  if (step.type === 'match') {
    const item = valueAt(object, path.slice(0, at + 1));
    return textOf(stepInto(item, step.key)) === step.value && fits(fitting, next);
  }
  const index = step.type === 'index' ? step.index : step.type === 'name' && indexOf(step.name);
  if (typeof index === 'number') return index === part && fits(fitting, next);
  // A field of a list is the field of every item.
  return position > 0 && fits(fitting, { step: position, at: at + 1 });
}

function indexOf(word: string): number | undefined {
  return /^[0-9]{1,9}$/.test(word) ? Number(word) : undefined;
}

/** How many of the first steps, joined by dots, make up a key. */
function joinedLength(steps: readonly FieldStep[], key: string): number {
  let joined = '';
  for (const [index, step] of steps.entries()) {
    if (step.type !== 'name' || step.quoted) return 0;
    joined += `${index === 0 ? '' : '.'}${step.name}`;
    if (joined === key) return index + 1;
    if (!key.startsWith(joined)) return 0;
  }
  return 0;
}

interface Missing extends FieldQuestion {
  readonly steps: readonly FieldStep[];
}

function describeMissing(traces: readonly FieldTrace[], { object, text, steps }: Missing): Diagnostic {
  const near = nearest(text, new Set(traces.map(({ path }) => formatField(path, object)))) ?? nearInPlace();
  return traceProblems.create('explain-field-unknown', { text, object: formatObject(object), near });

  /** The text with its last word replaced by one that some field has. */
  function nearInPlace(): string | undefined {
    const last = steps.at(-1);
    if (last?.type !== 'name' || last.quoted) return undefined;
    const known = traces.flatMap(({ path }) => path.filter((step) => typeof step === 'string'));
    const meant = nearest(last.name, new Set(known));
    return meant === undefined || meant === last.name ? undefined : `${text.slice(0, -last.name.length)}${meant}`;
  }
}
