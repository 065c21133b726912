/** Names of the same repository, however it is written: `host/path`. */
export function isSameRepository(a: string, b: string): boolean {
  return normalise(a) === normalise(b);
}

// Docker Hub has several names.
const hosts: ReadonlyMap<string, string> = new Map([
  ['index.docker.io', 'docker.io'],
  ['registry-1.docker.io', 'docker.io'],
]);

/** In lower case, without the default port; a rule for a host must not be evaded by another spelling. */
export function normalise(name: string): string {
  const slash = name.indexOf('/');
  const host = (slash === -1 ? name : name.slice(0, slash)).toLowerCase().replace(/\.?(?::443)?$/, '');
  return `${hosts.get(host) ?? host}${slash === -1 ? '' : name.slice(slash)}`;
}
