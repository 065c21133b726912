import type { Fetcher } from '../../../model/index.ts';
import { accessFrom, fetchOnce, fetchPinned } from '../../../registry/index.ts';
import type { FetchAccess } from '../../../registry/index.ts';
import { fetchChart } from '../fetching/fetch-chart.ts';
import { keyOfName } from './lock.ts';
import type { FetchedSource, SourceNetwork } from './source-access.ts';

export interface NetworkOptions extends Pick<FetchAccess, 'credentialsFor' | 'plainHttp' | 'signal'> {
  readonly fetcher: Fetcher;
}

// The limit of the original; manifests are not larger.
const largestManifests = 5 * 1024 * 1024;

/** Remote sources. Each is fetched once per build, so that all components get the same bytes. */
export function createSourceNetwork({ fetcher, ...options }: NetworkOptions): SourceNetwork {
  const shared = { ...options, fetcher: fetchOnce(fetcher), inTurn: createTurns() };
  const known = new Map<string, Promise<FetchedSource>>();
  const once = async (key: string, work: () => Promise<FetchedSource>): Promise<FetchedSource> => {
    const found = known.get(key) ?? work();
    known.set(key, found);
    return await found;
  };
  return {
    fetchUrl: async (url, { allowHost, isListedHost }) =>
      await once(`url ${keyOfName({ url })}`, () =>
        fetchPinned({ url, maxBytes: largestManifests }, accessFrom(url, { ...shared, allowHost, isListedHost })),
      ),
    fetchChart: async (name, { allowHost, isListedHost }) =>
      await once(`chart ${keyOfName(name)}`, () => fetchChart(name, { ...shared, allowHost, isListedHost })),
  };
}

/** Runs one work after the other. */
function createTurns(): NonNullable<FetchAccess['inTurn']> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
