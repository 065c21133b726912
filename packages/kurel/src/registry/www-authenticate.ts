/** Where a registry issues tokens. */
export interface BearerChallenge {
  readonly realm: string;
  readonly service?: string | undefined;
  readonly scope?: string | undefined;
}

const parameter = /\s*([A-Za-z_-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))\s*(?:,|$)/y;
const longest = 8192;

/** Reads a `www-authenticate` header; `undefined` if it does not offer tokens. */
export function readBearerChallenge(header: string): BearerChallenge | undefined {
  // Another scheme with its own parameters may precede it.
  const start = header.length > longest ? null : /(?:^|,)\s*bearer\s+/i.exec(header);
  if (start === null) return undefined;
  const found = new Map<string, string>();
  parameter.lastIndex = start.index + start[0].length;
  for (let match = parameter.exec(header); match !== null; match = parameter.exec(header)) {
    const [, name = '', quoted, word = ''] = match;
    found.set(name.toLowerCase(), quoted === undefined ? word : quoted.replaceAll(/\\(.)/g, '$1'));
  }
  const realm = found.get('realm');
  return realm === undefined ? undefined : { realm, service: found.get('service'), scope: found.get('scope') };
}

/** Whether a `www-authenticate` header offers log-in with a password. */
export function offersBasic(header: string): boolean {
  return header.length <= longest && /(?:^|,)\s*basic(?:\s|,|$)/i.test(header);
}
