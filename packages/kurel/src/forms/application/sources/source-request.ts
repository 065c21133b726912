import { canonicalJson } from '../../../model/index.ts';
import type { JsonObject, Location, Report } from '../../../model/index.ts';

/** Identifies a remote source. */
export interface SourceName {
  /** A text, a chart repository (`https://…`) or the chart itself (`oci://…`). */
  readonly url: string;
  /** Name of the chart in a repository. */
  readonly chart?: string | undefined;
  readonly version?: string | undefined;
}

/** Input of a component that is not in the application itself. */
export type SourceRequest = FileRequest | UrlRequest | ChartRequest;

/** A file of the package. */
interface FileRequest {
  readonly kind: 'file';
  /** Relative to the package, separated by `/`. */
  readonly path: string;
}

export interface UrlRequest {
  readonly kind: 'url';
  readonly url: string;
  /** Expected digest, in hexadecimal digits. */
  readonly sha256?: string | undefined;
}

/** The rendered objects of a chart. */
export interface ChartRequest extends SourceName, Pick<UrlRequest, 'sha256'> {
  readonly kind: 'chart';
  readonly releaseName: string;
  readonly namespace: string;
  readonly values: JsonObject;
}

/** A request and its location. */
export interface RequestedSource {
  readonly request: SourceRequest;
  /** Location of the property that names the source. */
  readonly location: Location;
  /** Whether the policy allows a host. */
  readonly allowHost: (host: string) => boolean;
  /** Whether a policy lists the host. */
  readonly isListedHost: (host: string) => boolean;
}

export interface LoadedSource {
  /** The name in messages: a file of the package or a URL. */
  readonly name: string;
  readonly text: string;
}

/** Requests with the same key return the same source. */
export function keyOfRequest(request: SourceRequest): string {
  return canonicalJson(Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)));
}

/** Where sources may be loaded from. */
export interface SourceAccess {
  readonly files: PackageFiles;
  /** `undefined` if the network is disabled. */
  readonly network: SourceNetwork | undefined;
  /** Renders a fetched chart. */
  readonly renderChart: (archive: Uint8Array, request: ChartRequest, report: Report) => Promise<string>;
  /** Fetches current content regardless of the lock, which is about to be rewritten. */
  readonly isLocking?: boolean | undefined;
  /** Called for each remote source, wherever its bytes came from. */
  readonly onTaken?: ((taken: TakenSource) => void) | undefined;
  /** Called when a remote source has been found or has failed. */
  readonly onFetched?: ((count: FetchedCount) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How far the fetching of remote sources is. */
export interface FetchedCount {
  readonly done: number;
  readonly sources: number;
}

/** The files of the package; none can be outside of it. */
export interface PackageFiles {
  /** `undefined` if the file does not exist; does not throw for any user input. */
  readBytes(path: string): Promise<Uint8Array | undefined>;
  list(): Promise<readonly string[]>;
  /** The name for messages, which can also be used to read the file again for an excerpt. */
  nameOf(path: string): string;
}

export interface SourceNetwork {
  fetchUrl(url: string, limits: HostLimits): Promise<FetchedSource>;
  fetchChart(name: SourceName, limits: HostLimits): Promise<FetchedSource>;
}

type HostLimits = Pick<RequestedSource, 'allowHost' | 'isListedHost'>;

export interface FetchedSource {
  readonly bytes: Uint8Array;
  /** The final URL. */
  readonly url: string;
}

/** The bytes of a remote source, for the lock. */
export interface TakenSource extends SourceName {
  /** A text or a chart archive. */
  readonly kind: 'url' | 'chart';
  readonly bytes: Uint8Array;
  readonly sha256: string;
  /** The final URL; `undefined` if the bytes were in the package. */
  readonly from: string | undefined;
}
