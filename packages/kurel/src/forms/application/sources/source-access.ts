import type { Report } from '../../../model/index.ts';
import type { Lock, SourceName } from './lock.ts';
import type { ChartRequest, RequestedSource } from './source-request.ts';

/** Where sources may be loaded from. */
export interface SourceAccess {
  readonly files: PackageFiles;
  readonly lock: Lock | undefined;
  /** `undefined` if the network is disabled. */
  readonly network: SourceNetwork | undefined;
  /** Renders a fetched chart. */
  readonly renderChart: (archive: Uint8Array, request: ChartRequest, report: Report) => Promise<string>;
  /** Throws a `FetchError` if a chart in the package contains something a chart must not contain. */
  readonly checkArchive?: ((archive: Uint8Array, file: string) => Promise<void>) | undefined;
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
