import type { Acceptance } from '../accept/index.ts';
import type { FileSystem, Memory, Report, SourceFile } from '../model/index.ts';
import { markedDirectory } from './detect-input.ts';
import { findPlace } from './package-loading.ts';
import { isGlob } from './manifests/glob.ts';
import { joinPath, localOf } from './paths.ts';
import { inputProblems } from './problems.ts';

export interface AcceptanceSearch {
  readonly fileSystem: FileSystem;
  /** The input: a directory, a file, a pattern or `-`. */
  readonly path: string;
  /** The local extension of a patch package; `false` for none. Defaults to the one next to the package. */
  readonly local?: string | false | undefined;
  /** Receives findings about files that cannot be used. */
  readonly report: Report;
}

const fileName = 'kurel.accept.yaml';

interface Candidate {
  /** Links must not point outside it. */
  readonly root: string;
  readonly name: string;
}

/** Acceptance files of the input; most inputs have none. */
export async function findAcceptanceFiles(search: AcceptanceSearch): Promise<readonly string[]> {
  const { fileSystem, path, local } = search;
  if (path === '-' || (isGlob(path) && (await fileSystem.kindOf(path)) === undefined)) return [];
  const directory = markedDirectory(path);
  const kind = directory === path ? await fileSystem.kindOf(path) : 'directory';
  const candidates: readonly Candidate[] =
    kind === 'directory'
      ? [directory, ...localsOf(directory, local)].map((root) => ({ root, name: fileName }))
      : kind === 'file'
        ? [beside(path)]
        : [];
  const found: string[] = [];
  for (const candidate of candidates) {
    const file = await findUsable(candidate, search);
    if (file !== undefined) found.push(file);
  }
  return found;
}

function beside(path: string): Candidate {
  const slash = path.lastIndexOf('/');
  const name = `${path.slice(slash + 1).replace(/\.[^.]+$/, '')}.accept.yaml`;
  return { root: slash === -1 ? '.' : path.slice(0, Math.max(slash, 1)), name };
}

async function findUsable(
  { root, name }: Candidate,
  { fileSystem, path, report }: AcceptanceSearch,
): Promise<string | undefined> {
  const file = root === '.' ? name : joinPath(root, name);
  // Most builds have none, so nothing is listed without need.
  const kind = file === path ? undefined : await fileSystem.kindOf(file);
  if (kind === undefined || (await findPlace(name, { fileSystem, root, report })) === undefined) return undefined;
  if (kind === 'file') return file;
  const reason = `${file}: is a directory`;
  report(inputProblems.create('package-file-unreadable', { reason }, { location: { file } }));
  return undefined;
}

function localsOf(directory: string, local: string | false | undefined): readonly string[] {
  if (local === false) return [];
  if (local !== undefined) return [local];
  const beside = localOf(directory);
  return beside === undefined ? [] : [beside];
}

/** All acceptances of these files; `undefined` if one of them cannot be read, which is reported. */
export async function readAcceptanceSources(
  sources: readonly SourceFile[],
  report: Report,
  memory?: Memory,
): Promise<readonly Acceptance[] | undefined> {
  // Loaded on demand: most builds have no acceptances, and the application code reads kurel documents.
  const { readAcceptances, readOneDocument } = await import('./application/form.ts');
  const lists = sources.map((source) => {
    const located = readOneDocument(source, report, memory);
    return located === undefined ? undefined : readAcceptances(located.data, { locate: located.locate, report });
  });
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}
