import { FetchError, isJsonObject } from '../../../model/index.ts';
import type { Fetched } from '../../../model/index.ts';
import type { FetchAccess } from './fetch-access.ts';
import { fetchPinned } from './fetch-pinned.ts';
import type { PinnedRequest } from './fetch-pinned.ts';
import type { OciReference } from './oci-reference.ts';
import { refuseContent } from './fetch-access.ts';

/** Where a registry issues tokens. */
interface BearerChallenge {
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

/** Requests to one repository of a registry. */
export interface RegistrySession {
  /** The path is relative to the repository, such as `manifests/1.0`. */
  readonly get: (path: string, request: Omit<PinnedRequest, 'url'>) => Promise<Fetched>;
}

// The API of Docker Hub has another host name than its images.
const registries: ReadonlyMap<string, string> = new Map([
  ['docker.io', 'registry-1.docker.io'],
  ['index.docker.io', 'registry-1.docker.io'],
]);
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
const largestToken = 1_048_576;

/** Requests are anonymous: if the registry requires a token, an anonymous one is requested. */
export function openRegistry({ host, path }: OciReference, access: FetchAccess): RegistrySession {
  const isPlain = access.plainHttp === true && loopback.test(host);
  const root = `${isPlain ? 'http' : 'https'}://${registries.get(host.toLowerCase()) ?? host}/v2/${path}/`;
  let token: string | undefined;

  async function ask(url: string, { headers, ...request }: Omit<PinnedRequest, 'url'>): Promise<Fetched> {
    const proof = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return await fetchPinned({ ...request, url, headers: { ...headers, ...proof } }, access);
  }

  return {
    async get(place, request) {
      const url = `${root}${place}`;
      try {
        return await ask(url, request);
      } catch (error) {
        if (!(error instanceof FetchError) || error.status !== 401 || token !== undefined) throw error;
        // A redirect target must not choose where this registry's tokens come from.
        if (error.url !== url) throw error;
        token = await fetchToken(error, { path, isPlain, access });
        return await ask(url, request);
      }
    },
  };
}

interface TokenContext {
  readonly path: string;
  readonly isPlain: boolean;
  readonly access: FetchAccess;
}

async function fetchToken(refusal: FetchError, { path, isPlain, access }: TokenContext): Promise<string> {
  const challenge = readBearerChallenge(refusal.headers['www-authenticate'] ?? '');
  if (challenge === undefined) {
    throw new FetchError('status', `${refusal.message}; it requires a login, which kurel does not support`, {
      url: refusal.url,
      status: 401,
      headers: refusal.headers,
      cause: refusal,
    });
  }
  const { realm, service, scope = `repository:${path}:pull` } = challenge;
  if (!URL.canParse(realm) || !(realm.startsWith('https://') || (isPlain && realm.startsWith('http://')))) {
    throw refuseContent(refusal.url, `its token service ${JSON.stringify(realm.slice(0, 200))} is not an https:// URL`);
  }
  const url = new URL(realm);
  if (service !== undefined) url.searchParams.set('service', service);
  url.searchParams.set('scope', scope);
  const { bytes } = await fetchPinned({ url: url.href, maxBytes: largestToken }, access);
  const token = readToken(bytes);
  if (token === undefined) throw refuseContent(url.href, 'the response has no token');
  return token;
}

function readToken(bytes: Uint8Array): string | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
  if (!isJsonObject(answer)) return undefined;
  const token = answer['token'] ?? answer['access_token'];
  // The token becomes part of a header.
  return typeof token === 'string' && /^[\x21-\x7E]+$/.test(token) ? token : undefined;
}
