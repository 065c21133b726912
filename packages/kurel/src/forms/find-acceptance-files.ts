import type { Acceptance } from '../accept/index.ts';
import type { Memory, Report, SourceFile } from '../model/index.ts';
import { markedDirectory } from './detect-input.ts';
import type { InputRequest, PackageSettings } from './form-types.ts';
import { findPlace } from './package-loading.ts';
import { isGlob } from './manifests/glob.ts';
import { joinPath, lastPartOf, localOf, parentOf } from './paths.ts';
import { inputProblems } from './problems.ts';

export interface AcceptanceSearch extends Pick<InputRequest, 'fileSystem' | 'path'>, Pick<PackageSettings, 'local'> {
  /** Receives findings about files that cannot be used. */
  readonly report: Report;
}

/** Acceptance files of the input; most inputs have none. */
export async function findAcceptanceFiles(search: AcceptanceSearch): Promise<readonly string[]> {
  const { fileSystem, path, local } = search;
  if (path === '-' || (isGlob(path) && (await fileSystem.kindOf(path)) === undefined)) return [];
  const directory = markedDirectory(path);
  const kind = directory === path ? await fileSystem.kindOf(path) : 'directory';
  if (kind === 'file') {
    const name = `${lastPartOf(path).replace(/\.[^.]+$/, '')}.accept.yaml`;
    return await findUsable([parentOf(path)], name, search);
  }
  if (kind !== 'directory') return [];
  const extension = local === false ? undefined : (local ?? localOf(directory));
  return await findUsable([directory, ...(extension === undefined ? [] : [extension])], 'kurel.accept.yaml', search);
}

/** Files with this name in the directories. Links must not point outside their directory. */
async function findUsable(
  directories: readonly string[],
  name: string,
  { fileSystem, path, report }: AcceptanceSearch,
): Promise<readonly string[]> {
  const files: string[] = [];
  for (const root of directories) {
    const file = joinPath(root, name);
    // Most builds have none, so nothing is listed without need.
    const kind = file === path ? undefined : await fileSystem.kindOf(file);
    if (kind === undefined || (await findPlace(name, { fileSystem, root, report })) === undefined) continue;
    if (kind === 'file') files.push(file);
    else {
      const reason = `${file}: is a directory`;
      report(inputProblems.create('package-file-unreadable', { reason }, { location: { file } }));
    }
  }
  return files;
}

/** All acceptances of these files; `undefined` if one of them cannot be read, which is reported. */
export async function readAcceptanceSources(
  sources: readonly SourceFile[],
  report: Report,
  memory?: Memory,
): Promise<readonly Acceptance[] | undefined> {
  // Loaded on demand, because most builds have no acceptances.
  const { readAcceptances, readOneDocument } = await import('../documents/index.ts');
  const lists = sources.map((source) => {
    const located = readOneDocument(source, report, memory);
    return located === undefined ? undefined : readAcceptances(located.data, { ...located, report });
  });
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}
