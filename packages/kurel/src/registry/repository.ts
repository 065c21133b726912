import { quote } from '../diagnostics/index.ts';
import { FetchError, isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonObject } from '../model/index.ts';
import { accessFrom, refuseContent } from './fetch-access.ts';
import type { FetchAccess } from './fetch-access.ts';
import { digestOf, readDigest } from './fetch-pinned.ts';
import type { OciReference } from './oci-reference.ts';
import { openRegistry } from './registry-session.ts';
import type { RegistryAction } from './registry-session.ts';

/** A manifest or blob of a repository. */
export interface Descriptor {
  readonly mediaType: string;
  /** `sha256:…`. */
  readonly digest: string;
  readonly size: number;
  readonly artifactType?: string | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

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
  /** By tag, or by its digest without one. All blobs that it names have to be pushed before. */
  readonly pushManifest: (bytes: Uint8Array, options: ManifestOptions) => Promise<void>;
}

export interface ManifestOptions {
  readonly mediaType: string;
  readonly tag?: string | undefined;
}

export const manifestType = 'application/vnd.oci.image.manifest.v1+json';
export const indexType = 'application/vnd.oci.image.index.v1+json';
const largestManifest = 4 * 1_048_576;
const largestListing = 4 * 1_048_576;
const mostPages = 100;

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

  return {
    fetchManifest,
    async fetchBlob({ digest, size }, maxBytes) {
      if (size > maxBytes) {
        const reason = `the content has ${size} bytes, more than the limit of ${maxBytes}`;
        throw refuseContent(url, reason, { failure: 'size' });
      }
      const { bytes } = await session.send(`blobs/${digest}`, { digest, maxBytes });
      return bytes;
    },
    async listTags() {
      const tags: string[] = [];
      let next: string | undefined = 'tags/list?n=1000';
      for (let page = 0; next !== undefined; page++) {
        if (page === mostPages) throw refuseContent(url, 'the list of tags is too long', { failure: 'size' });
        const { bytes, headers } = await session.send(next, { maxBytes: largestListing });
        const data = parseJson(bytes);
        const found = isJsonObject(data) ? (data['tags'] ?? []) : undefined;
        if (!isJsonArray(found)) throw refuseContent(url, 'its answer is not a list of tags');
        for (const tag of found) if (typeof tag === 'string') tags.push(tag);
        next = /<([^<>]+)>\s*;\s*rel="?next"?/i.exec(headers['link'] ?? '')?.[1];
      }
      return tags;
    },
    async listReferrers(digest) {
      try {
        const headers = { accept: indexType };
        const { bytes } = await session.send(`referrers/${digest}`, { maxBytes: largestListing, headers });
        return readDescriptors(parseJson(bytes), url);
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
      if (await exists(`blobs/${digest}`)) return;
      const { headers } = await session.send('blobs/uploads/', { method: 'POST', maxBytes: largestListing });
      const { location } = headers;
      if (location === undefined) throw refuseContent(url, 'its answer does not say where to upload');
      const place = `${location}${location.includes('?') ? '&' : '?'}digest=${digest}`;
      const type = { 'content-type': 'application/octet-stream' };
      await session.send(place, { method: 'PUT', body: bytes, headers: type, maxBytes: largestListing });
    },
    async pushManifest(bytes, { mediaType, tag }) {
      const headers = { 'content-type': mediaType };
      const place = `manifests/${tag ?? digestOf(bytes)}`;
      await session.send(place, { method: 'PUT', body: bytes, headers, maxBytes: largestListing });
    },
  };
}

/** Whether a registry says that there is no such manifest or blob. */
export function isMissing(error: unknown): boolean {
  return error instanceof FetchError && error.status === 404;
}

function readDescriptors(data: Json | undefined, url: string): readonly Descriptor[] {
  const manifests = isJsonObject(data) ? data['manifests'] : undefined;
  if (!isJsonArray(manifests)) throw refuseContent(url, 'its answer is not an index');
  return manifests.map((one) => readDescriptor(one, url));
}

/** A descriptor in a manifest or index; throws if it has no media type, size or SHA-256 digest. */
export function readDescriptor(data: Json | undefined, url: string): Descriptor {
  const { mediaType, digest, size, artifactType, annotations } = isJsonObject(data) ? data : {};
  const known = typeof digest === 'string' && digest.startsWith('sha256:') ? readDigest(digest) : undefined;
  if (known === undefined || typeof mediaType !== 'string' || typeof size !== 'number' || size < 0) {
    const shown = typeof digest === 'string' ? ` ${quote(digest.slice(0, 100))}` : '';
    throw refuseContent(url, `the layer${shown} has no media type, size or SHA-256 digest`);
  }
  return {
    mediaType,
    digest: known,
    size,
    ...(typeof artifactType === 'string' ? { artifactType } : {}),
    annotations: readAnnotations(annotations),
  };
}

/** The annotations of a manifest or descriptor; values that are not strings are left out. */
export function readAnnotations(data: Json | undefined): Readonly<Record<string, string>> {
  const entries = isJsonObject(data) ? Object.entries(data) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** `undefined` if it is not valid. */
export function parseJson(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json;
  } catch {
    return undefined;
  }
}
