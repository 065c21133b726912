import { escapeControls, quote } from '../../diagnostics/index.ts';
import type { Path } from '../../model/index.ts';

const plain = /^[A-Za-z_][\w-]*$/;

/** `spec.containers[0].image`, the usual notation of paths; ambiguous keys are quoted. */
export function formatPath(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (plain.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${quote(step)}]`;
  }
  return escapeControls(text);
}

/** The field as messages name it: its own key, with the indexes after it for a list item. */
export function fieldName(path: Path): string {
  const start = path.findLastIndex((step) => typeof step === 'string');
  if (start === -1) return formatPath(path);
  const key = String(path[start]);
  return `${plain.test(key) ? key : quote(key)}${formatPath(path.slice(start + 1))}`;
}

// More typos in one object are unlikely.
export const mostMisspelt = 16;

// Package schemas may allow thousands of values.
export const mostListed = 50;

/** `a`, `a or b`, `a, b or c`. The words may be the first of more. */
export function listWords(words: readonly string[], link: 'and' | 'or', count = words.length): string {
  if (count > mostListed) return `${words.slice(0, mostListed).join(', ')} ${link} ${count - mostListed} more`;
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${link} ${words.at(-1)}`;
}
