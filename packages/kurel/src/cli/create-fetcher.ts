import { networkFetcher } from '../host/index.ts';
import type { Fetcher } from '../model/index.ts';
import type { Environment } from './environment.ts';
import type { ApplicationFlags } from './read-application-flags.ts';

/** What gets sources of an application from elsewhere, and ends with the program. */
export function createFetcher(
  { 'allow-private': allowPrivate = false }: ApplicationFlags,
  { signal }: Environment,
): Fetcher {
  const fetcher = networkFetcher({ allowPrivate });
  return {
    ...fetcher,
    fetch: async (request) => await fetcher.fetch({ ...request, signal: request.signal ?? signal }),
  };
}
