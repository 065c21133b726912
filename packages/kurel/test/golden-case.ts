import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { caseEnding, formatArchive, parseArchive } from './case-archive.ts';
import type { CaseInclude } from './case-archive.ts';

/** The files of a case, whether it is an archive (`NAME.case`) or a directory. Paths have `/`. */
export interface GoldenCase {
  readonly name: string;
  /** A directory of the disk; undefined for an archive. */
  readonly directory: string | undefined;
  /** All files, sorted; those of an archive with what it includes. */
  list(): readonly string[];
  has(path: string): boolean;
  read(path: string): string;
  /** Writes the case's own file; undefined removes it. */
  write(path: string, text: string | undefined): void;
  /** Copies the files below a directory of the case into one of the disk. */
  copyTo(target: string, below?: string): void;
}

/** Names of the cases in a folder, sorted. */
export function listCases(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.name.endsWith(caseEnding))
    .map(({ name }) => (name.endsWith(caseEnding) ? name.slice(0, -caseEnding.length) : name));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new Error(`${join(folder, twice)} is an archive and a directory; run npm run cases pack`);
  return names.toSorted();
}

/** @param path of a case, without the ending of an archive. */
export function openCase(path: string): GoldenCase {
  if (existsSync(`${path}${caseEnding}`)) return openArchive(`${path}${caseEnding}`);
  if (existsSync(path)) return openDirectory(path);
  throw new Error(`there is no case ${path}`);
}

/** Texts of all files below a folder whose names have the ending; an archive counts as a directory. */
export function readTexts(folder: string, ending: RegExp): readonly { readonly path: string; readonly text: string }[] {
  const found = listPaths(folder).flatMap((path) => {
    if (!path.endsWith(caseEnding))
      return ending.test(path) ? [{ path, text: readFileSync(join(folder, path), 'utf8') }] : [];
    return Array.from(readArchive(join(folder, path)), ([inner, text]) => ({
      path: `${path.slice(0, -caseEnding.length)}/${inner}`,
      text,
    })).filter((file) => ending.test(file.path));
  });
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function openArchive(file: string): GoldenCase {
  let files = readArchive(file);
  return {
    name: basename(file, caseEnding),
    directory: undefined,
    list: () => [...files.keys()].toSorted(),
    has: (path) => files.has(path),
    read(path) {
      const text = files.get(path);
      if (text === undefined) throw new Error(`${file} has no ${path}`);
      return text;
    },
    write(path, text) {
      const archive = parseArchive(readFileSync(file, 'utf8'));
      const own = new Map(archive.files);
      if (text === undefined) own.delete(path);
      else own.set(path, text);
      writeFileSync(file, formatArchive({ ...archive, files: own }));
      files = readArchive(file);
    },
    copyTo(target, below = '') {
      const start = below === '' ? '' : `${below}/`;
      const made = new Set<string>();
      for (const [path, text] of files) {
        if (!path.startsWith(start)) continue;
        const copy = join(target, path.slice(start.length));
        const parent = dirname(copy);
        if (!made.has(parent)) mkdirSync(parent, { recursive: true });
        made.add(parent);
        writeFileSync(copy, text);
      }
    },
  };
}

function readArchive(file: string): ReadonlyMap<string, string> {
  try {
    const { includes, files } = parseArchive(readFileSync(file, 'utf8'));
    const included = includes.flatMap((include) => readIncluded(dirname(file), include));
    return new Map([...included, ...files]);
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

function readIncluded(folder: string, { path, into }: CaseInclude): readonly (readonly [string, string])[] {
  const file = join(folder, path);
  if (!path.endsWith(caseEnding)) return [[into, readFileSync(file, 'utf8')]];
  return Array.from(readArchive(file), ([inner, text]) => [into === '' ? inner : `${into}/${inner}`, text]);
}

function openDirectory(directory: string): GoldenCase {
  const isFile = (path: string): boolean =>
    statSync(join(directory, path), { throwIfNoEntry: false })?.isFile() ?? false;
  return {
    name: basename(directory),
    directory,
    list: () => listPaths(directory),
    has: isFile,
    read: (path) => readFileSync(join(directory, path), 'utf8'),
    write(path, text) {
      const file = join(directory, path);
      if (text === undefined) rmSync(file);
      else {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
    },
    copyTo(target, below = '') {
      const from = join(directory, below);
      if (existsSync(from)) cpSync(from, target, { recursive: true, verbatimSymlinks: true });
    },
  };
}

/** Files and links to files, sorted. */
function listPaths(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .map((path) => path.slice(join(directory, '/').length).replaceAll('\\', '/'))
    .toSorted();
}
