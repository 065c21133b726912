import { quote } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json } from '../model/index.ts';
import { refuseContent } from './fetch-access.ts';
import { readDigest } from './fetch-pinned.ts';

/** A manifest or blob of a repository. */
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
  const known = typeof digest === 'string' && digest.startsWith('sha256:') ? readDigest(digest) : undefined;
  if (known === undefined || typeof mediaType !== 'string' || !isSize(size)) {
    const shown = typeof digest === 'string' ? ` ${quote(digest.slice(0, 100))}` : '';
    throw refuseContent(url, `the layer${shown} has no media type, size or SHA-256 digest`);
  }
  return {
    mediaType,
    digest: known,
    size,
    ...(typeof artifactType === 'string' ? { artifactType } : {}),
    annotations: readAnnotations(annotations),
  };
}

/** The annotations of a manifest or descriptor; values that are not strings are left out. */
export function readAnnotations(data: Json | undefined): Readonly<Record<string, string>> {
  const entries = isJsonObject(data) ? Object.entries(data) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function isSize(size: Json | undefined): size is number {
  return typeof size === 'number' && Number.isSafeInteger(size) && size >= 0;
}

/** The descriptors of an index. */
export function readDescriptors(data: Json | undefined, url: string): readonly Descriptor[] {
  const manifests = isJsonObject(data) ? data['manifests'] : undefined;
  if (!isJsonArray(manifests)) throw refuseContent(url, 'its answer is not an index');
  return manifests.map((one) => readDescriptor(one, url));
}
