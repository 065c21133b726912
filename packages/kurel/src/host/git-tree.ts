export interface GitTreeEntry {
  readonly type: 'file' | 'directory' | 'link' | 'submodule';
  /** The name of its object, in hexadecimal digits. */
  readonly object: string;
}

const types: Readonly<Record<string, GitTreeEntry['type']>> = {
  '40000': 'directory',
  '100644': 'file',
  '100755': 'file',
  // As very old versions of git wrote it.
  '100664': 'file',
  '120000': 'link',
  '160000': 'submodule',
};

/** The entries of a tree object: mode, space, name, NUL, and the bytes of the name of an object. Throws an `Error` for anything else. */
export function readGitTree(bytes: Buffer, objectLength: number): ReadonlyMap<string, GitTreeEntry> {
  const entries = new Map<string, GitTreeEntry>();
  for (let at = 0; at < bytes.length;) {
    const [space, end] = [bytes.indexOf(0x20, at), bytes.indexOf(0, at)];
    const next = end + 1 + objectLength;
    if (space === -1 || end === -1 || space > end || next > bytes.length)
      throw new Error('a tree of git that is broken');
    const type = types[bytes.toString('latin1', at, space).replace(/^0+/, '')];
    const name = bytes.toString('utf8', space + 1, end);
    // Git refuses to make such names, but not to hand them on.
    if (type === undefined || name === '' || name === '.' || name === '..' || name.includes('/')) {
      throw new Error('a tree of git with an entry that cannot be a file');
    }
    entries.set(name, { type, object: bytes.toString('hex', end + 1, next) });
    at = next;
  }
  return entries;
}
