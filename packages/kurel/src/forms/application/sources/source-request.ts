import { canonicalJson } from '../../../engine/index.ts';
import type { JsonObject, Location } from '../../../model/index.ts';

/** Something that a component is made of and that does not stand in the application itself. */
export type SourceRequest = FileRequest | UrlRequest | ChartRequest;

/** A file of the package. */
export interface FileRequest {
  readonly kind: 'file';
  /** Below the package, with `/`. */
  readonly path: string;
}

export interface UrlRequest {
  readonly kind: 'url';
  readonly url: string;
  /** What the bytes must have, in hexadecimal digits. */
  readonly sha256?: string | undefined;
}

/** What a chart renders to. */
export interface ChartRequest {
  readonly kind: 'chart';
  /** Of a chart repository (`https://…`) or of the chart itself (`oci://…`). */
  readonly url: string;
  /** In a repository. */
  readonly chart?: string | undefined;
  readonly version?: string | undefined;
  /** Of the archive, in hexadecimal digits. */
  readonly sha256?: string | undefined;
  readonly releaseName: string;
  readonly namespace: string;
  readonly values: JsonObject;
}

/** A request, and where it was made. */
export interface RequestedSource {
  readonly request: SourceRequest;
  /** Of the property that names the source. */
  readonly location: Location;
  /** Whether the policy lets something be taken from a host. */
  readonly allowHost: (host: string) => boolean;
  /** Whether there is a policy that lists the host. */
  readonly isListedHost: (host: string) => boolean;
}

export interface LoadedSource {
  /** As messages name it: a file of the package, a URL. */
  readonly name: string;
  readonly text: string;
}

/** Two requests with one key give the same. */
export function keyOfRequest(request: SourceRequest): string {
  return canonicalJson(Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)));
}
