const ports: ReadonlyMap<string, string> = new Map([
  ['http', ':80'],
  ['https', ':443'],
  ['oci', ':443'],
]);

/** One text for all URLs that lead to the same place: the case of the host, its usual port and a slash at the end do not count. */
export function normalizeUrl(url: string): string {
  const [, scheme = '', authority = '', path = '', query = ''] = /^([a-z]+):\/\/([^/?]*)([^?]*)(.*)$/s.exec(url) ?? [];
  const port = ports.get(scheme) ?? '';
  const host = authority.toLowerCase();
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  const place = port !== '' && host.endsWith(port) ? host.slice(0, -port.length) : host;
  return `${scheme}://${place}${path.slice(0, end)}${query}`;
}
