import type { Fetcher, FetchRequest } from '../../../model/index.ts';

/** What fetching needs besides the name of what is fetched. */
export interface FetchAccess extends Pick<FetchRequest, 'allowHost' | 'signal'> {
  readonly fetcher: Fetcher;
  /** Speak plain HTTP with registries on this machine, as those of tests do. */
  readonly plainHttp?: boolean | undefined;
}
