import { quote } from '../../diagnostics/index.ts';
import { isJsonArray } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';

/** Unescaped steps of a JSON Pointer (RFC 6901); whether a step is a key or an index depends on the data. */
export type Pointer = readonly string[];

export interface PointerProblem {
  readonly reason: string;
  readonly hint: string;
}

/** `/a~1b/0` → `['a/b', '0']`; the empty string is the whole document. */
export function parsePointer(text: string): Pointer | PointerProblem {
  if (text === '') return [];
  if (!text.startsWith('/')) {
    return { reason: 'does not start with "/"', hint: `did you mean \`${suggestPointer(text)}\`?` };
  }
  if (/~(?![01])/.test(text)) {
    return { reason: 'has a "~" that is not followed by 0 or 1', hint: 'use ~0 for a "~" in a key, and ~1 for a "/"' };
  }
  const steps = text.slice(1).split('/').map(unescapeStep);
  if (steps.includes('__proto__')) {
    return { reason: 'contains the key "__proto__", which is not allowed', hint: 'use another key' };
  }
  return steps;
}

export function formatPointer(steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Whether `inner` equals `outer` or is below it. */
export function isWithin(inner: Pointer, outer: Pointer): boolean {
  return outer.length <= inner.length && outer.every((step, index) => step === inner[index]);
}

export function isSamePointer(a: Pointer, b: Pointer): boolean {
  return a.length === b.length && isWithin(a, b);
}

function unescapeStep(step: string): string {
  return step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step;
}

/** Recognises `spec.replicas`, `spec/replicas`, `$.spec.list[0]` and `#/spec` as `/spec/replicas`. */
function suggestPointer(text: string): string {
  const path = text.replace(/^[#$]/, '').replace(/^[./]/, '');
  const separator = path.includes('/') ? /\// : /[.[\]]+/;
  return `/${path.split(separator).filter(Boolean).join('/')}`;
}

/** A value in a message: scalars literally, collections by type. */
export function describeJson(value: Json): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (!isJsonArray(value)) return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
  return value.length === 0 ? 'an empty list' : `a list of ${countItems(value.length)}`;
}

export function countItems(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}
