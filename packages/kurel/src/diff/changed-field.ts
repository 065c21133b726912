import { escapeControls } from '../diagnostics/index.ts';
import type { Path } from '../model/index.ts';
import type { ChangeStep, FieldChange, ItemStep } from './difference.ts';

/** Path of a change in patch syntax: `spec.containers[name=web].image`. */
export function formatChangedField(path: readonly ChangeStep[]): string {
  let text = '';
  for (const step of path) text += typeof step === 'string' ? formatKey(step, text === '') : formatItem(step);
  return escapeControls(text);
}

const longestKey = 100;

function formatKey(key: string, isFirst: boolean): string {
  const shown = key.length <= longestKey ? key : `${key.slice(0, longestKey)}…`;
  if (!/^[^\s.[\]"'=]+$/.test(shown)) return `[${JSON.stringify(shown)}]`;
  return isFirst ? shown : `.${shown}`;
}

/** Names an item by its key if that is short enough to read. */
function formatItem({ before, after, keys = [] }: ItemStep): string {
  const named = keys.map(({ name, value }) => `${name}=${String(value)}`).join(',');
  return /^[\w.$/:@=, -]{1,80}$/.test(named) ? `[${named}]` : `[${after ?? before}]`;
}

/** Path of a change in each of the two objects, if it exists there. */
export function pathsOfChange({ operation, path }: FieldChange): { readonly before?: Path; readonly after?: Path } {
  const [before, after] = (['before', 'after'] as const).map((side) =>
    path.map((step) => (typeof step === 'string' ? step : step[side]!)),
  );
  return {
    ...(operation === 'add' ? {} : { before: before! }),
    ...(operation === 'remove' ? {} : { after: after! }),
  };
}
