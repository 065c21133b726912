import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import system from 'node:path';
import { isDeviceName } from '../model/index.ts';

/** The parts of `node:path` that differ between systems; declared here, because declarations must not need the types of Node. */
export interface PathModule {
  readonly sep: string;
  readonly delimiter: string;
  isAbsolute(path: string): boolean;
  join(...parts: string[]): string;
  relative(from: string, to: string): string;
}

// oxlint-disable-next-line no-control-regex -- control characters are what is refused
const refusedCharacter = /[\u0000-\u001f\u007f<>:"|?*\\]/;
const maxNameBytes = 255;

/** Why a relative path could point outside the directory that it is joined to; `undefined` if it cannot. */
export function findEscape(path: string, platform: PathModule = system): string | undefined {
  if (path === '') return 'it is empty';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'it is absolute';
  if (path.includes('\0')) return 'it contains a NUL character';
  const parts = toSlashes(path, platform).split('/');
  if (parts.includes('..')) return 'it contains ".."';
  return parts.some((part) => part === '' || part === '.') ? 'it contains an empty or "." part' : undefined;
}

/** Why a relative path is not valid on every system; `undefined` if it is. */
export function findUnportable(path: string): string | undefined {
  const escape = findEscape(path);
  if (escape !== undefined) return escape;
  const character = refusedCharacter.exec(path)?.[0];
  if (character !== undefined) return `it contains ${JSON.stringify(character)}`;
  for (const part of path.split('/')) {
    // `.git`, `.github` and the like belong to other programs, and `.kurel-…` to kurel.
    if (part.startsWith('.')) return `"${part}" is a hidden file`;
    if (isDeviceName(part)) return `"${part}" is a device name on Windows`;
    if (part.endsWith('.') || part.endsWith(' ')) return `"${part}" ends with a dot or a space`;
    if (Buffer.byteLength(part) > maxNameBytes) return `a part of it is longer than ${maxNameBytes} bytes`;
  }
  return undefined;
}

/** The path with `/`, as in messages, inventories and `FileSystem`. Outside Windows, a backslash is part of a name. */
export function toSlashes(path: string, { sep }: Pick<PathModule, 'sep'> = system): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/** A file of a directory, as messages name it. */
export function nameFile(directory: string, path: string, platform: PathModule = system): string {
  return toSlashes(platform.join(directory, path), platform);
}

/** Whether `path` is `directory` or below it; both absolute. Windows ignores case. */
export function isWithin(directory: string, path: string, platform: PathModule = system): boolean {
  const steps = platform.relative(directory, path);
  return steps !== '..' && !steps.startsWith(`..${platform.sep}`) && !platform.isAbsolute(steps);
}

/** The real path of an absolute path, even if it does not exist: also of what a dangling link points to. */
export function realPathOf(path: string): string {
  // Like the system, which then refuses the path itself. Links that name each other would double the work with each of them.
  let linksLeft = 40;
  const resolveAll = (at: string): string => {
    const real = attempt(() => realpathSync.native(at));
    if (real !== undefined) return real;
    const { root } = system.parse(at);
    const names = at.slice(root.length).split(system.sep);
    let directory = root;
    for (const [index, name] of names.entries()) {
      const place = system.join(directory, name);
      const stats = attempt(() => lstatSync(place));
      // Where case is ignored, the real path is how a directory spells its name.
      if (stats === undefined)
        return system.join(attempt(() => realpathSync.native(directory)) ?? directory, names.slice(index).join('/'));
      const isFollowed = stats.isSymbolicLink() && linksLeft-- > 0;
      directory = isFollowed ? resolveAll(system.resolve(directory, readlinkSync(place))) : place;
    }
    return directory;
  };
  return resolveAll(path);
}

/** The links that an absolute path leads through, and at last its real path. */
export function followLinks(path: string): readonly string[] {
  const links: string[] = [];
  let place = path;
  // As above. Most paths have no links, and looking at each directory takes long.
  while (links.length < 40 && realPathOf(place) !== place) {
    const link = ancestorsOf(place).find((ancestor) => attempt(() => readlinkSync(ancestor)) !== undefined);
    if (link === undefined) break;
    links.push(link);
    place = system.resolve(system.dirname(link), readlinkSync(link), system.relative(link, place));
  }
  return [...links, place];
}

/** A path and all directories that it is in, from the root. */
function ancestorsOf(path: string): readonly string[] {
  const parent = system.dirname(path);
  return parent === path ? [path] : [...ancestorsOf(parent), path];
}

/** A path that cannot be examined counts as missing. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** The directories of a relative path, outermost first: `a`, `a/b` for `a/b/c`. */
export function parentsOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** The form in which file systems that ignore case and composition (NTFS, APFS) compare names. */
export function foldPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
