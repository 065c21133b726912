import { digestOf, readDigest } from './digest.ts';
import { accessFrom, type FetchAccess } from './fetch-access.ts';
import { manifestType, readContentLayer } from './oci-manifest.ts';
import { parseOciReference } from './oci-reference.ts';
import { refuseContent } from './refuse-content.ts';
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
