import { spawn } from 'node:child_process';

export interface Server {
  /** What it printed last, if it has ended. */
  readonly failure: () => string | undefined;
  readonly stop: () => Promise<void>;
}

/** Starts a server whose state nobody needs afterwards. Without variables it has those of this process. */
export function startServer(
  file: string,
  words: readonly string[],
  variables: NodeJS.ProcessEnv = process.env,
): Server {
  const child = spawn(file, words, { stdio: ['ignore', 'ignore', 'pipe'], env: variables });
  let printed = '';
  child.stderr.on('data', (data: Buffer) => {
    printed = (printed + data.toString()).slice(-10_000);
  });
  const gone = new Promise<void>((resolve) => {
    child.on('exit', () => resolve());
  });
  return {
    failure: () => (child.exitCode === null && child.signalCode === null ? undefined : printed),
    stop: async () => {
      // An API server would wait for its clients.
      child.kill('SIGKILL');
      await gone;
    },
  };
}
