import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

import { caseEnding, formatArchive, isArchivable, parseArchive } from '../packages/kurel/test/case-archive.ts';
import type { CaseArchive, CaseInclude, CasePart } from '../packages/kurel/test/case-archive.ts';
import { archiveOf, openCase, withPart } from '../packages/kurel/test/golden-case.ts';

type Files = ReadonlyMap<string, string>;

interface Fixture {
  readonly file: string;
  /** Of a fixture that is not an archive, the text by the path ''. */
  readonly files: Files;
}

const searched = ['packages/kurel/src', 'packages/kurel/test/cases', 'test/hostile'];
/** Folders in which every directory becomes an archive, whatever is in it. */
const whole = ['packages/kurel/test/data/package-examples', 'test/corpus/cases/manifests'];
export const fixtureFolder = 'packages/kurel/test/fixtures';

/** Packs every directory with a file `expected` or `expected.*` that an archive can hold. */
export function packCases(root: string, report: (line: string) => void): void {
  const fixtures = readFixtures(join(root, fixtureFolder));
  const directories = [
    ...searched.flatMap((folder) => findCases(join(root, folder))),
    ...whole.flatMap((folder) => listDirectories(join(root, folder))),
  ];
  let packed = 0;
  for (const directory of directories) {
    const files = readFiles(directory);
    if (files === undefined) report(`${relative(root, directory)} stays a directory`);
    else {
      packCase(directory, files, fixtures);
      packed += 1;
    }
  }
  report(`${packed} cases packed`);
}

export function unpackCase(path: string): void {
  openCase(path).copyTo(path);
  removeCase(path);
}

/** Moves cases into the archive of that path, which has their common files once. */
export function foldCases(path: string, names: readonly string[]): void {
  const file = `${path}${caseEnding}`;
  const folder = dirname(path);
  const folded = existsSync(file) ? parseArchive(readFileSync(file, 'utf8')).cases.keys() : [];
  const members = [...new Set([...folded, ...names])].toSorted();
  const parts = new Map(members.map((name) => [name, readPart(join(folder, name))]));
  const before = new Map(members.map((name) => [name, filesOf(join(folder, name))]));
  for (const name of members) removeCase(join(folder, name));
  const [first] = parts.values();
  const isCommon = (has: (part: CasePart) => boolean): boolean => parts.size > 1 && [...parts.values()].every(has);
  const includes = first!.includes.filter((include) => isCommon((part) => part.includes.some(isSame(include))));
  const files = new Map(
    [...first!.files].filter(
      ([inner, text]) => !/^(?:command|expected)\b/.test(inner) && isCommon((part) => part.files.get(inner) === text),
    ),
  );
  const cases = Array.from(parts, ([name, part]): readonly [string, CasePart] => [
    name,
    {
      comment: part.comment,
      includes: part.includes.filter((include) => !includes.some(isSame(include))),
      files: new Map([...part.files].filter(([inner]) => !files.has(inner))),
    },
  ]);
  writeFileSync(file, formatArchive({ comment: '', includes, files, cases: new Map(cases) }));
  for (const [name, expected] of before) check(join(folder, name), expected);
}

/** A case of an archive with all its sections, also those that it shares. */
function readPart(path: string): CasePart {
  const { cases, ...shared } = parseArchive(readFileSync(archiveOf(path)!, 'utf8'));
  const part = cases.get(basename(path));
  if (part === undefined) return shared;
  const more = part.includes.filter((include) => !shared.includes.some(isSame(include)));
  const includes = [...shared.includes, ...more];
  return { comment: part.comment, includes, files: new Map([...shared.files, ...part.files]) };
}

function isSame({ path, into }: CaseInclude): (include: CaseInclude) => boolean {
  return (include) => include.path === path && include.into === into;
}

function filesOf(path: string): Files {
  const opened = openCase(path);
  return new Map(opened.list().map((inner) => [inner, opened.read(inner)]));
}

function removeCase(path: string): void {
  const file = archiveOf(path)!;
  const archive = parseArchive(readFileSync(file, 'utf8'));
  const cases = new Map(archive.cases);
  cases.delete(basename(path));
  if (cases.size === 0) rmSync(file);
  else writeFileSync(file, formatArchive({ ...archive, cases }));
}

function readFixtures(folder: string): readonly Fixture[] {
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder).map((name) => {
    const file = join(folder, name);
    if (!name.endsWith(caseEnding)) return { file, files: new Map([['', readFileSync(file, 'utf8')]]) };
    return { file, files: filesOf(file.slice(0, -caseEnding.length)) };
  });
  return found.toSorted((a, b) => sizeOf(b.files) - sizeOf(a.files) || (a.file < b.file ? -1 : 1));
}

function sizeOf(files: Files): number {
  return [...files.values()].join('').length;
}

function listDirectories(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return entries.map(({ name }) => join(folder, name)).toSorted();
}

function findCases(folder: string): readonly string[] {
  return listDirectories(folder).flatMap((directory) =>
    readdirSync(directory).some((name) => /^expected(?:$|\.)/.test(name)) || archiveOf(directory) !== undefined
      ? [directory]
      : findCases(directory),
  );
}

/** The files of a directory, or undefined when an archive cannot hold them. */
function readFiles(directory: string): Files | undefined {
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  const files = new Map<string, string>();
  for (const path of paths.toSorted(compareSections)) {
    const stat = lstatSync(join(directory, path));
    if (stat.isDirectory()) continue;
    // Code is imported from where it is, and a notice must be found by its name.
    if (!stat.isFile() || (stat.mode & 0o111) !== 0 || path.endsWith('.mjs')) return undefined;
    const bytes = readFileSync(join(directory, path));
    if (!isArchivable(bytes)) return undefined;
    files.set(path, bytes.toString('utf8'));
  }
  return files;
}

/** The command first, then its input, and what is expected last. */
function compareSections(a: string, b: string): number {
  const rank = (path: string): number => (/^expected\b/.test(path) ? 2 : path.includes('/') ? 1 : 0);
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

function packCase(directory: string, changed: Files, fixtures: readonly Fixture[]): void {
  const file = archiveOf(directory) ?? `${directory}${caseEnding}`;
  // A case that is both was changed by someone who did not know the archive: the directory has what is new.
  const archive = existsSync(file) ? parseArchive(readFileSync(file, 'utf8')) : emptyArchive;
  const before: Files = existsSync(file) ? filesOf(directory) : new Map();
  const all = new Map([...before, ...changed]);
  const files = new Map([...all].toSorted(([a], [b]) => compareSections(a, b)));
  const { comment } = archive.cases.get(basename(directory)) ?? archive;
  const part = { comment, ...shareFixtures(files, fixtures, dirname(file)) };
  writeFileSync(file, formatArchive(withPart(archive, basename(directory), part)));
  check(directory, files);
  rmSync(directory, { recursive: true });
  if (archive.cases.size > 0) foldCases(file.slice(0, -caseEnding.length), []);
}

const emptyArchive: CaseArchive = { comment: '', includes: [], files: new Map(), cases: new Map() };

function shareFixtures(
  files: Files,
  fixtures: readonly Fixture[],
  folder: string,
): Pick<CaseArchive, 'includes' | 'files'> {
  const includes: CaseInclude[] = [];
  const covered = new Set<string>();
  const own = new Map(files);
  for (const fixture of fixtures) {
    for (const into of fixture.files.has('') ? files.keys() : directoriesOf(files)) {
      const at = Array.from(fixture.files, ([path, text]) => [joinPaths(into, path), text] as const);
      const same = at.filter(([path, text]) => files.get(path) === text);
      const fits = at.every(([path]) => files.has(path) && !covered.has(path));
      if (!fits || same.length * 2 <= at.length || at.some(([path]) => /^expected\b/.test(path))) continue;
      includes.push({ path: relative(folder, fixture.file).replaceAll('\\', '/'), into });
      for (const [path] of at) covered.add(path);
      for (const [path] of same) own.delete(path);
    }
  }
  return { includes, files: own };
}

function joinPaths(directory: string, path: string): string {
  return [directory, path].filter((part) => part !== '').join('/');
}

function directoriesOf(files: Files): readonly string[] {
  const found = new Set(['']);
  for (const path of files.keys()) {
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) found.add(parent);
  }
  return [...found].toSorted();
}

function check(path: string, files: Files): void {
  const text = readFileSync(archiveOf(path)!, 'utf8');
  if (formatArchive(parseArchive(text)) !== text) throw new Error(`${path} is not exact`);
  const opened = openCase(path);
  const wrong = opened.list().filter((inner) => opened.read(inner) !== files.get(inner));
  if (wrong.length > 0 || opened.list().length !== files.size)
    throw new Error(`${basename(path)} lost ${wrong.join()}`);
}
