import { setTimeout } from 'node:timers/promises';

import { quote } from '../diagnostics/index.ts';
import { networkFetcher, registryCredentials } from '../host/index.ts';
import type { RegistryConfigOptions } from '../host/index.ts';
import type { Fetcher } from '../model/index.ts';
import { fetchOnce, isRegistryHost } from '../registry/index.ts';
import type { FetchAccess } from '../registry/index.ts';
import { settingTable } from '../settings/index.ts';
import type { BuildSettings } from '../settings/index.ts';
import { withoutSection } from './command.ts';
import type { FlagDefinitions } from './command.ts';
import type { Environment } from './environment.ts';
import { useKnownContent } from './packages/known-content.ts';
import { UsageError } from './usage-error.ts';

/** Flags of every command that uses a registry. */
export const registryFlags = {
  'registry-config': withoutSection(settingTable.registryConfig),
  'allow-private': withoutSection({
    ...settingTable.allowPrivate,
    summary: 'Also use loopback and private addresses, and local registries over plain HTTP.',
  }),
} as const satisfies FlagDefinitions;

export type RegistrySettings = Partial<Pick<BuildSettings, 'registryConfig' | 'allowPrivate'>>;

/** Access to registries that the user names. Credentials are looked up when a registry requires them. */
export function createRegistryAccess(settings: RegistrySettings, environment: Environment): FetchAccess {
  const options = registryOptions(settings, environment);
  const credentialsFor = environment.credentials?.get(options.file) ?? registryCredentials(options);
  environment.credentials?.set(options.file, credentialsFor);
  return {
    fetcher: createFetcher(settings, environment),
    allowHost: () => true,
    credentialsFor,
    plainHttp: settings.allowPrivate,
    signal: environment.signal,
    wait: async (milliseconds) => await setTimeout(milliseconds, undefined, { signal: environment.signal }),
  };
}

/** Fetches remote sources of an application; aborted when the program ends. */
function createFetcher(
  { allowPrivate = false }: RegistrySettings,
  { variables, signal, limits, progress, fetchers, watched, known: knownContent }: Environment,
): Fetcher {
  let fetcher = fetchers?.get(allowPrivate);
  if (fetcher === undefined) {
    const network = networkFetcher({
      allowPrivate,
      environment: variables,
      ...(limits?.timeoutMs === undefined ? {} : { timeoutMs: limits.timeoutMs }),
    });
    const ending: Fetcher = {
      fetch: async (request) => await network.fetch({ ...request, signal: request.signal ?? signal }),
    };
    fetcher = fetchOnce(progress?.observeFetcher(ending) ?? ending);
    fetchers?.set(allowPrivate, fetcher);
  }
  const { noteFetch } = watched ?? {};
  const shared = fetcher;
  const noted: Fetcher =
    noteFetch === undefined
      ? shared
      : {
          fetch(request) {
            noteFetch();
            return shared.fetch(request);
          },
        };
  return knownContent === undefined ? noted : useKnownContent(noted, knownContent);
}

export function registryOptions(
  { registryConfig: file }: Pick<RegistrySettings, 'registryConfig'>,
  { variables, workingDirectory, signal }: Environment,
): RegistryConfigOptions {
  return { environment: variables, file, workingDirectory, signal };
}

export function readRegistryHost(command: string, word: string): string {
  if (isRegistryHost(word)) return word;
  const shown = word.replace(/^(.*\/\/)?[^/]*@/s, '$1***@');
  const host = word.replace(/^(?:[a-z]+:\/\/)?(?:[^/]*@)?/i, '').replace(/\/.*$/s, '');
  const hint = isRegistryHost(host) ? `use kurel ${command} ${host}` : 'use a host such as ghcr.io or localhost:5000';
  throw new UsageError(`${quote(shown)} is not the host of a registry`, hint);
}
