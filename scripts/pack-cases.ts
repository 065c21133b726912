import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

import { caseEnding, formatArchive, isArchivable, parseArchive } from '../packages/kurel/test/case-archive.ts';
import type { CaseArchive, CaseInclude } from '../packages/kurel/test/case-archive.ts';
import { openCase } from '../packages/kurel/test/golden-case.ts';

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
  rmSync(`${path}${caseEnding}`);
}

function readFixtures(folder: string): readonly Fixture[] {
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder).map((name) => {
    const file = join(folder, name);
    if (!name.endsWith(caseEnding)) return { file, files: new Map([['', readFileSync(file, 'utf8')]]) };
    const one = openCase(file.slice(0, -caseEnding.length));
    return { file, files: new Map(one.list().map((path) => [path, one.read(path)])) };
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
    readdirSync(directory).some((name) => /^expected(?:$|\.)/.test(name)) || existsSync(`${directory}${caseEnding}`)
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
function compareSections(one: string, other: string): number {
  const rank = (path: string): number => (/^expected\b/.test(path) ? 2 : path.includes('/') ? 1 : 0);
  return rank(one) - rank(other) || (one < other ? -1 : 1);
}

function packCase(directory: string, given: Files, fixtures: readonly Fixture[]): void {
  const file = `${directory}${caseEnding}`;
  // A case that is both was changed by someone who did not know the archive: the directory has what is new.
  const before = existsSync(file) ? openCase(directory) : undefined;
  const kept = before?.list().map((path) => [path, before.read(path)] as const) ?? [];
  const all = new Map([...kept, ...given]);
  const files = new Map([...all].toSorted(([one], [other]) => compareSections(one, other)));
  const comment = before === undefined ? '' : parseArchive(readFileSync(file, 'utf8')).comment;
  const archive = { comment, ...shareFixtures(files, fixtures, dirname(file)) };
  writeFileSync(file, formatArchive(archive));
  check(directory, files);
  rmSync(directory, { recursive: true });
}

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

function joinPaths(one: string, other: string): string {
  return [one, other].filter((path) => path !== '').join('/');
}

function directoriesOf(files: Files): readonly string[] {
  const found = new Set(['']);
  for (const path of files.keys()) {
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) found.add(parent);
  }
  return [...found].toSorted();
}

function check(path: string, files: Files): void {
  const written = parseArchive(readFileSync(`${path}${caseEnding}`, 'utf8'));
  if (formatArchive(written) !== readFileSync(`${path}${caseEnding}`, 'utf8')) throw new Error(`${path} is not exact`);
  const one = openCase(path);
  const wrong = one.list().filter((inner) => one.read(inner) !== files.get(inner));
  if (wrong.length > 0 || one.list().length !== files.size) throw new Error(`${basename(path)} lost ${wrong.join()}`);
}
