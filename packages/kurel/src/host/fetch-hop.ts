import { escapeControls } from '../diagnostics/index.ts';
import { FetchError, hideQuery, hideUser } from '../model/index.ts';
import type { FetchFailure, FetchRequest } from '../model/index.ts';

const longest = 300;

/** The URL for messages: without credentials, with control characters visible, and shortened. */
function showUrl(url: string): string {
  const text = hideUser(url);
  return `"${escapeControls(text.length <= longest ? text : `${text.slice(0, longest - 1)}…`)}"`;
}

function failureOf({ url, intent = 'fetch' }: FetchRequest): string {
  // Registries choose where to upload, often at a URL with a signature.
  return intent === 'fetch' ? `cannot fetch ${showUrl(url)}` : `cannot push to ${showUrl(hideQuery(url))}`;
}

/** The URL of the request or of a redirect. */
export interface Hop {
  readonly url: URL;
  readonly method: NonNullable<FetchRequest['method']>;
  readonly body?: Uint8Array | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the user names its host, so that a private address can be allowed. */
  readonly isNamed: boolean;
  /** Creates the error; the reason is the end of the sentence `cannot fetch "https://…": …` or `cannot push to "https://…": …`. */
  readonly refuse: (failure: FetchFailure, reason: string, more?: RefusalDetails) => FetchError;
}

export interface RefusalDetails {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

// Only these headers are sent to the host of a redirect.
const harmless: ReadonlySet<string> = new Set(['accept', 'user-agent']);

export function startHop(request: FetchRequest): Hop {
  const refuse = createRefuse(hideUser(request.url), `${failureOf(request)}: `);
  // The URL class accepts spaces, missing slashes and backslashes, which hide the actual host.
  if (!/^https?:\/\/[^\s/\\]\S*$/i.test(request.url) || !URL.canParse(request.url)) {
    throw refuse('url', 'it must start with https:// or http:// and must not contain spaces');
  }
  const url = new URL(request.url);
  checkUser(url, refuse);
  checkHost(url, request, refuse);
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  const { method = 'GET', body } = request;
  return { url, method, body, headers: Object.fromEntries(headers), isNamed: isNamed(url, request), refuse };
}

/** The URL of a redirect has to pass the same checks as the first one. */
export function followRedirect(hop: Hop, location: string, request: FetchRequest): Hop {
  if (hop.method !== 'GET' && hop.method !== 'HEAD')
    throw hop.refuse('redirects', `it redirects ${hop.method}, which is not allowed`);
  if (!URL.canParse(location, hop.url.href))
    throw hop.refuse('redirects', `it redirects to ${showUrl(location)}, which is not a valid URL`);
  const url = new URL(location, hop.url);
  const shown = hideQuery(url.href);
  const refuse = createRefuse(shown, `${failureOf(request)}: redirected to ${showUrl(shown)}: `);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refuse('url', 'only https:// and http:// are supported');
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw refuse('redirects', 'a redirect from https to http is not allowed');
  }
  checkUser(url, refuse);
  checkHost(url, request, refuse);
  const isSame = url.origin === hop.url.origin;
  const headers = Object.entries(hop.headers).filter(([name]) => isSame || harmless.has(name));
  return {
    url,
    method: hop.method,
    headers: Object.fromEntries(headers),
    isNamed: isNamed(url, request),
    refuse,
  };
}

function isNamed(url: URL, { isNamedHost, url: first }: FetchRequest): boolean {
  return isNamedHost === undefined ? url.hostname === new URL(first).hostname : isNamedHost(url.host);
}

function checkUser(url: URL, refuse: Hop['refuse']): void {
  if (url.username !== '' || url.password !== '') throw refuse('url', 'a URL with a user or password is not allowed');
}

function checkHost(url: URL, request: FetchRequest, refuse: Hop['refuse']): void {
  if (!request.allowHost(url.host)) throw refuse('host', `host ${JSON.stringify(url.host)} is not allowed`);
}

function createRefuse(url: string, start: string): Hop['refuse'] {
  return (failure, reason, more = {}) => new FetchError(failure, `${start}${reason}`, { url, ...more });
}
