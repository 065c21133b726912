import { join } from 'node:path';

import type { Environment } from '../src/cli/environment.ts';
import { run } from '../src/cli/run.ts';
import { repository } from './source-tree.ts';

export interface ProgramOutcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The real program, in-process: the words after `kurel` → what it printed and its exit code. */
export async function runProgram(
  words: readonly string[],
  options: Partial<Environment> & { readonly stdin?: string } = {},
  start: typeof run = run,
): Promise<ProgramOutcome> {
  const written = { stdout: '', stderr: '' };
  const environment: Environment = {
    workingDirectory: repository,
    variables: { PATH: process.env['PATH'] },
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    toolsDirectories: [join(repository, '.tools', 'bin')],
    readStdin: async () => options.stdin ?? '',
    writeStdout: (text) => (written.stdout += text),
    writeStderr: (text) => (written.stderr += text),
    ...options,
  };
  const exitCode = await start(words, environment);
  return { exitCode, ...written };
}
