import { escapeControls, quote } from '../diagnostics/index.ts';
import type { Path } from '../model/index.ts';

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

/** The field as a message names it: its own key, and the indexes behind it when it is an item of a list. */
export function fieldName(path: Path): string {
  const start = path.findLastIndex((step) => typeof step === 'string');
  return start === -1 ? quote(formatPath(path)) : quote(`${path[start]}${formatPath(path.slice(start + 1))}`);
}

/** What something is missing from or unknown in: `"spec.template"`, or the kind for the object itself. */
export function holderName(path: Path, kind: string): string {
  return path.length === 0 ? escapeControls(kind) : `"${formatPath(path)}"`;
}
