import { escapeControls, quote } from '../../diagnostics/index.ts';
import type { Path } from '../../model/index.ts';

const plain = /^[A-Za-z_][\w-]*$/;

/** `spec.containers[0].image`, as people write paths; keys that would read as something else are quoted. */
export function formatPath(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (plain.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${quote(step)}]`;
  }
  return escapeControls(text);
}

/** The field as a message names it: its own key, and the indexes after it when it is an item of a list. */
export function fieldName(path: Path): string {
  const start = path.findLastIndex((step) => typeof step === 'string');
  if (start === -1) return formatPath(path);
  const key = String(path[start]);
  return `${plain.test(key) ? key : quote(key)}${formatPath(path.slice(start + 1))}`;
}

// Schemas of packages may allow thousands of values.
export const mostListed = 50;

/** `a`, `a or b`, `a, b or c`. The words may be the first of more. */
export function listWords(words: readonly string[], link: 'and' | 'or', count = words.length): string {
  if (count > mostListed) return `${words.slice(0, mostListed).join(', ')} ${link} ${count - mostListed} more`;
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${link} ${words.at(-1)}`;
}
