import type { Environment } from '../src/cli/environment.ts';
import { runProgram } from './run-program.ts';

export interface StartedWatch {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when it is so; waits long, for machines that have much to do. */
  readonly until: (isSo: () => boolean) => Promise<void>;
  /** How many runs have said what came of them. */
  readonly runs: () => number;
  /** Ends the watch as its caller would, and gives the exit code. */
  readonly end: () => Promise<number>;
}

const patienceMs = 30_000;

/** The real program with `--watch`, in-process. */
export function startWatch(words: readonly string[], options: Partial<Environment>): StartedWatch {
  const written = { stdout: '', stderr: '' };
  const controller = new AbortController();
  let isOver = false;
  const outcome = runProgram([...words, '--watch'], {
    ...options,
    signal: controller.signal,
    writeStdout: (text) => void (written.stdout += text),
    writeStderr: (text) => void (written.stderr += text),
  }).finally(() => (isOver = true));
  const until = async (isSo: () => boolean): Promise<void> => {
    const deadline = performance.now() + patienceMs;
    while (!isSo()) {
      if (isOver || performance.now() > deadline) throw new Error(`timed out:\n${written.stdout}${written.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return {
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    until,
    runs: () => Array.from(written.stderr.matchAll(/ in \d+ ms(?:;|$)/gm)).length,
    async end() {
      controller.abort();
      return (await outcome).exitCode;
    },
  };
}
