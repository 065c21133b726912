import { FetchError, hideQuery, isJsonObject } from '../model/index.ts';
import type { Fetched, JsonFields } from '../model/index.ts';
import { encodeBase64, fetchPinned, parseDocument, refuseContent } from './fetch-access.ts';
import type { Credentials, FetchAccess } from './fetch-access.ts';

interface TokenRequest {
  readonly host: string;
  /** What to do with what: `repository:a/b:pull`. */
  readonly scope?: string | undefined;
  readonly isPlain: boolean;
  readonly isRenewal?: boolean | undefined;
  readonly access: FetchAccess;
}

/** The `authorization` header that a registry asks for in its answer 401. */
export async function authorize(refusal: FetchError, request: TokenRequest): Promise<string> {
  const header = refusal.headers['www-authenticate'] ?? '';
  const credentials = await request.access.credentialsFor?.(request.host);
  const challenge = readBearerChallenge(header);
  if (challenge !== undefined) {
    const { bytes, url } = await fetchToken(challenge, refusal, { ...request, credentials });
    const token = findToken(bytes, hideQuery(url));
    if (token === undefined) throw refuseContent(hideQuery(url), 'the response has no token');
    return `Bearer ${token}`;
  }
  if (credentials !== undefined && 'password' in credentials && offersBasic(header)) {
    return basicAuthorization(credentials);
  }
  const { url, headers, message } = refusal;
  throw new FetchError('status', `${message}; it requires a login`, { url, status: 401, headers, cause: refusal });
}

function basicAuthorization({ username, password }: { readonly username: string; readonly password: string }): string {
  return `Basic ${encodeBase64(new TextEncoder().encode(`${username}:${password}`))}`;
}

const largestToken = 1_048_576;

async function fetchToken(
  { realm, service, scope }: BearerChallenge,
  refusal: FetchError,
  request: TokenRequest & { readonly credentials: Credentials | undefined },
): Promise<Fetched> {
  const { isPlain, isRenewal, access, credentials } = request;
  if (!URL.canParse(realm) || !(realm.startsWith('https://') || (isPlain && realm.startsWith('http://')))) {
    throw refuseContent(refusal.url, `its token service ${JSON.stringify(realm.slice(0, 200))} is not an https:// URL`);
  }
  const url = new URL(realm);
  const scopes = joinScopes(request.scope, scope);
  const shared = { maxBytes: largestToken, isFresh: isRenewal };
  if (credentials !== undefined && 'identityToken' in credentials) {
    const form = {
      grant_type: 'refresh_token',
      refresh_token: credentials.identityToken,
      client_id: 'kurel',
      ...(service === undefined ? {} : { service }),
      ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    };
    const body = new TextEncoder().encode(new URLSearchParams(form).toString());
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return await fetchPinned({ ...shared, method: 'POST', url: url.href, body, headers }, access);
  }
  if (service !== undefined) url.searchParams.set('service', service);
  for (const scope of scopes) url.searchParams.append('scope', scope);
  const headers = credentials === undefined ? {} : { authorization: basicAuthorization(credentials) };
  return await fetchPinned({ ...shared, url: url.href, headers }, access);
}

/** A registry asks for what one request needs. The other requests of a push need more, in the same repository. */
function joinScopes(own: string | undefined, asked = ''): readonly string[] {
  const words = asked.split(' ').filter((word) => word !== '');
  if (own === undefined) return words;
  const subject = own.slice(0, own.lastIndexOf(':') + 1);
  return [own, ...words.filter((word) => !word.startsWith(subject))];
}

const tokenFields: JsonFields = { names: ['token', 'access_token'] };

function findToken(bytes: Uint8Array, url: string): string | undefined {
  const answer = parseDocument(bytes, { url, name: 'response', fields: tokenFields });
  if (!isJsonObject(answer)) return undefined;
  const token = answer['token'] ?? answer['access_token'];
  // The token becomes part of a header.
  return typeof token === 'string' && /^[\x21-\x7E]+$/.test(token) ? token : undefined;
}

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
  const parameters = new Map<string, string>();
  parameter.lastIndex = start.index + start[0].length;
  for (let match = parameter.exec(header); match !== null; match = parameter.exec(header)) {
    const [, name = '', quoted, word = ''] = match;
    parameters.set(name.toLowerCase(), quoted === undefined ? word : quoted.replaceAll(/\\(.)/g, '$1'));
  }
  const realm = parameters.get('realm');
  return realm === undefined
    ? undefined
    : { realm, service: parameters.get('service'), scope: parameters.get('scope') };
}

/** Whether a `www-authenticate` header offers log-in with a password. */
export function offersBasic(header: string): boolean {
  return header.length <= longest && /(?:^|,)\s*basic(?:\s|,|$)/i.test(header);
}
