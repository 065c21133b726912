import type { Fetcher } from '../../model/index.ts';
import { digestOf, manifestType } from '../../registry/index.ts';

/** Content of registries that need not be fetched, by its digest. */
export interface KnownContent {
  /** Bytes with another digest are not used. */
  find(digest: string): Promise<Uint8Array | undefined>;
  /** Called with what was fetched instead. */
  keep(digest: string, bytes: Uint8Array): void;
}

const byDigest = /\/v2\/.+\/(manifests|blobs)\/(sha256:[0-9a-f]{64})$/;

/** Answers requests for a digest without the network, if the content is known. A digest is the same content in every registry. */
export function useKnownContent(fetcher: Fetcher, content: KnownContent): Fetcher {
  return {
    async fetch(request) {
      const { url, method = 'GET', maxBytes } = request;
      const [, place, digest] = byDigest.exec(url) ?? [];
      if (digest === undefined || method !== 'GET') return await fetcher.fetch(request);
      const bytes = await content.find(digest);
      if (bytes !== undefined && bytes.length <= maxBytes && digestOf(bytes) === digest) {
        const type = place === 'manifests' ? manifestType : 'application/octet-stream';
        return { url, bytes, headers: { 'content-type': type } };
      }
      const fetched = await fetcher.fetch(request);
      if (digestOf(fetched.bytes) === digest) content.keep(digest, fetched.bytes);
      return fetched;
    },
  };
}
