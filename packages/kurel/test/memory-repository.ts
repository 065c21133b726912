import { isJsonObject, FetchError } from '../src/model/index.ts';
import type { JsonObject } from '../src/model/index.ts';
import { digestOf, indexType, manifestType } from '../src/registry/index.ts';
import type { Descriptor, Repository } from '../src/registry/index.ts';

export interface MemoryRepository extends Repository {
  /** Manifests by digest and tag. */
  readonly manifests: Map<string, Uint8Array>;
  readonly blobs: Map<string, Uint8Array>;
}

/** A repository in memory: with the list of referrers, or without it, as in the real registry that other tests start. */
export function memoryRepository({ hasReferrers = false } = {}): MemoryRepository {
  const manifests = new Map<string, Uint8Array>();
  const blobs = new Map<string, Uint8Array>();
  const missing = (what: string): FetchError => new FetchError('status', `${what}: 404`, { url: what, status: 404 });
  const dataOf = (bytes: Uint8Array): JsonObject => JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;
  const repository: Repository = {
    async fetchManifest(name) {
      const bytes = manifests.get(name);
      if (bytes === undefined) throw missing(name);
      const data = dataOf(bytes);
      const mediaType = data['mediaType'] === indexType ? indexType : manifestType;
      return { bytes, digest: digestOf(bytes), mediaType, data };
    },
    async fetchBlob({ digest }, maxBytes) {
      const bytes = blobs.get(digest);
      if (bytes === undefined) throw missing(digest);
      if (bytes.length > maxBytes) throw new FetchError('size', `${digest} is too large`, { url: digest });
      return bytes;
    },
    listTags: async () => [...manifests.keys()].filter((name) => !name.includes(':')),
    async listReferrers(subject) {
      const tag = manifests.get(subject.replace(':', '-'));
      if (!hasReferrers) return tag === undefined ? [] : (dataOf(tag)['manifests'] as unknown as Descriptor[]);
      return [...manifests].flatMap(([digest, bytes]) => {
        const data = dataOf(bytes);
        const isOf = isJsonObject(data['subject']) && data['subject']['digest'] === subject;
        const { artifactType } = data;
        return isOf && typeof artifactType === 'string'
          ? [{ mediaType: manifestType, digest, size: bytes.length, artifactType }]
          : [];
      });
    },
    pushBlob: async (bytes) => void blobs.set(digestOf(bytes), bytes),
    async pushManifest(bytes, { tags = [] }) {
      for (const name of [digestOf(bytes), ...tags]) manifests.set(name, bytes);
      return { isReferrer: hasReferrers && 'subject' in dataOf(bytes) };
    },
  };
  return { ...repository, manifests, blobs };
}

/** Pushes an artifact with one layer, and returns it as it is found there. */
export async function pushArtifact(repository: Repository, content: string | Uint8Array) {
  const config = new TextEncoder().encode('{}');
  const layer = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const describe = (mediaType: string, bytes: Uint8Array) => ({
    mediaType,
    digest: digestOf(bytes),
    size: bytes.length,
  });
  const data = {
    schemaVersion: 2,
    mediaType: manifestType,
    config: describe('application/vnd.cncf.flux.config.v1+json', config),
    layers: [describe('application/vnd.oci.image.layer.v1.tar+gzip', layer)],
  };
  const bytes = new TextEncoder().encode(JSON.stringify(data));
  await repository.pushBlob(config);
  await repository.pushBlob(layer);
  await repository.pushManifest(bytes, { mediaType: manifestType });
  return { bytes, digest: digestOf(bytes), mediaType: manifestType };
}
