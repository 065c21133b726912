import { FetchError } from '../src/model/index.ts';
import type { Fetched, FetchRequest } from '../src/model/index.ts';
import { digestOf } from '../src/registry/index.ts';
import type { FetchAccess } from '../src/registry/index.ts';

/** A registry without a network, which a test can also make lie. */
export interface MemoryRegistry {
  readonly access: FetchAccess;
  /** By digest. */
  readonly blobs: Map<string, Uint8Array>;
  /** By tag and by digest, with the path of their repository: `shop:1.0`, `shop@sha256:…`. */
  readonly manifests: Map<string, Uint8Array>;
  /** Methods and paths, in order. */
  readonly requests: readonly string[];
  /** Makes requests fail from then on whose method and path contain the words. */
  fail(words: string): void;
}

export function createMemoryRegistry(): MemoryRegistry {
  const blobs = new Map<string, Uint8Array>();
  const manifests = new Map<string, Uint8Array>();
  const requests: string[] = [];
  const failing: string[] = [];

  function keyOf(path: string, name: string): string {
    return name.startsWith('sha256:') ? `${path}@${name}` : `${path}:${name}`;
  }

  async function fetch({ url, method = 'GET', body = new Uint8Array() }: FetchRequest): Promise<Fetched> {
    const { pathname, searchParams } = new URL(url);
    const refuse = (status: number): FetchError =>
      new FetchError('status', `cannot fetch "${url}": HTTP status ${status}`, { url, status });
    requests.push(`${method} ${pathname}`);
    if (failing.some((words) => `${method} ${pathname}`.includes(words))) throw refuse(500);
    const [, path = '', place = '', name = ''] = /^\/v2\/(.+)\/(manifests|blobs)\/(.*)$/.exec(pathname) ?? [];
    const answer = (bytes: Uint8Array, headers: Fetched['headers'] = {}): Fetched => ({ url, bytes, headers });
    if (method === 'POST') return answer(new Uint8Array(), { location: `/v2/${path}/blobs/uploads/1` });
    if (method === 'PUT' && place === 'blobs') {
      blobs.set(searchParams.get('digest')!, body);
      return answer(new Uint8Array());
    }
    if (method === 'PUT') {
      for (const one of [name, digestOf(body)]) manifests.set(keyOf(path, one), body);
      return answer(new Uint8Array());
    }
    const found = place === 'blobs' ? blobs.get(name) : manifests.get(keyOf(path, name));
    if (found === undefined) throw refuse(404);
    return answer(method === 'HEAD' ? new Uint8Array() : found);
  }

  return {
    access: { fetcher: { fetch }, allowHost: () => true },
    blobs,
    manifests,
    requests,
    fail: (words) => void failing.push(words),
  };
}
