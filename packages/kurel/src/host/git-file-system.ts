import { FileAccessError } from '../model/index.ts';
import type { DirectoryEntry, EntryKind, FileSystem } from '../model/index.ts';
import { decodeText } from './read-stdin.ts';
import type { GitObjects } from './git-objects.ts';

/** An entry of the tree after following links. */
interface Found {
  readonly type: GitTreeEntry['type'] | 'nowhere' | 'outside';
  readonly name: string;
  /** The real path, after following links. */
  readonly place: readonly string[];
}

const mostLinks = 40;
// The limit of Linux.
const longestTarget = 4096;

/**
 * The files of a git tree, by their paths from its root. Follows links inside the tree. Files have their committed content, without the
 * filters of a checkout.
 */
export function gitFileSystem(objects: GitObjects, tree: string): FileSystem {
  const trees = new Map<string, Promise<ReadonlyMap<string, GitTreeEntry>>>();
  const root: Found = { type: 'directory', name: tree, place: [] };

  function openTree(name: string): Promise<ReadonlyMap<string, GitTreeEntry>> {
    const known = trees.get(name);
    if (known !== undefined) return known;
    const opened = objects.read(name).then(({ bytes }) => readGitTree(bytes, name.length / 2));
    trees.set(name, opened);
    return opened;
  }

  async function find(path: string): Promise<Found | undefined> {
    return await walk([root], path.split('/').reverse());
  }

  /** `waiting` contains the remaining path segments in reverse, `trail` the entries from the root to the current one. */
  async function walk(trail: Found[], waiting: string[]): Promise<Found | undefined> {
    let links = 0;
    for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
      if (step === '' || step === '.') continue;
      const here = trail.at(-1)!;
      if (step === '..') {
        if (trail.length === 1) return { type: 'outside', name: '', place: [] };
        trail.pop();
        continue;
      }
      const entry = here.type === 'directory' ? (await openTree(here.name)).get(step) : undefined;
      if (entry === undefined) return links === 0 ? undefined : { type: 'nowhere', name: '', place: [] };
      if (entry.type !== 'link') {
        trail.push({ type: entry.type, name: entry.object, place: [...here.place, step] });
        continue;
      }
      links += 1;
      const target = (await objects.read(entry.object)).bytes.toString('utf8');
      if (links > mostLinks || target.length > longestTarget) return { type: 'nowhere', name: '', place: [] };
      if (target.startsWith('/') || /^[A-Za-z]:/.test(target)) return { type: 'outside', name: '', place: [] };
      for (const part of target.split('/').reverse()) waiting.push(part);
    }
    return trail.at(-1);
  }

  async function attempt<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof FileAccessError || !(error instanceof Error)) throw error;
      throw new FileAccessError(path, 'failed', { detail: error.message, cause: error });
    }
  }

  async function open(path: string): Promise<Found> {
    const found = await find(path);
    if (found === undefined) throw new FileAccessError(path, 'not-found', { detail: 'not found' });
    if (found.type !== 'outside') return found;
    throw new FileAccessError(path, 'outside-root', { detail: 'is outside the repository' });
  }

  async function readBytes(path: string): Promise<Buffer> {
    const { type, name } = await open(path);
    if (type === 'file') return (await objects.read(name)).bytes;
    const detail = {
      directory: 'is a directory',
      submodule: 'is a submodule, whose files are in another repository',
    }[type as string];
    throw new FileAccessError(path, 'not-a-file', { detail: detail ?? 'is not a file' });
  }

  async function describe(directory: Found, name: string, entry: GitTreeEntry): Promise<DirectoryEntry> {
    if (entry.type !== 'link') return { name, kind: kindOf(entry.type) };
    const found = await find([...directory.place, name].join('/'));
    if (found?.type === 'outside') return { name, kind: 'other', escapes: true };
    if (found === undefined || found.type === 'nowhere') return { name, kind: 'other' };
    return { name, kind: kindOf(found.type), target: stepsFrom(directory.place, found.place) };
  }

  return {
    readText: (path) => attempt(path, async () => decodeText(path, await readBytes(path))),
    readBytes: (path) => attempt(path, () => readBytes(path)),
    list: (path) =>
      attempt(path, async () => {
        const directory = await open(path);
        if (directory.type !== 'directory') throw new FileAccessError(path, 'not-a-directory');
        const entries = [...(await openTree(directory.name))].toSorted(([a], [b]) => (a < b ? -1 : 1));
        return await Promise.all(entries.map(([name, entry]) => describe(directory, name, entry)));
      }),
    kindOf: (path) =>
      attempt(path, async () => {
        const found = await find(path);
        if (found?.type === 'outside') await open(path);
        return found === undefined ? undefined : kindOf(found.type);
      }),
  };
}

function kindOf(type: Found['type']): EntryKind {
  return type === 'file' || type === 'directory' ? type : 'other';
}

function stepsFrom(from: readonly string[], to: readonly string[]): string {
  let shared = 0;
  while (shared < from.length && shared < to.length && from[shared] === to[shared]) shared += 1;
  const steps = [...from.slice(shared).map(() => '..'), ...to.slice(shared)];
  return steps.length === 0 ? '.' : steps.join('/');
}

interface GitTreeEntry {
  readonly type: 'file' | 'directory' | 'link' | 'submodule';
  /** The hexadecimal ID of its object. */
  readonly object: string;
}

const types: Readonly<Record<string, GitTreeEntry['type']>> = {
  '40000': 'directory',
  '100644': 'file',
  '100755': 'file',
  // Written by very old versions of git.
  '100664': 'file',
  '120000': 'link',
  '160000': 'submodule',
};

/** Parses a tree object: mode, space, name, NUL, and the bytes of an object ID for each entry. */
function readGitTree(bytes: Buffer, objectLength: number): ReadonlyMap<string, GitTreeEntry> {
  const entries = new Map<string, GitTreeEntry>();
  for (let at = 0; at < bytes.length;) {
    const [space, end] = [bytes.indexOf(0x20, at), bytes.indexOf(0, at)];
    const next = end + 1 + objectLength;
    if (space === -1 || end === -1 || space > end || next > bytes.length) throw new Error('git returned a broken tree');
    const type = types[bytes.toString('latin1', at, space).replace(/^0+/, '')];
    const name = bytes.toString('utf8', space + 1, end);
    // Git never creates such names, but it does not reject them when it reads a repository.
    if (type === undefined || name === '' || name === '.' || name === '..' || name.includes('/')) {
      throw new Error('git returned a tree with an invalid entry');
    }
    entries.set(name, { type, object: bytes.toString('hex', end + 1, next) });
    at = next;
  }
  return entries;
}
