import type { Fetcher } from '../../../model/index.ts';
import { accessFrom } from '../fetching/fetch-access.ts';
import { fetchChart } from '../fetching/fetch-chart.ts';
import { fetchPinned } from '../fetching/fetch-pinned.ts';
import { keyOfName } from './lock.ts';
import type { FetchedSource, SourceNetwork } from './load-sources.ts';

export interface NetworkOptions {
  readonly fetcher: Fetcher;
  /** Use plain HTTP for registries on this machine. */
  readonly plainHttp?: boolean | undefined;
}

// The limit of the original; manifests are not larger.
const largestManifests = 5 * 1024 * 1024;

/** Remote sources. Each is fetched once per build, so that all components get the same bytes. */
export function createSourceNetwork({ fetcher, plainHttp }: NetworkOptions): SourceNetwork {
  const known = new Map<string, Promise<FetchedSource>>();
  const once = async (key: string, work: () => Promise<FetchedSource>): Promise<FetchedSource> => {
    const found = known.get(key) ?? work();
    known.set(key, found);
    return await found;
  };
  return {
    fetchUrl: async (url, { allowHost, isListedHost }) =>
      await once(`url ${keyOfName({ url })}`, () =>
        fetchPinned(
          { url, maxBytes: largestManifests },
          accessFrom(url, { fetcher, allowHost, isListedHost, plainHttp }),
        ),
      ),
    fetchChart: async (name, { allowHost, isListedHost }) =>
      await once(`chart ${keyOfName(name)}`, () => fetchChart(name, { fetcher, allowHost, isListedHost, plainHttp })),
  };
}
