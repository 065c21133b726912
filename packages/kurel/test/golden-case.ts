import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { caseEnding, formatArchive, parseArchive } from './case-archive.ts';
import type { CaseArchive, CaseInclude, CasePart } from './case-archive.ts';

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
  const names = [...indexArchives(folder).keys(), ...listDirectories(folder)];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new Error(`${join(folder, twice)} is in an archive and a directory; run npm run cases pack`);
  return names.toSorted();
}

/** @param path of a case, without the ending of an archive. */
export function openCase(path: string): GoldenCase {
  const file = archiveOf(path);
  if (file !== undefined) return openArchive(file, basename(path));
  if (existsSync(path)) return openDirectory(path);
  throw new Error(`there is no case ${path}`);
}

const indexes = new Map<string, ReadonlyMap<string, string>>();

/** The archive with the case, which may have others, too. */
export function archiveOf(path: string): string | undefined {
  const [folder, name] = [dirname(path), basename(path)];
  const file = indexes.get(folder)?.get(name);
  return file !== undefined && existsSync(file) ? file : indexArchives(folder).get(name);
}

/** Archives in a folder by the names of their cases. */
function indexArchives(folder: string): ReadonlyMap<string, string> {
  const index = new Map<string, string>();
  for (const entry of existsSync(folder) ? readdirSync(folder) : []) {
    if (!entry.endsWith(caseEnding)) continue;
    const file = join(folder, entry);
    for (const name of readArchive(file).keys()) {
      if (index.has(name)) throw new Error(`${name} is in ${index.get(name)} and in ${file}`);
      index.set(name, file);
    }
  }
  indexes.set(folder, index);
  return index;
}

function listDirectories(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Texts of all files below a folder whose names have the ending; a case in an archive counts as a directory. */
export function readTexts(folder: string, ending: RegExp): readonly { readonly path: string; readonly text: string }[] {
  const texts = listPaths(folder).flatMap((path) => {
    if (!path.endsWith(caseEnding))
      return ending.test(path) ? [{ path, text: readFileSync(join(folder, path), 'utf8') }] : [];
    return Array.from(readArchive(join(folder, path)), ([name, files]) =>
      Array.from(files, ([inner, text]) => ({ path: `${path.replace(/[^/]*$/, name)}/${inner}`, text })),
    )
      .flat()
      .filter((file) => ending.test(file.path));
  });
  return texts.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

type Files = ReadonlyMap<string, string>;

function openArchive(file: string, name: string): GoldenCase {
  let files = readArchive(file).get(name)!;
  return {
    name,
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
      const part = archive.cases.get(name) ?? archive;
      const own = new Map(part.files);
      if (text === undefined) own.delete(path);
      else own.set(path, text);
      writeFileSync(file, formatArchive(withPart(archive, name, { ...part, files: own })));
      files = readArchive(file).get(name)!;
    },
    copyTo(target, below = '') {
      const start = below === '' ? '' : `${below}/`;
      const created = new Set<string>();
      for (const [path, text] of files) {
        if (!path.startsWith(start)) continue;
        const copy = join(target, path.slice(start.length));
        const parent = dirname(copy);
        if (!created.has(parent)) mkdirSync(parent, { recursive: true });
        created.add(parent);
        writeFileSync(copy, text);
      }
    },
  };
}

/** The archive with another part for the case: the case of that name, or the archive itself if it is the case. */
export function withPart(archive: CaseArchive, name: string, part: CasePart): CaseArchive {
  return archive.cases.size === 0
    ? { ...archive, ...part }
    : { ...archive, cases: new Map(archive.cases).set(name, part) };
}

/** The files of each case in an archive, with what it includes and shares with the others. */
function readArchive(file: string): ReadonlyMap<string, Files> {
  try {
    const { cases, ...shared } = parseArchive(readFileSync(file, 'utf8'));
    const common = readPart(shared, dirname(file));
    if (cases.size === 0) return new Map([[basename(file, caseEnding), common]]);
    const own = Array.from(cases, ([name, part]) => [name, readPart(part, dirname(file))] as const);
    return new Map(own.map(([name, files]) => [name, new Map([...common, ...files])]));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

function readPart({ includes, files }: CasePart, folder: string): Files {
  return new Map([...includes.flatMap((include) => readIncluded(folder, include)), ...files]);
}

function readIncluded(folder: string, { path, into }: CaseInclude): readonly (readonly [string, string])[] {
  const file = join(folder, path);
  if (!path.endsWith(caseEnding)) return [[into, readFileSync(file, 'utf8')]];
  const files = readArchive(file).get(basename(file, caseEnding));
  if (files === undefined) throw new Error(`${path} has several cases and cannot be included`);
  return Array.from(files, ([inner, text]) => [into === '' ? inner : `${into}/${inner}`, text]);
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
