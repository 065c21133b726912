import { nearest } from '../diagnostics/index.ts';
import type { FileSystem } from '../model/index.ts';
import { joinPath, lastPartOf, parentOf } from './paths.ts';

/** The path beside a missing one that the user most likely meant. Hints must not fail, so what cannot be read is nothing. */
export async function findNearPath(fileSystem: FileSystem, path: string): Promise<string | undefined> {
  const parent = parentOf(path);
  try {
    const names = (await fileSystem.list(parent)).map(({ name }) => name);
    const near = nearest(lastPartOf(path), names);
    return near === undefined ? undefined : joinPath(parent === '.' && path.startsWith('./') ? './' : parent, near);
  } catch {
    return undefined;
  }
}
