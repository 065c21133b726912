import { escapeControls } from '../../diagnostics/index.ts';
import type { PlainMatch, PlainStep } from './prepared.ts';

/** `name=main,image=x`, as messages show a selector. */
export function findDescription({ conditions }: PlainMatch): string {
  return escapeControls(conditions.map(({ path, value }) => `${path.join('.')}=${value}`).join(','));
}

/** A path as it could be written: `containers[name=main].image`. */
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
