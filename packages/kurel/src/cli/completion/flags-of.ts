import { commonFlags } from '../command.ts';
import type { Command, FlagDefinition } from '../command.ts';

export interface CompletedFlag extends FlagDefinition {
  readonly name: string;
}

export function flagsOf(command: Command): readonly CompletedFlag[] {
  return Object.entries({ ...command.flags, ...commonFlags }).map(([name, flag]) => Object.assign({ name }, flag));
}

/** A text inside single quotes of a POSIX-like shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
