/** Sends requests over HTTP. `host` does it over the network; tests and browsers bring their own. */
export interface Fetcher {
  /** Throws a `FetchError` if the request fails, is not allowed, or the status is not a success. */
  readonly fetch: (request: FetchRequest) => Promise<Fetched>;
}

export interface FetchRequest {
  /** `https://…` or `http://…`, without user and password. */
  readonly url: string;
  /** Defaults to GET. Only GET and HEAD follow redirects: a body must not go where another machine says. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | undefined;
  readonly body?: Uint8Array | undefined;
  /** What a message says that failed: `cannot fetch "https://…"` or `cannot push to "https://…"`. Defaults to `fetch`. */
  readonly intent?: 'fetch' | 'push' | undefined;
  /** Asks the server even if the same URL was fetched before. */
  readonly isFresh?: boolean | undefined;
  /** Called with the host of the URL, and its port if it has one, and again for every redirect. */
  readonly allowHost: (host: string) => boolean;
  /**
   * Whether the user named a host in the package or the policy, as opposed to a response from another machine. Only such a host may
   * have a private or loopback address, if those are allowed at all. Defaults to the host of the URL only.
   */
  readonly isNamedHost?: ((host: string) => boolean) | undefined;
  readonly maxBytes: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of bytes received so far. */
  readonly onBytes?: ((received: number) => void) | undefined;
}

export interface Fetched {
  /** The URL after all redirects. */
  readonly url: string;
  /** Only requests to write need it. */
  readonly status?: number | undefined;
  readonly bytes: Uint8Array;
  /** Keys are lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export type FetchFailure =
  /** The URL is invalid, has an unsupported scheme, or contains a user. */
  | 'url'
  /** The host is not on the list of allowed hosts. */
  | 'host'
  /** The name resolves to a loopback or private address, which `--allow-private` would allow. */
  | 'address'
  /** The name resolves to an address that is never allowed. */
  | 'address-refused'
  | 'redirects'
  | 'status'
  | 'size'
  | 'encoding'
  | 'timeout'
  | 'connection'
  /** The bytes do not match the expected digest. */
  | 'digest'
  /** The bytes are not a valid index or chart, or contain something that is not allowed. */
  | 'content'
  /** There is no such chart, or no matching version. */
  | 'missing';

/** A URL for messages, without a user and password. */
export function hideUser(url: string): string {
  return url.replace(/^([^/?#]*\/\/)[^/?#]*@/, '$1***@');
}

/** The same without the query, which often contains a signature that works like a temporary password. */
export function hideQuery(url: string): string {
  return hideUser(url.replace(/[?#].*$/s, '')) + (/^[^#]*\?[^#]/.test(url) ? '?…' : '');
}

export class FetchError extends Error {
  readonly failure: FetchFailure;
  /** The URL that failed; after a redirect, the target of the redirect. */
  readonly url: string;
  /** HTTP status, if there was a response. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    failure: FetchFailure,
    message: string,
    options: {
      readonly url: string;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly cause?: unknown;
    },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'FetchError';
    this.failure = failure;
    this.url = options.url;
    this.status = options.status;
    this.headers = options.headers ?? {};
  }
}
