import type { DirectoryEntry, FileSystem } from '../../model/index.ts';
import { joinPath, leadsOut, normalisePath, placeOfEntry } from '../paths.ts';

/**
 * Gives a function that finds the link on the way from a directory to a path below it that leads out of the directory.
 * Paths that leave the directory by their names are none of its business.
 */
export function createLinkFinder(fileSystem: FileSystem) {
  const listed = new Map<string, ReadonlyMap<string, DirectoryEntry>>();

  async function entriesOf(directory: string): Promise<ReadonlyMap<string, DirectoryEntry>> {
    const known = listed.get(directory);
    if (known !== undefined) return known;
    const entries = new Map((await fileSystem.list(directory)).map((entry) => [entry.name, entry]));
    listed.set(directory, entries);
    return entries;
  }

  return async function findLinkOut(directory: string, path: string): Promise<string | undefined> {
    const root = normalisePath(directory);
    const prefix = root === '.' ? '' : joinPath(root, '');
    const rest = path.slice(prefix.length);
    if (!path.startsWith(prefix) || rest === '.' || leadsOut(rest)) return undefined;
    let lexical = root;
    let place = '.';
    for (const part of rest.split('/')) {
      const entry = (await entriesOf(lexical)).get(part);
      lexical = joinPath(lexical, part);
      // It is there, but under another name, as on disks that do not tell cases apart: where it leads cannot be said.
      if (entry === undefined) return lexical;
      place = placeOfEntry(entry, place);
      if (entry.escapes === true || leadsOut(place)) return lexical;
    }
    return undefined;
  };
}
