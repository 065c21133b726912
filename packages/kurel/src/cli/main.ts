import { join } from 'node:path';

import type { Environment } from './environment.ts';
import { run } from './run.ts';

// A reader that went away (`kurel build | head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`error: cannot write to standard output: ${error.message}\n`);
  process.exit(1);
});
const environment: Environment = {
  workingDirectory: process.cwd(),
  variables: process.env,
  stdoutIsTerminal: process.stdout.isTTY,
  stderrIsTerminal: process.stderr.isTTY,
  // `.tools` of the project that kurel is installed in: beside its node_modules, or beside packages/ in kurel's own tree.
  toolsDirectories: [join(import.meta.dirname, '..', '..', '..', '..', '.tools', 'bin')],
  readStdin: async () => (await import('../host/index.ts')).readStdin(),
  writeStdout: (text) => process.stdout.write(text),
  writeStderr: (text) => process.stderr.write(text),
};

// Left alone, Node waits at its end for the compiler's threads to optimise code that nobody will run again. Once everything is
// written there is nothing to wait for.
void run(process.argv.slice(2), environment).then((exitCode) => {
  process.stderr.write('', () => process.stdout.write('', () => process.exit(exitCode)));
});
