import { FileAccessError } from '../model/index.ts';
import type { DirectoryEntry, FileSystem, Report } from '../model/index.ts';
import { comparePaths, deepestDirectory, joinPath, leadsOut, placeOfEntry } from './paths.ts';
import { inputProblems } from './problems.ts';

export interface Listing {
  readonly fileSystem: FileSystem;
  /** Directory of the package; links must not point outside it. */
  readonly root: string;
  readonly report: Report;
}

// Far more than real packages have; a few directories that link to each other can form endless paths.
const mostBehindLinks = 1000;

/** All files below a directory of a package, as sorted relative paths; none if it does not exist. */
export async function listFiles(directory: string, listing: Listing): Promise<readonly string[]> {
  const place = await findPlace(directory, listing);
  if (place === undefined) return [];
  const found: string[] = [];
  const path = directory === '.' ? listing.root : joinPath(listing.root, directory);
  const walking: Walking = { ...listing, found, behindLinks: 0, isTooDeep: false };
  await walk({ path, below: '', place, seen: new Set([place]) }, walking);
  const isEndless = walking.behindLinks > mostBehindLinks;
  if (isEndless || walking.isTooDeep) {
    const limit = isEndless ? `${mostBehindLinks} linked directories` : `${deepestDirectory} nested directories`;
    const reason = `${path}: it has more than ${limit}`;
    listing.report(inputProblems.create('package-file-unreadable', { reason }, { location: { file: path } }));
    return [];
  }
  return found.toSorted(comparePaths);
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
    const entry = (await fileSystem.list(path)).find((one) => one.name === part);
    if (entry === undefined) return undefined;
    path = joinPath(path, part);
    place = placeOfEntry(entry, place);
    if (isLinkOut(entry, place)) return reportLinkOut(path, report);
    if (entry.kind === 'other') return reportNoFile(path, report);
  }
  return place;
}

function isLinkOut({ escapes }: DirectoryEntry, place: string): boolean {
  return escapes === true || leadsOut(place);
}

function reportLinkOut(path: string, report: Report): undefined {
  report(inputProblems.create('package-link-out', { path }, { location: { file: path } }));
}

function reportNoFile(path: string, report: Report): undefined {
  const reason = `${path}: is a device, a pipe, a socket or a broken link`;
  report(inputProblems.create('package-file-unreadable', { reason }, { location: { file: path } }));
}

/** Whether a file with this name would be read. Editors keep locks as broken links whose names start with a dot. */
function isMeant(name: string): boolean {
  return /^[^.].*\.(?:ya?ml|kpatch)$/s.test(name);
}

interface Directory {
  /** Path to open. */
  readonly path: string;
  /** Relative path from the start of the walk, with a trailing slash. */
  readonly below: string;
  /** Real path, relative to the package. */
  readonly place: string;
  /** Real paths of its parents: a link back to one of them would never end. */
  readonly seen: ReadonlySet<string>;
}

interface Walking extends Listing {
  readonly found: string[];
  behindLinks: number;
  isTooDeep: boolean;
}

async function walk(directory: Directory, walking: Walking): Promise<void> {
  const { fileSystem, root, report, found } = walking;
  const { path, below, place, seen } = directory;
  // Without a link, the path would equal the real path.
  if (joinPath(root, place) !== path && place !== '.') walking.behindLinks += 1;
  if (walking.behindLinks > mostBehindLinks) return;
  try {
    for (const entry of await fileSystem.list(path)) {
      const inside = joinPath(path, entry.name);
      const at = placeOfEntry(entry, place);
      if (entry.kind === 'other' && !isMeant(entry.name)) continue;
      if (isLinkOut(entry, at)) reportLinkOut(inside, report);
      else if (entry.kind === 'other') reportNoFile(inside, report);
      else if (entry.kind === 'file') found.push(below + entry.name);
      else if (entry.kind === 'directory' && seen.size > deepestDirectory) walking.isTooDeep = true;
      else if (entry.kind === 'directory' && !seen.has(at)) {
        const inner = { path: inside, below: `${below}${entry.name}/`, place: at, seen: new Set([...seen, at]) };
        await walk(inner, walking);
      }
    }
  } catch (error) {
    if (!(error instanceof FileAccessError)) throw error;
    report(inputProblems.create('package-file-unreadable', { reason: error.message }, { location: { file: path } }));
  }
}
