import { sha256 } from '../engine/index.ts';
import type { Fetched, FetchRequest } from '../model/index.ts';
import type { FetchAccess } from './fetch-access.ts';
import { refuseContent } from './fetch-access.ts';

export interface PinnedRequest extends Pick<
  FetchRequest,
  'url' | 'method' | 'body' | 'intent' | 'isFresh' | 'maxBytes' | 'headers'
> {
  /** `sha256:…`; optional. */
  readonly digest?: string | undefined;
}

/** Fetches bytes and verifies their digest. */
export async function fetchPinned(
  { digest, ...request }: PinnedRequest,
  { fetcher, allowHost, isNamedHost, signal }: FetchAccess,
): Promise<Fetched> {
  const fetched = await fetcher.fetch({ ...request, allowHost, isNamedHost, signal });
  if (digest === undefined) return fetched;
  const found = digestOf(fetched.bytes);
  if (found === digest) return fetched;
  throw refuseContent(request.url, `the digest must be ${digest}, got ${found}`, {
    failure: 'digest',
  });
}

/** `sha256:` followed by 64 lower-case digits. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${sha256(bytes)}`;
}

/** The digest in canonical form; chart indexes omit `sha256:`. `undefined` if it is not a SHA-256 digest. */
export function readDigest(text: string): string | undefined {
  const digits = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(text)?.[1];
  return digits === undefined ? undefined : `sha256:${digits.toLowerCase()}`;
}
