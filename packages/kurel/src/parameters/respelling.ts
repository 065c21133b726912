import type { Json } from '../model/index.ts';
import type { Reference } from './template.ts';
import type { WrittenAt } from './written-parameters.ts';

/** What to tell when a value does not look in a text as its author wrote it: 1.10 becomes 1.1 there. */
export function respelling(
  { text, path }: Reference,
  value: Exclude<Json, object>,
  writtenAt: WrittenAt | undefined,
): { readonly variable: string; readonly written: string; readonly becomes: string } | undefined {
  if (typeof value === 'string' || path === undefined || writtenAt === undefined) return undefined;
  const written = writtenAt(path);
  const becomes = String(value);
  return written === undefined || written === becomes ? undefined : { variable: text, written, becomes };
}
