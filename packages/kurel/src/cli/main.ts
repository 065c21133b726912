import { join } from 'node:path';

import type { Environment } from './environment.ts';
import { run } from './run.ts';

const interrupted = new AbortController();

// A reader that went away (`kurel build | head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.once('SIGINT', () => {
  interrupted.abort(new Error('interrupted'));
  process.exitCode = 130;
});

const environment: Environment = {
  workingDirectory: process.cwd(),
  variables: process.env,
  stdoutIsTerminal: process.stdout.isTTY,
  stderrIsTerminal: process.stderr.isTTY,
  signal: interrupted.signal,
  // `.tools` of the project that kurel is installed in: beside its node_modules, or beside packages/ in kurel's own tree.
  toolsDirectories: [join(import.meta.dirname, '..', '..', '..', '..', '.tools', 'bin')],
  readStdin: async () => (await import('../host/index.ts')).readStdin(),
  writeStdout: (text) => process.stdout.write(text),
  writeStderr: (text) => process.stderr.write(text),
};

void run(process.argv.slice(2), environment).then((exitCode) => {
  process.exitCode ??= exitCode;
});
