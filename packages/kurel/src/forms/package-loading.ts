import { createBudget } from '../budget/index.ts';
import { watchErrors } from '../diagnostics/index.ts';
import { FileAccessError } from '../model/index.ts';
import type { Awaitable, Budget, FileSystem, Report, SourceFile } from '../model/index.ts';
import { joinPath, placeOfEntry } from './paths.ts';
import { inputProblems } from './problems.ts';
import { findFault, treeLimits, walkTree } from './walk-tree.ts';

export interface PackageRequest {
  readonly fileSystem: FileSystem;
  /** Directory of the package. */
  readonly path: string;
  /** Directory of the local extension, or `false` for none. Defaults to the one next to the package, if it exists. */
  readonly local?: string | false | undefined;
  readonly limits?: PackageLimits | undefined;
  /** Budget of the run. */
  readonly budget?: Budget | undefined;
}

/** Limits of a package; its local extension has the same limits again. */
export interface PackageLimits {
  /** Characters in all of its files together. Defaults to 50 Mi. */
  readonly maxSize?: number | undefined;
  /** Files below `resources/` of a patch package. Defaults to 1,000. */
  readonly maxResources?: number | undefined;
  /** Patch files. Defaults to 200. */
  readonly maxPatches?: number | undefined;
}

const usualSize = 50 * 1024 * 1024;
const usualResources = 1000;
const usualPatches = 200;

/** Reads the files of one directory, and remembers whether there were errors. */
export interface Loading {
  readonly root: string;
  readonly report: Report;
  readonly budget: Budget;
  /** Sorted paths below a folder. */
  list(folder: string): Promise<readonly string[]>;
  /** `undefined` if the file does not exist, or cannot be read, which is reported. */
  read(file: string): Promise<SourceFile | undefined>;
  /** The same for a path from `list`, which is already checked. */
  readListed(file: string): Promise<SourceFile | undefined>;
  readAll(folder: string, names: RegExp): Promise<readonly SourceFile[]>;
  /** Whether the number is within the limit; reported if not. */
  allows(count: number, what: 'maxResources' | 'maxPatches'): boolean;
  failed(): boolean;
  /** Characters read so far. */
  size(): number;
}

export function createLoading(request: PackageRequest, report: Report): Loading {
  const { fileSystem, path: root } = request;
  const { maxSize = usualSize, maxResources = usualResources, maxPatches = usualPatches } = request.limits ?? {};
  const limits = { maxSize, maxResources, maxPatches };
  const watched = watchErrors(report);
  let size = 0;
  const refuse = (what: keyof PackageLimits): void => {
    watched.report(inputProblems.create('package-too-large', { path: root, what, limit: limits[what] }));
  };
  const attempt = async (file: string, read: () => Awaitable<string | undefined>): Promise<SourceFile | undefined> => {
    if (size > maxSize) return undefined;
    const path = joinPath(root, file);
    try {
      const text = await read();
      if (text === undefined) return undefined;
      size += text.length;
      if (size <= maxSize) return { path, text };
      refuse('maxSize');
      return undefined;
    } catch (error) {
      if (!(error instanceof FileAccessError)) throw error;
      return reportUnreadable(error.message, path, watched.report);
    }
  };
  const loading: Loading = {
    root,
    budget: request.budget ?? createBudget(),
    report: watched.report,
    list: async (folder) => await listFiles(folder, { fileSystem, root, report: watched.report }),
    async read(file) {
      return await attempt(file, async () => {
        const place = await findPlace(file, { fileSystem, root, report: watched.report });
        return place === undefined ? undefined : await fileSystem.readText(joinPath(root, file));
      });
    },
    readListed: async (file) => await attempt(file, () => fileSystem.readText(joinPath(root, file))),
    async readAll(folder, names) {
      const files: SourceFile[] = [];
      for (const name of await loading.list(folder)) {
        const file = names.test(name) ? await loading.readListed(`${folder}/${name}`) : undefined;
        if (file !== undefined) files.push(file);
      }
      return files;
    },
    allows(count, what) {
      if (count > limits[what]) refuse(what);
      return count <= limits[what];
    },
    failed: watched.hasErrors,
    size: () => size,
  };
  return loading;
}

export interface Listing {
  readonly fileSystem: FileSystem;
  /** Directory of the package; links must not point outside it. */
  readonly root: string;
  readonly report: Report;
}

/** All files below a directory of a package, as sorted relative paths; none if it does not exist. */
export async function listFiles(directory: string, listing: Listing): Promise<readonly string[]> {
  const { fileSystem, root, report } = listing;
  const place = await findPlace(directory, listing);
  if (place === undefined) return [];
  const files: string[] = [];
  let exceeded: string | undefined;
  const path = directory === '.' ? root : joinPath(root, directory);
  await walkTree({
    fileSystem,
    root,
    from: { path, place },
    // Relative path from the start of the walk, with a trailing slash.
    start: '',
    visit({ entry: { name, kind }, path: inside, fault, state: above }) {
      if (fault === 'too-deep' || fault === 'endless') exceeded = treeLimits[fault];
      // A link back to a parent adds no files.
      else if (fault !== undefined && fault !== 'link-circle') {
        // Editors keep locks as broken links whose names start with a dot.
        const isMeant = kind !== 'other' || /^[^.].*\.(?:ya?ml|kpatch)$/s.test(name);
        if (isMeant) reportFault(fault, inside, report);
      } else if (kind === 'file') files.push(above + name);
      return `${above}${name}/`;
    },
    onUnreadable: ({ message }, file) => reportUnreadable(message, file, report),
  });
  if (exceeded === undefined) return files.toSorted();
  reportUnreadable(`${path}: it has more than ${exceeded}`, path, report);
  return [];
}

/**
 * Real path of a file or directory, relative to the package; `undefined` if it does not exist, or cannot be part of the package,
 * which is reported.
 */
export async function findPlace(name: string, { fileSystem, root, report }: Listing): Promise<string | undefined> {
  let [path, place] = [root, '.'];
  for (const part of name.split('/')) {
    if (part === '.') continue;
    if ((await fileSystem.kindOf(path)) !== 'directory') return undefined;
    const entry = (await fileSystem.list(path)).find((candidate) => candidate.name === part);
    if (entry === undefined) return undefined;
    path = joinPath(path, part);
    place = placeOfEntry(entry, place);
    const fault = findFault(entry, place);
    if (fault !== undefined) return reportFault(fault, path, report);
  }
  return place;
}

function reportFault(fault: 'link-out' | 'not-a-file', path: string, report: Report): undefined {
  if (fault === 'link-out') report(inputProblems.create('package-link-out', { path }, { location: { file: path } }));
  else reportUnreadable(`${path}: is a device, a pipe, a socket or a broken link`, path, report);
}

function reportUnreadable(reason: string, file: string, report: Report): undefined {
  report(inputProblems.create('package-file-unreadable', { reason }, { location: { file } }));
}
