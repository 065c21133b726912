import { quote } from '../diagnostics/index.ts';
import { sha256 } from '../engine/index.ts';
import { FetchError, hideUser, readJson } from '../model/index.ts';
import type { Fetched, Fetcher, FetchFailure, FetchRequest, Json, JsonFields } from '../model/index.ts';

export type Credentials =
  | { readonly username: string; readonly password: string }
  /** A token that the registry issued at log-in, which is exchanged for others. */
  | { readonly identityToken: string };

export interface FetchAccess extends Pick<FetchRequest, 'allowHost' | 'isNamedHost' | 'signal'> {
  readonly fetcher: Fetcher;
  /** Whether the policy lists a host as allowed. */
  readonly isListedHost?: ((host: string) => boolean) | undefined;
  /** Log-in data for a registry, by its host; without it, access is anonymous. */
  readonly credentialsFor?: ((host: string) => Promise<Credentials | undefined>) | undefined;
  /** Use plain HTTP for registries on this machine, as in tests. */
  readonly plainHttp?: boolean | undefined;
  /** Waits before a failed upload is tried again; without it, that happens at once. */
  readonly wait?: ((milliseconds: number) => Promise<void>) | undefined;
  /** Runs work that needs much memory; only one at a time if sources are fetched in parallel. */
  readonly inTurn?: (<Result>(work: () => Promise<Result>) => Promise<Result>) | undefined;
}

/** Access for everything fetched for a URL of the package. Its host counts as named, even if responses name other hosts. */
export function accessFrom(url: string, access: FetchAccess): FetchAccess {
  if (access.isNamedHost !== undefined) return access;
  const { isListedHost = () => false } = access;
  const named = hostnameOf(url.replace(/^oci:/i, 'https:'));
  const isOwn = (host: string): boolean => named !== undefined && hostnameOf(`https://${host}`) === named;
  return { ...access, isNamedHost: (host) => isOwn(host) || isListedHost(host) };
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

interface RefusalOptions extends Pick<FetchRequest, 'intent'> {
  readonly failure?: FetchFailure;
  readonly cause?: unknown;
}

/** The error for a complete but unusable answer; the reason completes `cannot use "https://…": …` or `cannot push to "https://…": …`. */
export function refuseContent(
  url: string,
  reason: string,
  { failure = 'content', intent = 'fetch', cause }: RefusalOptions = {},
): FetchError {
  const shown = hideUser(url);
  const start = intent === 'fetch' ? 'cannot use' : 'cannot push to';
  return new FetchError(failure, `${start} ${quote(shown)}: ${reason}`, { url: shown, cause });
}

export interface PinnedRequest extends Pick<
  FetchRequest,
  'url' | 'method' | 'body' | 'intent' | 'isFresh' | 'maxBytes' | 'headers'
> {
  /** `sha256:…`; optional. */
  readonly digest?: string | undefined;
}

export async function fetchPinned(
  { digest, ...request }: PinnedRequest,
  { fetcher, allowHost, isNamedHost, signal }: FetchAccess,
): Promise<Fetched> {
  const fetched = await fetcher.fetch({ ...request, allowHost, isNamedHost, signal });
  if (digest === undefined) return fetched;
  const actual = digestOf(fetched.bytes);
  if (actual === digest) return fetched;
  throw refuseContent(request.url, `the digest must be ${digest}, got ${actual}`, {
    failure: 'digest',
  });
}

/** `sha256:` followed by 64 lower-case digits. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${sha256(bytes)}`;
}

/** The digest in canonical form; chart indexes omit `sha256:`. `undefined` if it is not a SHA-256 digest. */
export function readDigest(text: string): string | undefined {
  const digits = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(text)?.[1];
  return digits === undefined ? undefined : `sha256:${digits.toLowerCase()}`;
}

interface RemoteDocument {
  /** For messages. */
  readonly url: string;
  /** Completes `its … cannot be read`: `manifest`. */
  readonly name: string;
  /** Its fields; by default, all keys are data. */
  readonly fields?: JsonFields | undefined;
}

/** Reads a document that a host has sent. Throws a `FetchError` for everything that other programs could read differently. */
export function parseDocument(bytes: Uint8Array, { url, name, fields }: RemoteDocument): Json {
  const reading = readJson(bytes, { fields, exactIntegers: fields === undefined });
  if ('data' in reading) return reading.data;
  throw refuseContent(url, `its ${name} cannot be read: ${reading.reason}`);
}

/** Standard base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

export function encodeJson(data: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(data));
}
