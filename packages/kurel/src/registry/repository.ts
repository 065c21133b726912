import { FetchError, isJsonArray, isJsonObject } from '../model/index.ts';
import type { Fetched, Json, JsonObject } from '../model/index.ts';
import { readDescriptors } from './descriptor.ts';
import type { Descriptor } from './descriptor.ts';
import { accessFrom, refuseContent } from './fetch-access.ts';
import type { FetchAccess } from './fetch-access.ts';
import { fetchPages, parseJson } from './fetch-pages.ts';
import { digestOf, readDigest } from './fetch-pinned.ts';
import { isTag } from './oci-reference.ts';
import type { OciReference } from './oci-reference.ts';
import { openRegistry } from './registry-session.ts';
import type { RegistryAction } from './registry-session.ts';
import { largestAnswer, uploadBlob } from './upload-blob.ts';

export interface Manifest {
  readonly bytes: Uint8Array;
  readonly digest: string;
  /** As the registry says; the manifest may say it, too. */
  readonly mediaType: string;
  readonly data: JsonObject;
}

/** A repository of a registry. Everything that it returns has the digest that was asked for. Throws a `FetchError`. */
export interface Repository {
  /** By tag or digest. */
  readonly fetchManifest: (reference: string) => Promise<Manifest>;
  readonly fetchBlob: (blob: Pick<Descriptor, 'digest' | 'size'>, maxBytes: number) => Promise<Uint8Array>;
  readonly listTags: () => Promise<readonly string[]>;
  /** Manifests that refer to this one as their subject, such as signatures. */
  readonly listReferrers: (digest: string) => Promise<readonly Descriptor[]>;
  /** Does nothing if the registry has it. */
  readonly pushBlob: (bytes: Uint8Array) => Promise<void>;
  /**
   * By its digest and then by the tags: a push that fails leaves no tag. All blobs that it names have to be pushed before.
   */
  readonly pushManifest: (bytes: Uint8Array, options: ManifestOptions) => Promise<PushedManifest>;
}

export interface PushedManifest {
  /** Whether the registry lists the manifest among the referrers of its subject. */
  readonly isReferrer: boolean;
}

export interface ManifestOptions {
  readonly mediaType: string;
  readonly tags?: readonly string[] | undefined;
}

export const manifestType = 'application/vnd.oci.image.manifest.v1+json';
export const indexType = 'application/vnd.oci.image.index.v1+json';
const largestManifest = 4 * 1_048_576;

export function openRepository(
  reference: Pick<OciReference, 'host' | 'path'>,
  given: FetchAccess,
  action: RegistryAction = 'pull',
): Repository {
  const url = `oci://${reference.host}/${reference.path}`;
  const session = openRegistry(reference, accessFrom(url, given), action);

  async function fetchManifest(name: string): Promise<Manifest> {
    const digest = name.startsWith('sha256:') ? name : undefined;
    const headers = { accept: `${manifestType}, ${indexType}` };
    const answer = await session.send(`manifests/${name}`, { digest, maxBytes: largestManifest, headers });
    const found = digestOf(answer.bytes);
    const promised = readDigest(answer.headers['docker-content-digest'] ?? '');
    const shown = digest === undefined ? `${url}:${name}` : `${url}@${name}`;
    if (promised !== undefined && promised !== found) {
      const reason = `the digest of the manifest is ${found}, but the registry reports ${promised}`;
      throw refuseContent(shown, reason, { failure: 'digest' });
    }
    const data = parseJson(answer.bytes);
    if (!isJsonObject(data) || data['schemaVersion'] !== 2) throw refuseContent(shown, 'it is not an OCI manifest');
    const [type = ''] = (answer.headers['content-type'] ?? '').split(';');
    return { bytes: answer.bytes, digest: found, mediaType: type.trim().toLowerCase(), data };
  }

  async function exists(place: string): Promise<boolean> {
    try {
      await session.send(place, { method: 'HEAD', maxBytes: 0 });
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  async function putManifest(bytes: Uint8Array, mediaType: string, name: string): Promise<Fetched> {
    const headers = { 'content-type': mediaType };
    const request = { method: 'PUT', body: bytes, headers, maxBytes: largestAnswer } as const;
    const answer = await session.send(`manifests/${name}`, request);
    const reported = readDigest(answer.headers['docker-content-digest'] ?? '');
    const stored = reported ?? (await fetchManifest(name)).digest;
    if (stored === digestOf(bytes)) return answer;
    const reason = `it was sent the manifest ${digestOf(bytes)}, but reports ${stored}`;
    throw refuseContent(url, reason, { failure: 'digest', intent: 'push' });
  }

  return {
    fetchManifest,
    async fetchBlob({ digest, size }, maxBytes) {
      if (size > maxBytes) {
        const reason = `the content has ${size} bytes, more than the limit of ${maxBytes}`;
        throw refuseContent(url, reason, { failure: 'size' });
      }
      const { bytes } = await session.send(`blobs/${digest}`, { digest, maxBytes });
      if (bytes.length === size) return bytes;
      const reason = `the content has ${bytes.length} bytes, but its manifest says ${size}`;
      throw refuseContent(url, reason, { failure: 'size' });
    },
    listTags: async () =>
      await fetchPages(session, { url, what: 'tags', place: 'tags/list?n=1000', read: (data) => readTags(data, url) }),
    async listReferrers(digest) {
      try {
        return await fetchPages(session, {
          url,
          what: 'referrers',
          place: `referrers/${digest}`,
          headers: { accept: indexType },
          read: (data) => readDescriptors(data, url),
        });
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
      // Registries without that endpoint have an index with a tag that is made from the digest.
      try {
        return readDescriptors((await fetchManifest(digest.replace(':', '-'))).data, url);
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    },
    async pushBlob(bytes) {
      const digest = digestOf(bytes);
      const isStored = async (): Promise<boolean> => await exists(`blobs/${digest}`);
      if (!(await isStored())) await uploadBlob(session, { bytes, digest, url, isStored, wait: given.wait });
    },
    async pushManifest(bytes, { mediaType, tags = [] }) {
      const { headers } = await putManifest(bytes, mediaType, digestOf(bytes));
      for (const tag of tags) await putManifest(bytes, mediaType, tag);
      return { isReferrer: headers['oci-subject'] !== undefined };
    },
  };
}

/** Whether a registry says that there is no such manifest or blob. */
export function isMissing(error: unknown): boolean {
  return error instanceof FetchError && error.status === 404;
}

function readTags(data: Json | undefined, url: string): readonly string[] {
  const tags = isJsonObject(data) ? (data['tags'] ?? []) : undefined;
  if (!isJsonArray(tags)) throw refuseContent(url, 'its answer is not a list of tags');
  return tags.filter((tag): tag is string => typeof tag === 'string' && isTag(tag));
}
