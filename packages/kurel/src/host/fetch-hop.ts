import { escapeControls } from '../diagnostics/index.ts';
import { FetchError } from '../model/index.ts';
import type { FetchFailure, FetchRequest } from '../model/index.ts';

const longest = 300;

/** The URL as messages show it: without a user's password, nothing hidden, and not longer than a few lines. */
function showUrl(url: string): string {
  const text = hideUser(url);
  return `"${escapeControls(text.length <= longest ? text : `${text.slice(0, longest - 1)}…`)}"`;
}

function hideUser(url: string): string {
  return url.replace(/^([^/?#]*\/\/)[^/?#]*@/, '$1***@');
}

/** A redirect often carries a signature in its query, which is as good as a password for a while. */
function withoutSecrets(url: URL): string {
  return hideUser(url.href.replace(/[?#].*$/, '')) + (url.search === '' ? '' : '?…');
}

/** One URL on the way to the bytes: that of the request, or where a redirect leads. */
export interface Hop {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the user names its host, so that a private address may be meant. */
  readonly isNamed: boolean;
  /** The error for a reason that completes the sentence `cannot fetch "https://…": …`. */
  readonly refuse: (failure: FetchFailure, reason: string, more?: RefusalDetails) => FetchError;
}

export interface RefusalDetails {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

// Sent wherever the way leads; everything else that a request says is for the host it names.
const harmless: ReadonlySet<string> = new Set(['accept', 'user-agent']);

export function startHop(request: FetchRequest): Hop {
  const refuse = createRefuse(hideUser(request.url), `cannot fetch ${showUrl(request.url)}: `);
  // URLs forgive blanks, missing slashes and backslashes; nobody should have to wonder which host is meant.
  if (!/^https?:\/\/[^\s/\\]\S*$/i.test(request.url) || !URL.canParse(request.url)) {
    throw refuse('url', 'it must be a URL that starts with https:// or http:// and has no blanks');
  }
  const url = new URL(request.url);
  checkUser(url, refuse);
  checkHost(url, request, refuse);
  const given = Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { url, headers: Object.fromEntries(given), isNamed: isNamed(url, request), refuse };
}

/** Everything that was checked of the first URL is checked again of each that follows. */
export function followRedirect(hop: Hop, location: string, request: FetchRequest): Hop {
  if (!URL.canParse(location, hop.url.href))
    throw hop.refuse('redirects', `it redirects to ${showUrl(location)}, no URL`);
  const url = new URL(location, hop.url);
  const shown = withoutSecrets(url);
  const refuse = createRefuse(shown, `cannot fetch ${showUrl(request.url)}: redirected to ${showUrl(shown)}: `);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse('url', 'only https:// and http:// are taken');
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw refuse('redirects', 'a redirect may not lead from https to http');
  }
  checkUser(url, refuse);
  checkHost(url, request, refuse);
  const isSame = url.origin === hop.url.origin;
  const headers = Object.entries(hop.headers).filter(([name]) => isSame || harmless.has(name));
  return {
    url,
    headers: Object.fromEntries(headers),
    isNamed: isNamed(url, request),
    refuse,
  };
}

function isNamed(url: URL, { isNamedHost, url: first }: FetchRequest): boolean {
  return isNamedHost === undefined ? url.hostname === new URL(first).hostname : isNamedHost(url.host);
}

function checkUser(url: URL, refuse: Hop['refuse']): void {
  if (url.username !== '' || url.password !== '') throw refuse('url', 'a URL with a user or a password is not taken');
}

function checkHost(url: URL, request: FetchRequest, refuse: Hop['refuse']): void {
  if (!request.allowHost(url.host)) throw refuse('host', `the host ${JSON.stringify(url.host)} is not allowed`);
}

function createRefuse(url: string, start: string): Hop['refuse'] {
  return (failure, reason, more = {}) => new FetchError(failure, `${start}${reason}`, { url, ...more });
}
