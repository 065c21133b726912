import { quote } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { JsonObject } from '../model/index.ts';
import { refuseContent } from './fetch-access.ts';
import type { FetchAccess } from './fetch-access.ts';
import { parseOciReference, readDescriptor } from './oci-reference.ts';
import type { Descriptor } from './oci-reference.ts';
import { manifestType, openRepository } from './repository.ts';

interface OciArtifact {
  /** The layer with the content, compressed according to its media type. */
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** `sha256:…` of the bytes. */
  readonly digest: string;
  /** `sha256:…` of the manifest that the tag currently refers to. */
  readonly manifestDigest: string;
}

/** Fetches the content of `oci://host/path:tag` or `oci://host/path@sha256:…`, and verifies every digest. */
export async function fetchOciArtifact(
  { reference, maxBytes }: { readonly reference: string; readonly maxBytes: number },
  access: FetchAccess,
): Promise<OciArtifact> {
  const named = parseOciReference(reference);
  const repository = openRepository(named, access);
  const manifest = await repository.fetchManifest(named.digest ?? named.tag!);
  const layer = findContentLayer(manifest.data, reference);
  const bytes = await repository.fetchBlob(layer, maxBytes);
  return { bytes, mediaType: layer.mediaType, digest: layer.digest, manifestDigest: manifest.digest };
}

const chartType = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';

/** The content layer: that of a chart if there is one, otherwise the first. */
function findContentLayer(manifest: JsonObject, url: string): Descriptor {
  const { mediaType = manifestType, layers } = manifest;
  if (mediaType !== manifestType) {
    const type = typeof mediaType === 'string' ? quote(mediaType) : 'something else';
    throw refuseContent(url, `it must be an OCI image manifest, got ${type}`);
  }
  const entries = isJsonArray(layers) ? layers.filter(isJsonObject) : [];
  const layer = entries.find((layer) => layer['mediaType'] === chartType) ?? entries[0];
  if (layer === undefined) throw refuseContent(url, 'the manifest has no layer');
  return readDescriptor(layer, url);
}
