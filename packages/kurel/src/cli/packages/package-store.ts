import type { OwnCache } from '../own-cache.ts';
import type { KnownContent } from './known-content.ts';
import type { VendoredPackages } from './vendored-packages.ts';

/** What was fetched of packages, for the next run and for other processes of this one. */
export interface PackageStore extends KnownContent {
  /** Content that could not be written to the cache, so that only this process has it. */
  readonly held: Map<string, Uint8Array>;
}

export interface StoreOptions {
  readonly vendored: VendoredPackages;
  /** The cache of the user; none if there is no such directory, or only vendored packages may be used. */
  readonly cache: OwnCache | undefined;
}

const quarterInMilliseconds = 90 * 24 * 60 * 60 * 1000;

/** A file that somebody has changed is not used: its digest is another one. */
export function openPackageStore({ vendored, cache }: StoreOptions): PackageStore {
  const held = new Map<string, Uint8Array>();
  return {
    held,
    find: async (digest) => held.get(digest) ?? (await vendored.find(digest)) ?? cache?.read(nameOf(digest)),
    keep(digest, bytes) {
      cache?.write(nameOf(digest), bytes);
      if (cache?.read(nameOf(digest)) === undefined) held.set(digest, bytes);
      else cache.clear((name, { mtimeMs }) => isOwn.test(name) && Date.now() - mtimeMs > quarterInMilliseconds);
    },
  };
}

const isOwn = /^package-[0-9a-f]{64}$/;

function nameOf(digest: string): string {
  return digest.replace('sha256:', 'package-');
}
