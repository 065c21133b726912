import { escapeControls } from '../../diagnostics/index.ts';
import { isJsonObject, stepInto } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import type { PlainMatch, PlainStep } from './prepare-field.ts';

/** `spec.containers[0].image`, for messages. */
export function formatPath(path: Path): string {
  return escapeControls(path.map(formatStep).join(''));
}

/** `spec.containers[name=main].image`: does not change when items before it are added or removed. */
export function formatNamedPath(path: Path, root: Json): string {
  let value: Json | undefined = root;
  const steps = path.map((step, index) => {
    value = stepInto(value, step);
    const name = typeof step === 'number' && isJsonObject(value) ? value['name'] : undefined;
    return typeof name === 'string' ? `[name=${name}]` : formatStep(step, index);
  });
  return escapeControls(steps.join(''));
}

function formatStep(step: string | number, index: number): string {
  if (typeof step === 'number') return `[${step}]`;
  if (/[.[\]"\s]/.test(step) || step === '') return `[${JSON.stringify(step)}]`;
  return index === 0 ? step : `.${step}`;
}

const longest = 60;

/** A short, one-line form of a value for messages. */
export function describeValue(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
  return escapeControls(text.length > longest ? `${text.slice(0, longest - 1)}…` : text);
}

/** `name=main,image=x`, for messages. */
export function findDescription({ conditions }: PlainMatch): string {
  return escapeControls(conditions.map(({ path, value }) => `${path.join('.')}=${value}`).join(','));
}

/** Valid path syntax for the steps: `containers[name=main].image`. */
export function describeSteps(steps: readonly PlainStep[]): string {
  return steps
    .map((step, index) => {
      if (step.type === 'index') return `[${step.index}]`;
      if (step.type === 'all') return '[*]';
      if (step.type === 'match') return `[${findDescription(step)}]`;
      const isKey = step.quoted || /[.[\]\s]/.test(step.name);
      return isKey ? `[${JSON.stringify(step.name)}]` : `${index === 0 ? '' : '.'}${escapeControls(step.name)}`;
    })
    .join('');
}
