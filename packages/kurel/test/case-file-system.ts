import { join } from 'node:path';
import { diskFileSystem } from '../src/host/index.ts';
import type { FileSystem } from '../src/model/index.ts';
import { memoryFileSystem } from '../src/forms/memory-file-system.ts';
import type { GoldenCase } from './golden-case.ts';

/** The files of a case; an archive needs no disk. */
export function fileSystemOf(one: GoldenCase, below = ''): FileSystem {
  if (one.directory !== undefined) return diskFileSystem({ workingDirectory: join(one.directory, below) });
  const start = below === '' ? '' : `${below}/`;
  const paths = one.list().filter((path) => path.startsWith(start));
  return memoryFileSystem(Object.fromEntries(paths.map((path) => [path.slice(start.length), one.read(path)])));
}
