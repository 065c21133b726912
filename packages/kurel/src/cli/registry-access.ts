import { setTimeout } from 'node:timers/promises';

import { registryCredentials } from '../host/index.ts';
import type { FetchAccess } from '../registry/index.ts';
import type { FlagDefinitions, FlagValues } from './command.ts';
import type { Environment } from './environment.ts';
import { createFetcher } from './open-world.ts';
import { UsageError } from './usage-error.ts';

/** Flags of every command that uses a registry. */
export const registryFlags = {
  'registry-config': {
    type: 'text',
    placeholder: 'FILE',
    completes: 'path',
    summary: "Read the credentials for registries from FILE; defaults to docker's config.json.",
  },
  'allow-private': {
    type: 'switch',
    summary: 'Also use loopback and private addresses, and local registries over plain HTTP.',
  },
} as const satisfies FlagDefinitions;

export type RegistryFlags = Partial<FlagValues<typeof registryFlags>>;

/** Access to registries that the user names. Credentials are looked up when a registry requires them. */
export function createRegistryAccess(flags: RegistryFlags, environment: Environment): FetchAccess {
  return {
    fetcher: createFetcher(flags, environment),
    allowHost: () => true,
    credentialsFor: createCredentials(flags, environment),
    plainHttp: flags['allow-private'],
    signal: environment.signal,
    wait: async (milliseconds) => await setTimeout(milliseconds, undefined, { signal: environment.signal }),
  };
}

function createCredentials(
  { 'registry-config': file }: RegistryFlags,
  { variables, workingDirectory, signal, credentials: shared }: Environment,
): NonNullable<FetchAccess['credentialsFor']> {
  if (file === '') throw new UsageError('--registry-config is empty', '--registry-config FILE');
  const known = shared?.get(file) ?? registryCredentials({ environment: variables, file, workingDirectory, signal });
  shared?.set(file, known);
  return known;
}
