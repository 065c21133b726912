import { FileAccessError } from '../../../model/index.ts';
import type { FileSystem } from '../../../model/index.ts';
import { findPlace, listFiles } from '../../list-package-files.ts';
import { joinPath } from '../../paths.ts';
import type { PackageFiles } from './load-sources.ts';

interface PackagePlace {
  readonly fileSystem: FileSystem;
  /** The directory of the package. */
  readonly path: string;
}

/** The files of a package; links that lead out of it are as good as nothing. */
export function createPackageFiles({ fileSystem, path: root }: PackagePlace): PackageFiles {
  const listing = { fileSystem, root, report: () => undefined };
  return {
    async readBytes(path) {
      try {
        const full = joinPath(root, path);
        if ((await findPlace(path, listing)) === undefined || (await fileSystem.kindOf(full)) !== 'file')
          return undefined;
        return (await fileSystem.readBytes?.(full)) ?? new TextEncoder().encode(await fileSystem.readText(full));
      } catch (error) {
        if (error instanceof FileAccessError) return undefined;
        throw error;
      }
    },
    list: async () => await listFiles('.', listing),
    nameOf: (path) => joinPath(root, path),
  };
}
