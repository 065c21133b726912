import { join } from 'node:path';

import { readStdin } from '../host/index.ts';
import type { Environment, WorkerProcess } from './environment.ts';
import { printFailure } from './print-result.ts';
import { run } from './run.ts';
import { openStandardStream } from './standard-stream.ts';

/** Set by the build of the standalone executable, which brings its own runtime and lies next to nothing. */
declare const IS_EXECUTABLE: boolean | undefined;
const isExecutable = typeof IS_EXECUTABLE !== 'undefined' && IS_EXECUTABLE;

const [first, second] = process.argv.slice(2);
const isWatching = process.argv.includes('--watch');
/** Whether the exit code says what the output says. */
const isVerdict = first === 'validate' || (first === 'fleet' && second === 'validate');

const stdout = openStandardStream(1, (error) => {
  if (error.code !== 'EPIPE') refuseStdout(error.message);
  // A reader that closes the pipe (`kurel build | head`) is not a failure, but findings are, also those that it does not read.
  if (isWatching) process.exit(0);
});
// Without a reader of its messages, a run is pointless.
const stderr = openStandardStream(2, () => process.exit(1));
const environment: Environment = {
  workingDirectory: findWorkingDirectory(),
  variables: process.env,
  stdoutIsTerminal: stdout.isTerminal,
  stderrIsTerminal: stderr.isTerminal,
  stdinIsTerminal: () => process.getBuiltinModule('node:tty').isatty(0),
  // Each of them may be redirected.
  columns: () => (stderr.isTerminal ? process.stderr : process.stdout).columns,
  // `.tools` of the project that kurel is installed in: next to its node_modules, or next to packages/ in kurel's own repository.
  toolsDirectories: isExecutable ? [] : [join(import.meta.dirname, '..', '..', '..', '..', '.tools', 'bin')],
  readStdin: async (maxBytes) => readStdin(process.stdin, maxBytes),
  writeStdout(text) {
    if (text !== '' && !isVerdict && stdout.isClosed()) refuseStdout('it is closed', 'to discard it, use > /dev/null');
    stdout.write(text);
  },
  writeStderr: stderr.write,
  ...(stdout.isTerminal ? { page } : {}),
  startWorker,
};

// Nothing else catches errors of callbacks, and Node would print a stack trace.
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    void printFailure(error, {}, environment).then(
      (exitCode) => process.exit(exitCode),
      () => process.exit(1),
    );
  });
}

// The kernel does not end process 1 on these signals, and kurel is that process in a container. Clean-up comes before.
if (process.pid === 1) {
  for (const [signal, number] of Object.entries({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15 })) {
    process.on(signal, () => process.exit(128 + number));
  }
}

// Without this, Node waits at exit for compiler threads to optimise code that will not run again.
void run(process.argv.slice(2), environment).then((exitCode) => {
  stderr.finish(() => stdout.finish(() => process.exit(exitCode)));
});

/** Output that is lost must not look like a success. */
function refuseStdout(reason: string, hint?: string): never {
  const advice = hint === undefined ? '' : `   = hint: ${hint}\n`;
  stderr.write(`error: cannot write to standard output: ${reason}\n${advice}`);
  return process.exit(1);
}

/** It may have been deleted since the shell changed to it. */
function findWorkingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    stderr.write('error[usage]: the working directory no longer exists\n   = hint: change to an existing directory\n');
    return process.exit(2);
  }
}

/** Node's own channel between processes; loaded with the first worker. */
function startWorker(): WorkerProcess {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const words = [...(isExecutable ? [] : [...process.execArgv, process.argv[1]!]), '__fleet-worker'];
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'] as const;
  const worker = spawn(process.execPath, words, { stdio: [...stdio], serialization: 'advanced' });
  const ended = new Promise<string>((resolve) => {
    worker.once('error', (error) => resolve(error.message));
    worker.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  return {
    send: (message) => void worker.send(message, () => undefined),
    onMessage: (handle) => void worker.on('message', handle),
    onExit: (handle) => void ended.then(handle),
    stop: () => worker.connected && worker.disconnect(),
  };
}

/** Shows text in a pager if it is longer than the screen; writes it if it is not, or if the pager cannot be started. */
async function page(text: string): Promise<void> {
  const fallback = process.platform === 'win32' ? '' : 'less';
  const command = (process.env['KUREL_PAGER'] ?? process.env['PAGER'] ?? fallback).trim();
  const rows: number | undefined = process.stdout.rows;
  const isShort = !rows || text.split('\n').length <= rows;
  const isDisabled = command === '' || command === 'cat' || process.env['TERM'] === 'dumb';
  if (isShort || isDisabled || !(await runPager(command, text))) environment.writeStdout(text);
}

/** The command is the user's own setting and may have arguments, so a shell runs it, as git does. */
function runPager(command: string, text: string): Promise<boolean> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  return new Promise((resolve) => {
    // Colours, no pager for short texts, and the text stays on the screen. The user's LESS takes precedence.
    const env = { LESS: 'FRX', ...process.env };
    const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env });
    child.on('error', () => resolve(false));
    // A shell exits with 127 or 126 if it cannot run the command.
    child.on('close', (code) => resolve(code !== 127 && code !== 126));
    // The user may leave the pager before it has read everything.
    child.stdin.on('error', () => undefined);
    child.stdin.end(text);
  });
}
