import { networkFetcher } from '../src/host/index.ts';
import { openRepository } from '../src/registry/index.ts';
import type { Repository } from '../src/registry/index.ts';

/** A repository of a registry on this machine, without any answers of earlier requests. */
export function openLocalRepository(host: string, path: string): Repository {
  const access = { fetcher: networkFetcher({ allowPrivate: true }), allowHost: () => true, plainHttp: true };
  return openRepository({ host, path }, access, 'pull,push');
}
