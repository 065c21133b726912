import { quote } from '../../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import { digestOf, readDigest } from './fetch-pinned.ts';
import { accessFrom, refuseContent } from './fetch-access.ts';
import type { FetchAccess } from './fetch-access.ts';
import { parseOciReference } from './oci-reference.ts';
import { openRegistry } from './registry-session.ts';

export interface OciArtifact {
  /** The layer with the content, compressed according to its media type. */
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** `sha256:…` of the bytes. */
  readonly digest: string;
  /** `sha256:…` of the manifest that the tag currently refers to. */
  readonly manifestDigest: string;
}

const largestManifest = 4 * 1_048_576;

/** Fetches the content of `oci://host/path:tag` or `oci://host/path@sha256:…`, and verifies every digest. */
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
    const reason = `the digest of the manifest is ${manifestDigest}, but the registry reports ${promised}`;
    throw refuseContent(reference, reason, { failure: 'digest' });
  }
  const { mediaType, digest, size } = readContentLayer(manifest.bytes, reference);
  if (size > maxBytes) {
    const reason = `the content has ${size} bytes, more than the limit of ${maxBytes}`;
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

/** The content layer: that of a chart if there is one, otherwise the first. */
function readContentLayer(bytes: Uint8Array, url: string): OciLayer {
  const manifest = parse(bytes);
  if (!isJsonObject(manifest) || manifest['schemaVersion'] !== 2) throw refuseContent(url, 'it is not an OCI manifest');
  const { mediaType = manifestType, layers } = manifest;
  if (mediaType !== manifestType) {
    const type = typeof mediaType === 'string' ? quote(mediaType) : 'something else';
    throw refuseContent(url, `it must be an OCI image manifest, got ${type}`);
  }
  const found = isJsonArray(layers) ? layers.filter(isJsonObject) : [];
  const layer = found.find((one) => one['mediaType'] === chartType) ?? found[0];
  if (layer === undefined) throw refuseContent(url, 'the manifest has no layer');
  const { mediaType: type, digest, size } = layer;
  const known = typeof digest === 'string' && digest.startsWith('sha256:') ? readDigest(digest) : undefined;
  if (known === undefined || typeof type !== 'string' || typeof size !== 'number') {
    throw refuseContent(url, 'the layer has no media type, size or SHA-256 digest');
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
