import { quote } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json } from '../model/index.ts';
import { digestOf, readDigest, refuseContent } from './fetch-access.ts';

/** A reference of the form `oci://host/path:tag@digest`. */
export interface OciReference {
  /** Including the port, if any. */
  readonly host: string;
  readonly path: string;
  readonly tag?: string | undefined;
  /** `sha256:…` of the manifest; takes precedence over the tag. */
  readonly digest?: string | undefined;
}

const hostPattern = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const stepPattern = /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*$/;
const tagPattern = /^\w[\w.-]{0,127}$/;
const longestPath = 255;

const hubHosts: ReadonlySet<string> = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io']);

/** Docker Hub has several host names. */
export function isDockerHub(host: string): boolean {
  return hubHosts.has(host.toLowerCase());
}

/** Whether it is a host with or without a port, and nothing else. */
export function isRegistryHost(text: string): boolean {
  return hostPattern.test(text);
}

export function isTag(text: string): boolean {
  return tagPattern.test(text);
}

/** The URL with a tag, or with a digest if the version is one. */
export function withVersion(url: string, version: string): string {
  // Tags cannot contain `+`; Helm replaces it with `_`.
  return version.startsWith('sha256:') ? `${url}@${version}` : `${url}:${version.replaceAll('+', '_')}`;
}

/** Throws a `FetchError` for an invalid reference and for one without a tag or digest. */
export function parseOciReference(text: string): OciReference {
  const read = readOciReference(text);
  if ('reason' in read) throw refuseContent(text, read.reason, { failure: 'url' });
  if (read.tag === undefined && read.digest === undefined) {
    throw refuseContent(text, 'a tag or digest is missing', { failure: 'url' });
  }
  return read;
}

/** A reference that may be without a tag and a digest, or the reason why it is invalid. */
export function readOciReference(text: string): OciReference | { readonly reason: string } {
  const [, host = '', rest = ''] = /^oci:\/\/([^/]+)\/(.*)$/s.exec(text) ?? [];
  if (host === '') return { reason: 'the URL must have the form oci://host/path:tag' };
  if (host.includes('@')) return { reason: 'the URL must not contain a user or password' };
  if (!isRegistryHost(host)) return { reason: `${quote(host)} is not a valid host` };
  const [name = '', digest, ...more] = rest.split('@');
  const [path = '', tag, ...others] = name.split(':');
  if (path.length > longestPath || !path.split('/').every((step) => stepPattern.test(step))) {
    return { reason: `${quote(path)} is not a valid registry path, which must be in lower case` };
  }
  if (others.length > 0 || (tag !== undefined && !isTag(tag))) {
    return { reason: `${quote([tag, ...others].join(':'))} is not a valid tag` };
  }
  const canonical = digest === undefined || !digest.startsWith('sha256:') ? undefined : readDigest(digest);
  if (more.length > 0 || (digest !== undefined && canonical === undefined)) {
    const written = quote([digest, ...more].join('@'));
    return { reason: `${written} is not a valid digest, which is sha256: followed by 64 digits` };
  }
  return { host, path, tag, digest: canonical };
}

export interface Descriptor {
  readonly mediaType: string;
  /** `sha256:…`. */
  readonly digest: string;
  readonly size: number;
  readonly artifactType?: string | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** A descriptor in a manifest or index; throws if it has no media type, size or SHA-256 digest. */
export function readDescriptor(data: Json | undefined, url: string): Descriptor {
  const { mediaType, digest, size, artifactType, annotations } = isJsonObject(data) ? data : {};
  const canonical = typeof digest === 'string' && digest.startsWith('sha256:') ? readDigest(digest) : undefined;
  if (canonical === undefined || typeof mediaType !== 'string' || !isSize(size)) {
    const shown = typeof digest === 'string' ? ` ${quote(digest.slice(0, 100))}` : '';
    throw refuseContent(url, `the layer${shown} has no media type, size or SHA-256 digest`);
  }
  const type = typeof artifactType === 'string' ? artifactType : undefined;
  return { mediaType, digest: canonical, size, artifactType: type, annotations: readAnnotations(annotations) };
}

/** The annotations of a manifest or descriptor; values that are not strings are left out. */
export function readAnnotations(data: Json | undefined): Readonly<Record<string, string>> {
  const entries = isJsonObject(data) ? Object.entries(data) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function isSize(size: Json | undefined): size is number {
  return typeof size === 'number' && Number.isSafeInteger(size) && size >= 0;
}

/** The descriptor of content, without annotations. */
export function describeContent(mediaType: string, bytes: Uint8Array) {
  return { mediaType, digest: digestOf(bytes), size: bytes.length };
}

export function readDescriptors(data: Json | undefined, url: string): readonly Descriptor[] {
  const manifests = isJsonObject(data) ? data['manifests'] : undefined;
  if (!isJsonArray(manifests)) throw refuseContent(url, 'its answer is not an index');
  return manifests.map((manifest) => readDescriptor(manifest, url));
}
