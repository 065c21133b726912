import type { Fetched, FetchRequest } from '../../../model/index.ts';
import { digestOf } from './digest.ts';
import type { FetchAccess } from './fetch-access.ts';
import { refuseContent } from './refuse-content.ts';

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
