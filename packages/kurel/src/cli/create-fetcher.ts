import { networkFetcher } from '../host/index.ts';
import type { Fetcher } from '../model/index.ts';
import type { Environment } from './environment.ts';
import type { ApplicationFlags } from './read-application-flags.ts';

/** What gets sources of an application from elsewhere, and ends with the program. */
export function createFetcher(
  { 'allow-private': allowPrivate = false }: ApplicationFlags,
  { signal, limits, progress }: Environment,
): Fetcher {
  const fetcher = networkFetcher({
    allowPrivate,
    ...(limits?.timeoutMs === undefined ? {} : { timeoutMs: limits.timeoutMs }),
  });
  const ending: Fetcher = {
    ...fetcher,
    fetch: async (request) => await fetcher.fetch({ ...request, signal: request.signal ?? signal }),
  };
  return progress?.observeFetcher(ending) ?? ending;
}
