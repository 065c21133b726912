import type { CommandCall } from './command.ts';
import type { SchemaFlags } from './commands/schema.ts';
import { UsageError } from './usage-error.ts';

type Flags = CommandCall<SchemaFlags>['flags'];

/** Flags that only patch packages have a use for. */
export const ofPatchPackages = [
  'write',
  'no-cache',
  'values',
  'set',
  'set-string',
  'local',
  'no-local',
  'enable',
  'max-depth',
  'max-resources',
] as const satisfies readonly (keyof SchemaFlags)[];

/** What holds for every schema that is made rather than shown. */
export function checkMade({ output, recursive, format }: Flags): void {
  if (output === '') throw new UsageError('--output is empty', '--output FILE');
  if (recursive) throw new UsageError('--recursive is for kurel schema show', 'a generated schema is always whole');
  if (format === 'text') throw new UsageError('a generated schema cannot be text', 'leave out --format: it is JSON');
}
