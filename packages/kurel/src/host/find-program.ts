import { accessSync, constants, statSync } from 'node:fs';
import system from 'node:path';

import { ProgramError } from '../model/index.ts';
import type { PathModule } from './relative-path.ts';

/** Variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** On Windows, where names have no case, a variable without a value would also hide one of another spelling. */
export function definedIn(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
}

interface ProgramPlaces {
  readonly environment: Environment;
  readonly toolsDirectories?: readonly string[];
}

/** The file of a program; throws a `ProgramError` with advice on how to get it. */
export function requireProgram(program: string, places: ProgramPlaces, advice: string): string {
  const { found: file, searched } = findProgram(program, places);
  if (file !== undefined) return file;
  throw new ProgramError(program, 'not-found', `program "${program}" is not installed or not on PATH`, {
    hint: `${advice}; ${searched.length === 0 ? 'PATH is empty' : `searched ${searched.join(', ')}`}`,
  });
}

/**
 * Searches `KUREL_TOOLS`, then PATH, then `toolsDirectories`. Ignores relative directories: they could be inside a package, and a
 * package must not bring its own helm.
 */
export function findProgram(
  program: string,
  { environment, toolsDirectories = [] }: ProgramPlaces,
  { platform = system, isExecutable = isExecutableFile }: SearchedSystem = {},
): { readonly found: string | undefined; readonly searched: readonly string[] } {
  // Of the extensions in PATHEXT, .exe is the only one that starts without a shell.
  const name = platform.sep === '\\' ? `${program}.exe` : program;
  const candidates = [environment.KUREL_TOOLS, ...searchPath(environment, platform), ...toolsDirectories];
  const isSearched = (path: string | undefined): path is string => path !== undefined && platform.isAbsolute(path);
  const searched = [...new Set(candidates.filter(isSearched))];
  const file = searched.map((directory) => platform.join(directory, name)).find(isExecutable);
  return { found: file, searched };
}

interface SearchedSystem {
  readonly platform?: PathModule;
  readonly isExecutable?: (path: string) => boolean;
}

/** The absolute directories of PATH, which is called Path on Windows and may have quotes there. */
export function searchPath(environment: Environment, platform: PathModule = system): readonly string[] {
  const directories = (environment.PATH ?? environment.Path ?? '').split(platform.delimiter);
  const unquoted = platform.sep === '/' ? directories : directories.map((path) => path.replaceAll('"', ''));
  return unquoted.filter((path) => platform.isAbsolute(path));
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
