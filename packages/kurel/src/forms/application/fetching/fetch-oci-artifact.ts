import { quote } from '../../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import { digestOf, readDigest } from './fetch-pinned.ts';
import { accessFrom, refuseContent } from './fetch-access.ts';
import type { FetchAccess } from './fetch-access.ts';
import { parseOciReference } from './oci-reference.ts';
import { openRegistry } from './registry-session.ts';

export interface OciArtifact {
  /** Of the layer with the content, still compressed as its type says. */
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** `sha256:…` of those bytes. */
  readonly digest: string;
  /** `sha256:…` of the manifest: what a tag leads to today. */
  readonly manifestDigest: string;
}

const largestManifest = 4 * 1_048_576;

/** Gets what `oci://host/path:tag` or `oci://host/path@sha256:…` holds, with every digest on the way checked. */
export async function fetchOciArtifact(
  { reference, maxBytes }: { readonly reference: string; readonly maxBytes: number },
  access: FetchAccess,
): Promise<OciArtifact> {
  const named = parseOciReference(reference);
  const registry = openRegistry(named, accessFrom(reference, access));
  const manifest = await registry.get(`manifests/${named.digest ?? named.tag!}`, {
    digest: named.digest,
    maxBytes: largestManifest,
    headers: { accept: manifestType },
  });
  const manifestDigest = digestOf(manifest.bytes);
  const promised = readDigest(manifest.headers['docker-content-digest'] ?? '');
  if (promised !== undefined && promised !== manifestDigest) {
    const reason = `its manifest has the digest ${manifestDigest}, and the registry says ${promised}`;
    throw refuseContent(reference, reason, { failure: 'digest' });
  }
  const { mediaType, digest, size } = readContentLayer(manifest.bytes, reference);
  if (size > maxBytes) {
    const reason = `its content has ${size} bytes, more than the ${maxBytes} that are taken`;
    throw refuseContent(reference, reason, { failure: 'size' });
  }
  const { bytes } = await registry.get(`blobs/${digest}`, { digest, maxBytes });
  return { bytes, mediaType, digest, manifestDigest };
}

const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const chartType = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';

interface OciLayer {
  readonly mediaType: string;
  /** `sha256:…`. */
  readonly digest: string;
  readonly size: number;
}

/** The layer that holds the content: that of a chart where there is one, else the first. */
function readContentLayer(bytes: Uint8Array, url: string): OciLayer {
  const manifest = parse(bytes);
  if (!isJsonObject(manifest) || manifest['schemaVersion'] !== 2) throw refuseContent(url, 'it is no OCI manifest');
  const { mediaType = manifestType, layers } = manifest;
  if (mediaType !== manifestType) {
    const type = typeof mediaType === 'string' ? quote(mediaType) : 'something else';
    throw refuseContent(url, `it is of the type ${type}, not one OCI image manifest`);
  }
  const found = isJsonArray(layers) ? layers.filter(isJsonObject) : [];
  const layer = found.find((one) => one['mediaType'] === chartType) ?? found[0];
  if (layer === undefined) throw refuseContent(url, 'it has no layer');
  const { mediaType: type, digest, size } = layer;
  const known = typeof digest === 'string' && digest.startsWith('sha256:') ? readDigest(digest) : undefined;
  if (known === undefined || typeof type !== 'string' || typeof size !== 'number') {
    throw refuseContent(url, 'its layer has no type, no size or no SHA-256 digest');
  }
  return { mediaType: type, digest: known, size };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
