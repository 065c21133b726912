import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface WalkedPath {
  readonly path: string;
  readonly isDirectory: boolean;
}

// Far above any chart; whoever has more hears of changes in the first ones.
const mostPaths = 50_000;

/** The given files and directories with all that is below them, as far as it is wanted. Links below them are not followed into directories. */
export function walkFiles(roots: readonly string[], isWanted: (path: string) => boolean): readonly WalkedPath[] {
  const found: WalkedPath[] = [];
  const seen = new Set<string>();
  const pending = roots.toReversed();
  for (let path = pending.pop(); path !== undefined && found.length < mostPaths; path = pending.pop()) {
    if (seen.has(path) || !isWanted(path)) continue;
    seen.add(path);
    try {
      const isDirectory = statSync(path).isDirectory();
      found.push({ path, isDirectory });
      if (!isDirectory) continue;
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        const inner = join(path, entry.name);
        const isLinkToDirectory = entry.isSymbolicLink() && isDirectoryAt(inner);
        if (!isLinkToDirectory) pending.push(inner);
      }
    } catch {
      // What is not there is no path, but some other word of a call.
      continue;
    }
  }
  return found;
}

function isDirectoryAt(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
