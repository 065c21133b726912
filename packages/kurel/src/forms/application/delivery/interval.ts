import { formatDuration, parseDuration } from '../../../kube/index.ts';
import type { Field } from '../documents/field.ts';

const usual = '60m';

// No default in the table: whether the author wrote it matters where nothing looks for changes, or something else does.
export const interval = {
  type: 'string',
  description: `how often Flux looks for changes; every ${usual} unless given`,
  format: 'interval',
} as const satisfies Field;

/** As Flux writes it. */
export function formatInterval(asked: string = usual): string {
  return formatDuration(parseDuration(asked) ?? 0n);
}
