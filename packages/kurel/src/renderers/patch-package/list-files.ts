import { FileAccessError } from '../../model/index.ts';
import type { FileSystem, Report } from '../../model/index.ts';
import { comparePaths, joinPath, leadsOut, placeOfEntry } from '../paths.ts';
import { packageProblems } from './problems.ts';

export interface Listing {
  readonly fileSystem: FileSystem;
  /** The package, which no link may lead out of. */
  readonly root: string;
  readonly report: Report;
}

/** All files below a directory of a package, by their path below it, in the order of those paths; none when it is not there. */
export async function listFiles(directory: string, listing: Listing): Promise<readonly string[]> {
  const { fileSystem, root } = listing;
  const start = joinPath(root, directory);
  if ((await kindOf(fileSystem, start)) !== 'directory') return [];
  const found: string[] = [];
  await walk({ path: start, below: '', place: directory, seen: new Set([directory]) }, { ...listing, found });
  return found.toSorted(comparePaths);
}

async function kindOf(fileSystem: FileSystem, path: string) {
  return await fileSystem.kindOf(path);
}

/** What lies at the top of a package, and in its schemas/, and is a link that leads out; each is told. */
export async function findLinksOut({ fileSystem, root, report }: Listing): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const folder of ['', 'schemas']) {
    const path = folder === '' ? root : joinPath(root, folder);
    if (found.has(folder) || (await kindOf(fileSystem, path)) !== 'directory') continue;
    for (const entry of await fileSystem.list(path)) {
      if (entry.escapes !== true && !leadsOut(placeOfEntry(entry, folder === '' ? '.' : folder))) continue;
      const inside = joinPath(path, entry.name);
      found.add(joinPath(folder, entry.name));
      if (folder === '' && !ownEntries.has(entry.name)) continue;
      report(packageProblems.create('package-link-out', { path: inside }, { location: { file: inside } }));
    }
  }
  return found;
}

/** What else lies at the top is not read, so it may lead wherever it likes. */
const ownEntries: ReadonlySet<string> = new Set(['parameters.yaml', 'resources', 'patches', 'schemas']);

interface Directory {
  /** As it is opened. */
  readonly path: string;
  /** Below where the walk began, with a slash behind it. */
  readonly below: string;
  /** Where it really is, counted from the package. */
  readonly place: string;
  /** The places around it: a link back to one of them would go on for ever. */
  readonly seen: ReadonlySet<string>;
}

async function walk(directory: Directory, listing: Listing & { readonly found: string[] }): Promise<void> {
  const { fileSystem, report, found } = listing;
  const { path, below, place, seen } = directory;
  try {
    for (const entry of await fileSystem.list(path)) {
      const inside = joinPath(path, entry.name);
      const at = placeOfEntry(entry, place);
      if (entry.escapes === true || leadsOut(at)) {
        report(packageProblems.create('package-link-out', { path: inside }, { location: { file: inside } }));
      } else if (entry.kind === 'file') found.push(below + entry.name);
      else if (entry.kind === 'directory' && !seen.has(at)) {
        const inner = { path: inside, below: `${below}${entry.name}/`, place: at, seen: new Set([...seen, at]) };
        await walk(inner, listing);
      }
    }
  } catch (error) {
    if (!(error instanceof FileAccessError)) throw error;
    report(packageProblems.create('package-file-unreadable', { reason: error.message }, { location: { file: path } }));
  }
}
