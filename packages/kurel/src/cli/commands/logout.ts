import { removeLogin } from '../../host/index.ts';
import { defineCommand } from '../command.ts';
import { readRegistryHost, registryFlags, registryOptions } from '../registry-access.ts';
import { settingsOf } from '../setting-flags.ts';

export const logout = defineCommand({
  name: 'logout',
  description: "Removes the credentials for the registry from docker's config.json and from its credential helper.",
  arguments: [{ name: 'HOST', summary: 'host of the registry, with its port if it has one' }],
  flags: {
    'registry-config': {
      ...registryFlags['registry-config'],
      summary: "Remove the credentials from FILE; defaults to docker's config.json.",
    },
  },
  examples: [{ says: 'remove the credentials', line: 'kurel logout ghcr.io' }],
  async run({ positionals, flags, environment }) {
    const host = readRegistryHost('logout', positionals[0]!);
    const wasLoggedIn = await removeLogin(host, registryOptions(settingsOf(flags), environment));
    return { stdout: wasLoggedIn ? `logged out of ${host}\n` : `not logged in to ${host}\n` };
  },
});
