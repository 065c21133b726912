import type { FetchAccess } from '../registry/index.ts';
import type { FlagDefinitions, FlagValues } from './command.ts';
import type { Environment } from './environment.ts';
import { createFetcher } from './open-world.ts';

/** Flags of every command that uses a registry. */
export const registryFlags = {
  'allow-private': {
    type: 'switch',
    summary: 'Also use registries with loopback and private addresses, and those of this machine over plain HTTP.',
  },
} as const satisfies FlagDefinitions;

export type RegistryFlags = Partial<FlagValues<typeof registryFlags>>;

export function createRegistryAccess(flags: RegistryFlags, environment: Environment): FetchAccess {
  return {
    fetcher: createFetcher(flags, environment),
    allowHost: () => true,
    plainHttp: flags['allow-private'] === true,
  };
}
