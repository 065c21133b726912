import { FileAccessError } from '../../model/index.ts';
import type { FileSystem } from '../../model/index.ts';

/** The files of a package in a registry, at paths that start with its reference. */
export interface MountedPackage {
  readonly directory: string;
  readonly fileSystem: FileSystem;
}

/** Whether a path is in a package in a registry. Joining paths may have made one slash of two. */
export function isRemotePath(path: string): boolean {
  return /^oci:\/{1,2}[^/]/.test(path);
}

/** The disk, with packages at their references, so that findings name their files as the user would: `oci://host/path:tag/app.yaml`. */
export function mountPackages(disk: FileSystem, packages: readonly MountedPackage[]): FileSystem {
  const find = (path: string): FileSystem => {
    if (!isRemotePath(path)) return disk;
    const inside = packages.find(({ directory }) => isBelow(path, directory));
    return inside?.fileSystem ?? nowhere;
  };
  return {
    readText: (path) => find(path).readText(path),
    readBytes: (path) => find(path).readBytes!(path),
    list: (path) => find(path).list(path),
    kindOf: (path) => find(path).kindOf(path),
    packageAt: (path) => find(path).packageAt?.(path),
  };
}

function isBelow(path: string, directory: string): boolean {
  const [inner, outer] = [path, directory].map((text) => `${text.replaceAll(/\/+/g, '/')}/`);
  return inner!.startsWith(outer!);
}

const refuse = (path: string): never => {
  throw new FileAccessError(path, 'not-found');
};

/** Where no package is mounted. */
const nowhere: FileSystem = { readText: refuse, readBytes: refuse, list: refuse, kindOf: () => undefined };
