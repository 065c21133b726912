/** Gets bytes from elsewhere. `host` does it over the network; tests and browsers may do it otherwise. */
export interface Fetcher {
  /** Throws a `FetchError` when there is nothing, or nothing that may be taken. */
  readonly fetch: (request: FetchRequest) => Promise<Fetched>;
}

export interface FetchRequest {
  /** `https://…` or `http://…`, without user and password. */
  readonly url: string;
  /** Asked for the host of the URL, with its port when it has one, and for that of every redirect. */
  readonly allowHost: (host: string) => boolean;
  /**
   * Whether the user names a host, in the package or in the policy, and no answer of another machine does. Only such a host may have
   * a private or loopback address, where those are allowed at all. By default, the host of the URL and no other.
   */
  readonly isNamedHost?: ((host: string) => boolean) | undefined;
  readonly maxBytes: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Fetched {
  /** Where the bytes came from in the end. */
  readonly url: string;
  readonly bytes: Uint8Array;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

export type FetchFailure =
  /** The URL is none, or of a scheme that is not taken, or has a user in it. */
  | 'url'
  /** The host is not among those that may be asked. */
  | 'host'
  /** The name leads to a loopback or private address, which `--allow-private` would allow. */
  | 'address'
  /** The name leads to an address that is never asked. */
  | 'address-refused'
  | 'redirects'
  | 'status'
  | 'size'
  | 'encoding'
  | 'timeout'
  | 'connection'
  /** The bytes are not those that were promised. */
  | 'digest'
  /** The bytes are not what they should be, such as an index or a chart, or hold what may not be taken. */
  | 'content'
  /** There is no such chart, or no version of it that fits. */
  | 'missing';

export class FetchError extends Error {
  readonly failure: FetchFailure;
  /** The URL that failed: that of a redirect, when it was one. */
  readonly url: string;
  /** Of the answer, when there was one. */
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
