import { join } from 'node:path';

import type { Environment } from '../src/cli/environment.ts';
import { run } from '../src/cli/run.ts';
import { executable, spawnProgram } from './kurel-program.ts';
import { repository } from './source-tree.ts';

export interface ProgramOutcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a process of its own can have, too. */
const ofProcesses = new Set(['workingDirectory', 'variables', 'stdin']);

/**
 * The real program, in-process: the words after `kurel` → what it printed and its exit code. If an executable is tested, that one is run
 * wherever a process of its own can do it.
 */
export async function runProgram(
  words: readonly string[],
  options: Partial<Environment> & { readonly stdin?: string } = {},
  start: typeof run = run,
): Promise<ProgramOutcome> {
  if (executable !== undefined && start === run && Object.keys(options).every((name) => ofProcesses.has(name))) {
    const { workingDirectory = repository, variables = { PATH: process.env['PATH'] }, stdin = '' } = options;
    return spawnProgram(words, { workingDirectory, variables, stdin });
  }
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
