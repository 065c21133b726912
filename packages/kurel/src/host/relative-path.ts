import { realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
// oxlint-disable-next-line no-control-regex -- control characters are what is refused
const refusedCharacter = /[\u0000-\u001f\u007f<>:"|?*\\]/;
const maxNameBytes = 255;

/** Why a relative path could point outside the directory that it is joined to; `undefined` if it cannot. */
export function findEscape(path: string): string | undefined {
  if (path === '') return 'it is empty';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'it is absolute';
  if (path.includes('\0')) return 'it contains a NUL character';
  const parts = path.split(process.platform === 'win32' ? /[/\\]/ : '/');
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
    if (deviceName.test(part)) return `"${part}" is a device name on Windows`;
    if (part.endsWith('.') || part.endsWith(' ')) return `"${part}" ends with a dot or a space`;
    if (Buffer.byteLength(part) > maxNameBytes) return `a part of it is longer than ${maxNameBytes} bytes`;
  }
  return undefined;
}

/** The real path of an absolute path, even if it does not exist. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : resolve(realPathOf(parent), basename(path));
  }
}
