import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';

export interface Candidate {
  readonly value: string;
  readonly description?: string | undefined;
}

export interface Position {
  readonly command: Command;
  /** All arguments before the cursor, without the command. */
  readonly words: readonly string[];
  readonly positionals: readonly string[];
  readonly current: string;
  readonly environment: Environment;
  readonly run: Run;
}

/** The program itself, which answers questions about the package. */
export type Run = (words: readonly string[], environment: Environment) => Promise<unknown>;
