import { nearest } from '../diagnostics/index.ts';
import type { DirectoryEntry, FileSystem } from '../model/index.ts';
import { ifReadable } from '../reads/index.ts';
import type { PlaceholderValues } from './placeholders.ts';

interface PathMatch {
  readonly path: string;
  readonly placeholders: PlaceholderValues;
}

interface PathSearch {
  readonly fileSystem: FileSystem;
  readonly most: number;
  /** Called for each directory that is listed, with the number of its entries. */
  readonly onEntries?: ((count: number) => void) | undefined;
}

/**
 * Directories and files that match a pattern such as `clusters/{cluster}/{app}`, sorted. Placeholders and `*` match within one name, and
 * never a name that starts with a dot. A placeholder that appears twice must match the same name.
 */
export async function findPaths(pattern: string, { most, ...search }: PathSearch): Promise<readonly PathMatch[]> {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.');
  let matches: readonly PathMatch[] = [{ path: pattern.startsWith('/') ? '/' : '.', placeholders: {} }];
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    if (matches.length === 0) break;
    // A part may be long, and there may be thousands of directories.
    const matchName = compilePart(part);
    const longer: PathMatch[] = [];
    for (const match of matches) {
      if (longer.length > most) break;
      for (const inner of await step(match, part, { ...search, isLast, matchName })) longer.push(inner);
    }
    matches = longer;
  }
  return matches;
}

interface StepOptions {
  readonly isLast: boolean;
  readonly matchName: MatchName;
}

async function step(
  { path, placeholders }: PathMatch,
  part: string,
  { fileSystem, onEntries, isLast, matchName }: Omit<PathSearch, 'most'> & StepOptions,
): Promise<readonly PathMatch[]> {
  if (part === '..') {
    onEntries?.(0);
    return [{ path: path === '.' ? '..' : `${path}/..`, placeholders }];
  }
  const inside = (name: string): string => (path === '.' ? name : path === '/' ? `/${name}` : `${path}/${name}`);
  const matches: PathMatch[] = [];
  const entries = await listEntries(fileSystem, path);
  onEntries?.(entries.length);
  for (const { name, kind } of entries) {
    if (kind !== 'directory' && !(isLast && kind === 'file')) continue;
    const values = matchName(name, placeholders);
    if (values !== undefined) matches.push({ path: inside(name), placeholders: values });
  }
  return matches;
}

/** A directory that cannot be listed has no matches; a pattern without matches is reported. */
async function listEntries(fileSystem: FileSystem, path: string): Promise<readonly DirectoryEntry[]> {
  return await ifReadable(() => fileSystem.list(path), []);
}

type MatchName = (name: string, placeholders: PlaceholderValues) => PlaceholderValues | undefined;

/** Matches one name from left to right; each placeholder and `*` takes as few characters as possible. */
function compilePart(part: string): MatchName {
  const holes = Array.from(part.matchAll(hole), ([text]) => (text.startsWith('{') ? text.slice(1, -1) : undefined));
  const [start = '', ...literals] = part.split(hole);
  return (name, placeholders) => {
    if (!name.startsWith(start) || (name.startsWith('.') && !part.startsWith('.'))) return undefined;
    const values: Record<string, string> = { ...placeholders };
    let position = start.length;
    for (const [index, literal] of literals.entries()) {
      const placeholder = holes[index];
      const from = placeholder === undefined ? position : position + 1;
      const isLast = index === literals.length - 1;
      const end = isLast ? name.length - literal.length : name.indexOf(literal, from);
      if (end < from || (isLast && !name.endsWith(literal))) return undefined;
      const value = name.slice(position, end);
      if (placeholder !== undefined && (values[placeholder] ?? value) !== value) return undefined;
      if (placeholder !== undefined) values[placeholder] = value;
      position = end + literal.length;
    }
    return position === name.length ? values : undefined;
  };
}

const hole = /\{[^{}]*\}|\*+/g;

/** The path with its first part that does not exist corrected, if there is a similar name. Stops at wildcards and placeholders. */
export async function findNearPath(path: string, fileSystem: FileSystem): Promise<string | undefined> {
  const parts = path.split('/');
  for (const [index, part] of parts.entries()) {
    if (part === '' || part === '.' || part === '..') continue;
    if (/[*?[{]/.test(part)) return undefined;
    const place = parts.slice(0, index).join('/') || (path.startsWith('/') ? '/' : '.');
    // Other parts of a path are directories.
    const isLast = index === parts.length - 1;
    const entries = await listEntries(fileSystem, place);
    const names = entries.filter(({ kind }) => isLast || kind === 'directory').map(({ name }) => name);
    if (names.includes(part)) continue;
    const near = nearest(part, names);
    return near === undefined ? undefined : parts.with(index, near).join('/');
  }
  return undefined;
}

/** Without `./` at the start and slashes at the end. */
export function trimPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
}
