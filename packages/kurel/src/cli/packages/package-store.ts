import { nameOfPackage } from '../../fleet/index.ts';
import type { FileSystem } from '../../model/index.ts';
import { ifReadable } from '../../reads/index.ts';
import { digestOf } from '../../registry/index.ts';
import type { OwnCache } from '../own-cache.ts';
import type { KnownContent } from './known-content.ts';

/** What was fetched of packages, for the next run and for other processes of this one. */
interface PackageStore extends KnownContent {
  /** Content that could not be written to the cache, so that only this process has it. */
  readonly held: Map<string, Uint8Array>;
}

const quarterInMilliseconds = 90 * 24 * 60 * 60 * 1000;

/**
 * There is no cache of the user if there is no such directory, or only vendored packages may be used. A file that somebody has changed is
 * not used: its digest is another one.
 */
export function openPackageStore(vendored: VendoredPackages, cache: OwnCache | undefined): PackageStore {
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

interface PinnedPackage {
  readonly url: string;
  readonly digest: string;
}

/** The directory of vendored packages, beside the fleet file. */
export const vendorDirectory = 'vendor/packages';

/** The endings of the files of a package: its content, and what shows that it belongs to the digest. */
const endings = { content: '.tgz', manifest: '.manifest.json', config: '.config.json' } as const;

export type VendoredPart = keyof typeof endings;

/** Where the parts of a package are. The first digits tell versions apart; the whole digest is compared. */
export function vendoredPaths({ url, digest }: PinnedPackage): Readonly<Record<VendoredPart, string>> {
  const start = `${vendorDirectory}/${nameOfPackage({ url })}-${digest.slice('sha256:'.length).slice(0, 12)}`;
  const { content, manifest, config } = endings;
  return { content: `${start}${content}`, manifest: `${start}${manifest}`, config: `${start}${config}` };
}

/** Whether a file in the directory is one that `kurel vendor` writes. */
export function isVendoredName(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]*-[0-9a-f]{12}(?:\.tgz|\.manifest\.json|\.config\.json)$/.test(name);
}

type VendoredPackages = ReturnType<typeof openVendored>;

/** Vendored packages, whose files are read when they are needed. The manifest of a package is requested before its other parts. */
export function openVendored(files: FileSystem) {
  const unread = new Map<string, PinnedPackage>();
  const readings = new Map<string, Promise<void>>();
  const parts = new Map<string, Uint8Array>();

  async function read(pinned: PinnedPackage): Promise<void> {
    for (const path of Object.values(vendoredPaths(pinned))) {
      const bytes = await ifReadable(() => files.readBytes!(path), undefined);
      if (bytes !== undefined) parts.set(digestOf(bytes), bytes);
    }
  }

  return {
    /** Looks for the files of a package from then on. */
    expect: (pinned: PinnedPackage) => void (parts.has(pinned.digest) || unread.set(pinned.digest, pinned)),
    /** A part of an expected package. */
    async find(digest: string): Promise<Uint8Array | undefined> {
      const pinned = unread.get(digest);
      unread.delete(digest);
      if (pinned !== undefined) readings.set(digest, read(pinned));
      // Another target may be reading the same package.
      await readings.get(digest);
      return parts.get(digest);
    },
  };
}
