import { FileAccessError } from '../model/index.ts';
import type { DirectoryEntry, FileSystem, Report } from '../model/index.ts';
import { comparePaths, deepestDirectory, joinPath, leadsOut, placeOfEntry } from './paths.ts';
import { inputProblems } from './problems.ts';

export interface Listing {
  readonly fileSystem: FileSystem;
  /** The package, which no link may lead out of. */
  readonly root: string;
  readonly report: Report;
}

// Far above any real package; a few directories of links to one another can lead to endlessly many.
const mostBehindLinks = 1000;

/** All files below a directory of a package, by their path below it, in the order of those paths; none when it is not there. */
export async function listFiles(directory: string, listing: Listing): Promise<readonly string[]> {
  const place = await findPlace(directory, listing);
  if (place === undefined) return [];
  const found: string[] = [];
  const path = directory === '.' ? listing.root : joinPath(listing.root, directory);
  const walking: Walking = { ...listing, found, behindLinks: 0, isTooDeep: false };
  await walk({ path, below: '', place, seen: new Set([place]) }, walking);
  const isEndless = walking.behindLinks > mostBehindLinks;
  if (isEndless || walking.isTooDeep) {
    const limit = isEndless
      ? `${mostBehindLinks} directories behind links`
      : `${deepestDirectory} directories inside one another`;
    const reason = `${path}: there are more than ${limit}`;
    listing.report(inputProblems.create('package-file-unreadable', { reason }, { location: { file: path } }));
    return [];
  }
  return found.toSorted(comparePaths);
}

/**
 * Where a file or directory of a package really is, counted from the package; `undefined` when it is not there, or when it
 * cannot be part of the package, which is reported.
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
  const reason = `${path}: is a device, a pipe, a socket or a link that leads nowhere`;
  report(inputProblems.create('package-file-unreadable', { reason }, { location: { file: path } }));
}

/** What would be read if it were a file. Editors keep locks as links that lead nowhere, with a dot in front. */
function isMeant(name: string): boolean {
  return /^[^.].*\.(?:ya?ml|kpatch)$/s.test(name);
}

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

interface Walking extends Listing {
  readonly found: string[];
  behindLinks: number;
  isTooDeep: boolean;
}

async function walk(directory: Directory, walking: Walking): Promise<void> {
  const { fileSystem, root, report, found } = walking;
  const { path, below, place, seen } = directory;
  // By names alone the walk would be where its real place is.
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
