import { join } from 'node:path';

import { readStdin } from '../host/index.ts';
import { cutText } from './cut-text.ts';
import type { Environment } from './environment.ts';
import { reportFailure, run } from './run.ts';

// A reader that went away (`kurel build | head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`error: cannot write to standard output: ${error.message}\n`);
  process.exit(1);
});
// With --watch, messages may be all there is to read, and without a reader there is no reason to go on.
process.stderr.on('error', () => process.exit(1));
const environment: Environment = {
  workingDirectory: findWorkingDirectory(),
  variables: process.env,
  stdoutIsTerminal: process.stdout.isTTY,
  stderrIsTerminal: process.stderr.isTTY,
  // Either may go elsewhere.
  columns: () => (process.stderr.isTTY ? process.stderr : process.stdout).columns,
  // `.tools` of the project that kurel is installed in: beside its node_modules, or beside packages/ in kurel's own tree.
  toolsDirectories: [join(import.meta.dirname, '..', '..', '..', '..', '.tools', 'bin')],
  readStdin: async (maxBytes) => readStdin(process.stdin, maxBytes),
  writeStdout(text) {
    for (const piece of cutText(text)) process.stdout.write(piece);
  },
  writeStderr: (text) => process.stderr.write(text),
};

// What fails in a callback is caught by nobody else, and Node would print a stack.
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => process.exit(reportFailure(error, environment)));
}

// Left alone, Node waits at its end for the compiler's threads to optimise code that nobody will run again. Once everything is
// written there is nothing to wait for.
void run(process.argv.slice(2), environment).then((exitCode) => {
  process.stderr.write('', () => process.stdout.write('', () => process.exit(exitCode)));
});

/** Somebody may have deleted it since the shell went there. */
function findWorkingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    process.stderr.write('error[usage]: the working directory no longer exists\n   = hint: change to another one\n');
    return process.exit(2);
  }
}
