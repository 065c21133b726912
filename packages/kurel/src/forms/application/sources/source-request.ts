import type { JsonObject, Location } from '../../../model/index.ts';
import { canonicalJson } from '../../../model/index.ts';

/** Input of a component that is not in the application itself. */
export type SourceRequest = FileRequest | UrlRequest | ChartRequest;

/** A file of the package. */
export interface FileRequest {
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
export interface ChartRequest {
  readonly kind: 'chart';
  /** A chart repository (`https://…`) or the chart itself (`oci://…`). */
  readonly url: string;
  /** Name of the chart in a repository. */
  readonly chart?: string | undefined;
  readonly version?: string | undefined;
  /** Expected digest of the archive, in hexadecimal digits. */
  readonly sha256?: string | undefined;
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
