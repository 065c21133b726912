import { nearest } from '../diagnostics/index.ts';
import { valueAt } from '../model/index.ts';
import type { Diagnostic, KubeObject, Path } from '../model/index.ts';
import { parseFieldPath } from '../patch/index.ts';
import type { PlaceStep } from '../patch/index.ts';
import { textOf } from './field-trace.ts';
import type { FieldTrace } from './field-trace.ts';
import { formatField } from './format-field.ts';
import { formatObject } from '../kube/index.ts';
import { traceProblems } from './problems.ts';

export interface FieldQuestion {
  readonly object: KubeObject;
  /** `replicas`, `containers.name=web`: a path in patch syntax, which may start anywhere in the object. */
  readonly text: string;
}

/** Fields that match a path, and all below them; if it can start in several places, the topmost wins. */
export function selectFields(
  traces: readonly FieldTrace[],
  { object, text }: FieldQuestion,
): { readonly fields: readonly FieldTrace[] } | { readonly problem: Diagnostic } {
  const parsed = parseFieldPath(text);
  if (typeof parsed === 'string') {
    return { problem: traceProblems.create('explain-field-syntax', { text, reason: parsed }) };
  }
  const steps = parsed;
  const deepest = traces.reduce((most, { path }) => Math.max(most, path.length), 0);
  for (let start = 0; start < deepest; start += 1) {
    const fields = traces.filter(({ path }) => typeof path[start] !== 'number' && fits(path, 0, start));
    if (fields.length > 0) return { fields };
  }
  return { problem: describeMissing(traces, { object, text, steps }) };

  /** Whether the steps from a position lead along the rest of a path, or to a parent of its end. */
  function fits(path: Path, position: number, at: number): boolean {
    const step = steps[position];
    if (step === undefined) return true;
    const part = path[at];
    if (part === undefined) return false;
    if (step.type === 'all') return fits(path, position + 1, at + 1);
    if (typeof part === 'number') return fitsItem(path, position, at);
    if (step.type !== 'field') return false;
    const name = step.name.text;
    if (name === part) return fits(path, position + 1, at + 1);
    // Label keys contain dots and need no quotes here.
    const length = step.quoted ? 0 : joinedLength(steps.slice(position), part);
    if (length > 0) return fits(path, position + length, at + 1);
    // `template.labels` omits `metadata`.
    const isMetadata = part === 'metadata' && (name === 'labels' || name === 'annotations') && position > 0;
    return isMetadata && fits(path, position, at + 1);
  }

  function fitsItem(path: Path, position: number, at: number): boolean {
    const step = steps[position]!;
    if (step.type === 'match') {
      const item = valueAt(object, path.slice(0, at + 1));
      const isMatch = step.conditions.every(
        (condition) => textOf(valueAt(item, condition.path)) === condition.value.text,
      );
      return isMatch && fits(path, position + 1, at + 1);
    }
    const index = step.type === 'index' ? step.index : step.type === 'field' && indexOf(step.name.text);
    if (typeof index === 'number') return index === path[at] && fits(path, position + 1, at + 1);
    // A field of a list means that field of every item.
    return position > 0 && fits(path, position, at + 1);
  }
}

function indexOf(word: string): number | undefined {
  return /^[0-9]{1,9}$/.test(word) ? Number(word) : undefined;
}

/** Number of leading steps that, joined by dots, form a key. */
function joinedLength(steps: readonly PlaceStep[], key: string): number {
  let joined = '';
  for (const [index, step] of steps.entries()) {
    if (step.type !== 'field' || step.quoted) return 0;
    joined += `${index === 0 ? '' : '.'}${step.name.text}`;
    if (joined === key) return index + 1;
    if (!key.startsWith(joined)) return 0;
  }
  return 0;
}

interface Missing extends FieldQuestion {
  readonly steps: readonly PlaceStep[];
}

function describeMissing(traces: readonly FieldTrace[], { object, text, steps }: Missing): Diagnostic {
  const near = nearest(text, new Set(traces.map(({ path }) => formatField(path, object)))) ?? nearInPlace();
  return traceProblems.create('explain-field-unknown', { text, object: formatObject(object), near });

  /** The path with its last word replaced by an existing field. */
  function nearInPlace(): string | undefined {
    const last = steps.at(-1);
    if (last?.type !== 'field' || last.quoted) return undefined;
    const names = traces.flatMap(({ path }) => path.filter((step) => typeof step === 'string'));
    const meant = nearest(last.name.text, new Set(names));
    return meant === undefined || meant === last.name.text ? undefined : `${text.slice(0, last.range.start)}${meant}`;
  }
}
