import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';

import { repository } from './source-tree.ts';

/** A standalone executable to test instead of the sources; `npm run test:executable` sets it. */
export const executable: string | undefined = process.env['KUREL_EXECUTABLE'];

/** The words that start the built program: the executable, or Node and the program's file. */
export const programWords: readonly [string, ...string[]] =
  executable === undefined
    ? [process.execPath, join(repository, 'packages', 'kurel', 'bin', 'kurel.cjs')]
    : [executable];

interface ProgramSurroundings {
  readonly workingDirectory: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly stdin: string;
}

/** Runs the built program as a shell does. Programs such as helm are found where the sources find them. */
export function spawnProgram(
  words: readonly string[],
  { workingDirectory, variables, stdin }: ProgramSurroundings,
): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }> {
  const path = [variables['PATH'] ?? '', join(repository, '.tools', 'bin')].filter((one) => one !== '');
  const env = { ...variables, PATH: path.join(delimiter) };
  const [file, ...before] = programWords;
  return new Promise((resolve) => {
    const child = execFile(
      file,
      [...before, ...words],
      { cwd: workingDirectory, env, maxBuffer: 2 ** 30 },
      (error, stdout, stderr) => resolve({ exitCode: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    );
    // A program that does not read its standard input may have ended.
    child.stdin!.on('error', () => undefined);
    child.stdin!.end(stdin);
  });
}
