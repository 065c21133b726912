import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface ProgramSearch {
  readonly found: string | undefined;
  readonly searched: readonly string[];
}

/**
 * Searches `KUREL_TOOLS`, then PATH, then `toolsDirectories`. Ignores relative directories: they could be inside a package, and a
 * package must not bring its own helm.
 */
export function findProgram(
  program: string,
  options: { readonly environment: Environment; readonly toolsDirectories?: readonly string[] },
): ProgramSearch {
  const { environment, toolsDirectories = [] } = options;
  const name = process.platform === 'win32' ? `${program}.exe` : program;
  const candidates = [environment.KUREL_TOOLS, ...searchPath(environment).split(delimiter), ...toolsDirectories];
  const searched = [...new Set(candidates.filter((path): path is string => path !== undefined && isAbsolute(path)))];
  const directory = searched.find((candidate) => isExecutable(join(candidate, name)));
  return { found: directory === undefined ? undefined : join(directory, name), searched };
}

/** PATH is called Path on Windows. */
export function searchPath(environment: Environment): string {
  return environment.PATH ?? environment.Path ?? '';
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
