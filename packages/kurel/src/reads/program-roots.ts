import { FileAccessError } from '../model/index.ts';
import type { DirectoryEntry, FileSystem, ProgramCall } from '../model/index.ts';

const kustomizationFile = /^(?:(.*)[\\/])?(?:kustomization\.ya?ml|Kustomization)$/s;

/**
 * The directories and files that a program may read on its own: those in its arguments, and those of kustomizations that the
 * build has read before.
 */
export function rootsOf({ args }: ProgramCall, readFiles: Iterable<string>): readonly string[] {
  const roots = new Set(args.filter((argument) => /^[./]/.test(argument)));
  for (const file of readFiles) {
    const match = kustomizationFile.exec(file);
    if (match !== null) roots.add(match[1] ?? '.');
  }
  return [...roots];
}

/** Directories that programs do not read: they are large and not written by package authors. */
export function isForeign(name: string): boolean {
  return name === 'node_modules' || name === '.git' || /^\.kurel-(?:staging-|lock)/.test(name);
}

interface NearFiles {
  readonly contents: ReadonlyMap<string, string | Uint8Array>;
  readonly listings: ReadonlyMap<string, readonly DirectoryEntry[]>;
}

// Far more than any chart has.
const mostPaths = 50_000;

/** The files that the programs of some calls may have read. */
export async function readNear(
  calls: readonly ProgramCall[],
  fileSystem: FileSystem,
  readFiles: Iterable<string>,
): Promise<NearFiles> {
  const contents = new Map<string, string | Uint8Array>();
  const listings = new Map<string, readonly DirectoryEntry[]>();
  const files = [...readFiles];
  // In the notation of the build, so that no file is listed twice.
  const pending = calls.flatMap((call) => rootsOf(call, files).map((root) => root.replace(/^(?:\.\/+)+/, '') || '.'));
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (contents.size + listings.size > mostPaths || contents.has(path) || listings.has(path)) continue;
    try {
      const kind = await fileSystem.kindOf(path);
      if (kind === 'file') {
        contents.set(path, await (fileSystem.readBytes?.(path) ?? fileSystem.readText(path)));
      }
      if (kind !== 'directory') continue;
      const entries = await fileSystem.list(path);
      listings.set(path, entries);
      for (const { name, kind: inner, target } of entries) {
        // A link to a directory may create a loop.
        const isFollowed = !isForeign(name) && !(inner === 'directory' && target !== undefined);
        if (isFollowed) pending.push(path === '.' ? name : `${path}/${name}`);
      }
    } catch (error) {
      // Some arguments only look like paths.
      if (!(error instanceof FileAccessError)) throw error;
    }
  }
  return { contents, listings };
}
