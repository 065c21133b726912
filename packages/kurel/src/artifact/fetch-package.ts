import { largestContent } from '../archive/index.ts';
import type { ArchiveFile } from '../archive/index.ts';
import { isMissing, openRepository, parseOciReference, refuseContent } from '../registry/index.ts';
import type { Descriptor, FetchAccess, Manifest, OciReference, Repository } from '../registry/index.ts';
import type { PackageConfig } from './package-artifact.ts';
import { readPackageConfig, readPackageContent, readPackageManifest } from './read-package-artifact.ts';
import type { PackageLayers } from './read-package-artifact.ts';

const largestDocument = 16 * 1_048_576;

/** A package in a registry, of which only the manifest and the config have been fetched. */
export interface PublishedPackage {
  readonly reference: OciReference;
  /** `sha256:…` of the manifest, also if the reference has only a tag. */
  readonly digest: string;
  readonly manifest: Manifest;
  readonly layers: PackageLayers;
  readonly config: PackageConfig;
  readonly fetchContent: () => Promise<readonly ArchiveFile[]>;
  /** One of `layers`. */
  readonly fetchLayer: (layer: Descriptor) => Promise<Uint8Array>;
}

export interface FetchPackageOptions {
  /** Called with the manifest before anything that it names is fetched; throws to refuse it. */
  readonly verify?: ((manifest: Manifest, reference: OciReference) => Promise<void>) | undefined;
}

async function fetchManifest(repository: Repository, { tag, digest }: OciReference, url: string): Promise<Manifest> {
  try {
    return await repository.fetchManifest(digest ?? tag!);
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    const reason = `the registry has no such ${digest === undefined ? 'tag' : 'digest'}`;
    throw refuseContent(url, reason, { failure: 'missing', cause });
  }
}

/** Fetches what a reference with a tag or digest names. Throws a `FetchError` for everything that is not a package. */
export async function fetchPackage(
  url: string,
  access: FetchAccess,
  { verify }: FetchPackageOptions = {},
): Promise<PublishedPackage> {
  const reference = parseOciReference(url);
  const repository = openRepository(reference, access);
  const manifest = await fetchManifest(repository, reference, url);
  await verify?.(manifest, reference);
  const layers = readPackageManifest(manifest, url);

  async function fetchLayer(layer: Descriptor, maxBytes = largestDocument): Promise<Uint8Array> {
    return await repository.fetchBlob(layer, maxBytes);
  }

  const config = readPackageConfig(await fetchLayer(layers.config), layers, url);
  return {
    reference,
    digest: manifest.digest,
    manifest,
    layers,
    config,
    fetchContent: async () => await readPackageContent(await fetchLayer(layers.content, largestContent), config, url),
    fetchLayer: async (layer) => await fetchLayer(layer),
  };
}
