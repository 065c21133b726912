import { sha256 } from '../../../engine/index.ts';
import type { Fetched, FetchRequest } from '../../../model/index.ts';
import type { FetchAccess } from './fetch-access.ts';
import { refuseContent } from './fetch-access.ts';

export interface PinnedRequest extends Pick<FetchRequest, 'url' | 'maxBytes' | 'headers'> {
  /** `sha256:…`; whatever comes is taken without this. */
  readonly digest?: string | undefined;
}

/** Gets the bytes, and only those that the digest is of. */
export async function fetchPinned(
  { digest, ...request }: PinnedRequest,
  { fetcher, allowHost, isNamedHost, signal }: FetchAccess,
): Promise<Fetched> {
  const fetched = await fetcher.fetch({ ...request, allowHost, isNamedHost, signal });
  if (digest === undefined) return fetched;
  const found = digestOf(fetched.bytes);
  if (found === digest) return fetched;
  throw refuseContent(request.url, `its bytes have the digest ${found}, and must have ${digest}`, {
    failure: 'digest',
  });
}

/** `sha256:` and 64 lower-case digits. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${sha256(bytes)}`;
}

/** The digest in its one form; indexes of charts leave the `sha256:` out. `undefined` for other algorithms and other texts. */
export function readDigest(text: string): string | undefined {
  const digits = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(text)?.[1];
  return digits === undefined ? undefined : `sha256:${digits.toLowerCase()}`;
}
