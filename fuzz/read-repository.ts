import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as golden from '../packages/kurel/test/golden-case.ts';

/** Set when the code is bundled, which moves it out of the repository. */
declare const FUZZ_REPOSITORY: string | undefined;

const repository = typeof FUZZ_REPOSITORY === 'string' ? FUZZ_REPOSITORY : join(import.meta.dirname, '..');

const source = join('packages', 'kurel', 'src');

/** Texts of files below folders of the library, shortest first; the longest say little more and cost much. */
export function readTexts(
  folders: readonly string[],
  {
    ending,
    longest = 3000,
    most = 400,
  }: { readonly ending: RegExp; readonly longest?: number; readonly most?: number },
): readonly string[] {
  const texts = folders
    .map((folder) => join(repository, source, folder))
    .filter((directory) => existsSync(directory))
    .flatMap((directory) => golden.readTexts(directory, ending).map(({ text }) => text));
  return [...new Set(texts)]
    .filter((text) => text.length <= longest)
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .slice(0, most);
}

/** The files of each directory that has the given one, by path. */
export function readDirectories(
  folders: readonly string[],
  { having, longest = 4000 }: { readonly having: string; readonly longest?: number },
): readonly Readonly<Record<string, string>>[] {
  return folders
    .map((folder) => join(repository, source, folder))
    .filter((directory) => existsSync(directory))
    .flatMap((directory) => {
      const files = golden.readTexts(directory, /(?:)/);
      return files
        .filter(({ path }) => path === having || path.endsWith(`/${having}`))
        .map(({ path }) => filesBelow(files, path.slice(0, -having.length)));
    })
    .filter((files) => Object.values(files).reduce((sum, text) => sum + text.length, 0) <= longest);
}

function filesBelow(files: ReturnType<typeof golden.readTexts>, start: string): Readonly<Record<string, string>> {
  const own = files.filter(
    ({ path }) => path.startsWith(start) && !/(?:^|\/)(?:expected|options|helm-output)\b[^/]*$/.test(path),
  );
  return Object.fromEntries(own.map(({ path, text }) => [path.slice(start.length), text]));
}

/** What earlier runs kept for a target, because each of them reached something. */
export function readCorpus(target: string): readonly string[] {
  const file = join(repository, 'fuzz', 'corpus', `${target}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly string[]) : [];
}
