import { FetchError, isJsonObject } from '../model/index.ts';
import type { Fetched } from '../model/index.ts';
import type { Credentials, FetchAccess } from './fetch-access.ts';
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
  /** The place is relative to the repository, such as `manifests/1.0`, or a URL from a response of the registry. */
  readonly send: (place: string, request: Omit<PinnedRequest, 'url'>) => Promise<Fetched>;
}

/** What a session may do in the repository. */
export type RegistryAction = 'pull' | 'pull,push';

// The API of Docker Hub has another host name than its images.
const registries: ReadonlyMap<string, string> = new Map([
  ['docker.io', 'registry-1.docker.io'],
  ['index.docker.io', 'registry-1.docker.io'],
]);
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
const largestToken = 1_048_576;

/** Requests are anonymous until the registry refuses one; then it is repeated with a token or with a password. */
export function openRegistry(
  { host, path }: Pick<OciReference, 'host' | 'path'>,
  access: FetchAccess,
  action: RegistryAction = 'pull',
): RegistrySession {
  const isPlain = access.plainHttp === true && loopback.test(host);
  const root = `${isPlain ? 'http' : 'https'}://${registries.get(host.toLowerCase()) ?? host}/v2/${path}/`;
  let authorization: string | undefined;

  async function ask(url: string, { headers, ...request }: Omit<PinnedRequest, 'url'>): Promise<Fetched> {
    // A location on another host, such as a signed URL of a store, must not receive log-in data.
    const isOwn = new URL(url).origin === new URL(root).origin;
    const proof = authorization === undefined || !isOwn ? {} : { authorization };
    return await fetchPinned({ ...request, url, headers: { ...headers, ...proof } }, access);
  }

  return {
    async send(place, request) {
      const url = new URL(place, root).href;
      if (!isPlain && !url.startsWith('https://')) throw refuseContent(root, `it refers to ${url.slice(0, 200)}`);
      try {
        return await ask(url, request);
      } catch (error) {
        if (!(error instanceof FetchError) || error.status !== 401 || authorization !== undefined) throw error;
        // A redirect target must not choose where this registry's tokens come from.
        if (error.url !== url || !url.startsWith(root)) throw error;
        authorization = await authorize(error, { host, path, action, isPlain, access });
        return await ask(url, request);
      }
    },
  };
}

interface TokenContext {
  readonly host: string;
  readonly path: string;
  readonly action: RegistryAction;
  readonly isPlain: boolean;
  readonly access: FetchAccess;
}

/** The header that the registry asks for. */
async function authorize(refusal: FetchError, context: TokenContext): Promise<string> {
  const header = refusal.headers['www-authenticate'] ?? '';
  const credentials = await context.access.credentialsFor?.(context.host);
  const challenge = readBearerChallenge(header);
  if (challenge !== undefined) return `Bearer ${await fetchToken(challenge, refusal, { ...context, credentials })}`;
  if (credentials !== undefined && 'password' in credentials && /(?:^|,)\s*basic\b/i.test(header)) {
    return basicAuthorization(credentials);
  }
  throw new FetchError('status', `${refusal.message}; it requires a login`, {
    url: refusal.url,
    status: 401,
    headers: refusal.headers,
    cause: refusal,
  });
}

function basicAuthorization({ username, password }: { readonly username: string; readonly password: string }): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

async function fetchToken(
  { realm, service, scope }: BearerChallenge,
  refusal: FetchError,
  { path, action, isPlain, access, credentials }: TokenContext & { readonly credentials: Credentials | undefined },
): Promise<string> {
  if (!URL.canParse(realm) || !(realm.startsWith('https://') || (isPlain && realm.startsWith('http://')))) {
    throw refuseContent(refusal.url, `its token service ${JSON.stringify(realm.slice(0, 200))} is not an https:// URL`);
  }
  const url = new URL(realm);
  const asked = { ...(service === undefined ? {} : { service }), scope: scope ?? `repository:${path}:${action}` };
  if (credentials !== undefined && 'identityToken' in credentials) {
    const form = {
      grant_type: 'refresh_token',
      refresh_token: credentials.identityToken,
      client_id: 'kurel',
      ...asked,
    };
    const request = { method: 'POST', body: new TextEncoder().encode(new URLSearchParams(form).toString()) } as const;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return readToken(await fetchPinned({ ...request, url: url.href, headers, maxBytes: largestToken }, access), url);
  }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  const headers = credentials === undefined ? {} : { authorization: basicAuthorization(credentials) };
  return readToken(await fetchPinned({ url: url.href, headers, maxBytes: largestToken }, access), url);
}

function readToken({ bytes }: Fetched, url: URL): string {
  const token = findToken(bytes);
  if (token === undefined) throw refuseContent(url.href, 'the response has no token');
  return token;
}

function findToken(bytes: Uint8Array): string | undefined {
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
