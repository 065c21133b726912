import { isRegistryHost } from '../registry/index.ts';

/** Names of the same repository, however it is written: `host/path`. */
export function isSameRepository(a: string, b: string): boolean {
  return normalise(a) === normalise(b);
}

// Docker Hub has several names.
const hosts: ReadonlyMap<string, string> = new Map([
  ['index.docker.io', 'docker.io'],
  ['registry-1.docker.io', 'docker.io'],
]);

/** With the host as requests are sent to it; a rule for a host must not be evaded by another spelling, such as `HOST:0443`. */
export function normalise(name: string): string {
  const slash = name.indexOf('/');
  const host = spellHost(slash === -1 ? name : name.slice(0, slash));
  return `${hosts.get(host) ?? host}${slash === -1 ? '' : name.slice(slash)}`;
}

/** In lower case, without the default port, with one notation for each address. */
function spellHost(written: string): string {
  const url = `https://${written}`;
  return isRegistryHost(written) && URL.canParse(url) ? new URL(url).host : written.toLowerCase();
}
