import { fetchPackage, reportRegistry } from '../../artifact/index.ts';
import type { FetchPackageOptions, PackageConfig } from '../../artifact/index.ts';
import { memoryFileSystem } from '../../index.ts';
import { FileAccessError } from '../../model/index.ts';
import type { FileSystem } from '../../model/index.ts';
import type { Manifest } from '../../registry/index.ts';
import type { Environment } from '../environment.ts';
import { createRegistryAccess } from '../registry-access.ts';
import type { RegistryFlags } from '../registry-access.ts';
import type { MountedPackage } from './mount-packages.ts';

/** A package in a registry, fetched and verified. */
export interface RemotePackage extends MountedPackage {
  /** As the user wrote it: `oci://host/path:tag`. */
  readonly reference: string;
  /** `sha256:…` of the manifest. */
  readonly digest: string;
  readonly manifest: Manifest;
  readonly config: PackageConfig;
}

export type RemoteOptions = RegistryFlags & FetchPackageOptions;

/** Fetches a package by a reference with a tag or digest. Throws a `DiagnosticError`. */
export async function openRemotePackage(
  reference: string,
  { verify, ...flags }: RemoteOptions,
  environment: Environment,
): Promise<RemotePackage> {
  return await reportRegistry(async () => {
    const found = await fetchPackage(reference, createRegistryAccess(flags, environment), { verify });
    const { digest, manifest, config } = found;
    const { host, path, digest: named } = found.reference;
    const pinned = `oci://${host}/${path}@${digest}`;
    const origin = { reference, pinned, isPinned: named !== undefined };
    const files = (await found.fetchContent()).map((file): [string, Uint8Array] => [
      `${reference}/${file.path}`,
      file.bytes,
    ]);
    const kept = limitFiles(memoryFileSystem(Object.fromEntries(files)), environment);
    const fileSystem: FileSystem = { ...kept, packageAt: () => origin };
    return { reference, digest, manifest, config, directory: reference, fileSystem };
  });
}

/** With the same limit as on the disk. */
function limitFiles(files: FileSystem, { limits }: Environment): FileSystem {
  const { maxFileBytes = Infinity } = limits ?? {};
  const check = async (path: string): Promise<void> => {
    const { length } = await files.readBytes!(path);
    if (length <= maxFileBytes) return;
    const detail = `has ${length} bytes, more than the limit of ${maxFileBytes} for one file`;
    throw new FileAccessError(path, 'too-large', { detail });
  };
  return {
    ...files,
    readText: async (path) => (await check(path), files.readText(path)),
    readBytes: async (path) => (await check(path), files.readBytes!(path)),
  };
}
