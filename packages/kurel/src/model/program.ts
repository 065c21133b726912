import type { Message } from './message.ts';
import type { Awaitable } from './pipeline.ts';

/** Runs another program, never through a shell. `host` does it with processes; tests with a table. */
export interface ProgramRunner {
  run(call: ProgramCall): Awaitable<ProgramResult>;
}

export interface ProgramCall {
  readonly program: 'helm' | 'kustomize' | 'kubectl';
  readonly args: readonly string[];
  readonly stdin?: string;
  /** Files that the runner writes to a temporary directory for the duration of the call. */
  readonly workspace?: ProgramWorkspace;
  /** Added to a minimal environment; the user's environment is not passed on unless the runner is configured to. */
  readonly environment?: Readonly<Record<string, string>>;
  /** If not true, the runner hides proxies, certificates and other programs from this one, and points HTTP to a dead end. */
  readonly network?: boolean;
  readonly signal?: AbortSignal;
}

export interface ProgramWorkspace {
  /** Replaced in `args` by the path of the temporary directory; in `stderr` that path is replaced by the token. */
  readonly token: string;
  /** File contents by path relative to the workspace, with `/`. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
}

export interface ProgramResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The user's environment variables that the program received, or would have received if they were set. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
}

export class ProgramError extends Error {
  readonly program: string;
  readonly reason:
    | 'not-found'
    | 'timeout'
    | 'too-much-memory'
    | 'output-too-large'
    | 'output-not-utf-8'
    | 'killed'
    | 'failed-to-start';
  /** What the user can do about it, for example where the program was searched. */
  readonly hint: Message | undefined;

  constructor(
    program: string,
    reason: ProgramError['reason'],
    message: string,
    options?: { readonly cause?: unknown; readonly hint?: Message },
  ) {
    super(message, options);
    this.name = 'ProgramError';
    this.program = program;
    this.reason = reason;
    this.hint = options?.hint;
  }
}
