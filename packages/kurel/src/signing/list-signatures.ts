import { isJsonArray, isJsonObject } from '../model/index.ts';
import { isMissing, readDescriptor, refuseContent } from '../registry/index.ts';
import type { Descriptor, Repository } from '../registry/index.ts';
import { decodeBase64 } from './base64.ts';
import { isBundleType, readBundle } from './sigstore-bundle.ts';
import type { SigstoreBundle } from './sigstore-bundle.ts';
import { payloadType, signatureAnnotation } from './simple-signing.ts';

/** A signature of the list with a tag. */
export interface TagSignature {
  /** For messages: `sha256-….sig, layer 1`. */
  readonly place: string;
  readonly payload: Uint8Array;
  /** `undefined` if it cannot be read. */
  readonly signature: Uint8Array | undefined;
  /** Whether it was made with a certificate instead of a key. */
  readonly hasCertificate: boolean;
}

/** A bundle that is attached to an artifact: a signature or an attestation. */
export interface AttachedBundle {
  /** For messages: the digest of its manifest. */
  readonly place: string;
  /** `undefined` if it cannot be read. */
  readonly bundle: SigstoreBundle | undefined;
}

const mostSignatures = 100;
const largestPayload = 65_536;
const largestBundle = 16 * 1_048_576;
const mostBytes = 64 * 1_048_576;

/** The tag that signatures of a manifest have. */
export function tagOfSignatures(digest: string): string {
  return `${digest.replace(':', '-')}.sig`;
}

export async function listTagSignatures(repository: Repository, digest: string): Promise<readonly TagSignature[]> {
  const tag = tagOfSignatures(digest);
  const layers = await layersOf(repository, tag);
  const found: TagSignature[] = [];
  for (const [index, { mediaType, annotations = {}, ...layer }] of layers.entries()) {
    if (mediaType !== payloadType) continue;
    found.push({
      place: `${tag}, layer ${index + 1}`,
      payload: await repository.fetchBlob(layer, largestPayload),
      signature: decodeBase64(annotations[signatureAnnotation] ?? ''),
      hasCertificate: annotations['dev.sigstore.cosign/certificate'] !== undefined,
    });
  }
  return found;
}

async function layersOf(repository: Repository, tag: string): Promise<readonly Descriptor[]> {
  try {
    return readLayers((await repository.fetchManifest(tag)).data['layers'], tag);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function readLayers(layers: unknown, place: string): readonly Descriptor[] {
  const list = isJsonArray(layers) ? layers : [];
  refuseMany(list, place);
  return list.map((layer) => readDescriptor(layer, place));
}

function refuseMany(list: readonly unknown[], place: string): void {
  if (list.length > mostSignatures) {
    throw refuseContent(place, `it has more than ${mostSignatures} signatures`, { failure: 'size' });
  }
}

export async function listBundles(repository: Repository, digest: string): Promise<readonly AttachedBundle[]> {
  const referrers = (await repository.listReferrers(digest)).filter(({ artifactType = '' }) =>
    isBundleType(artifactType),
  );
  refuseMany(referrers, digest);
  const found: AttachedBundle[] = [];
  let left = mostBytes;
  for (const { digest: place } of referrers) {
    const { subject, layers } = (await repository.fetchManifest(place)).data;
    // A list of referrers is made by the registry, which may be wrong about others.
    if (!isJsonObject(subject) || subject['digest'] !== digest) continue;
    for (const layer of readLayers(layers, place).filter(({ mediaType }) => isBundleType(mediaType))) {
      const bytes = await repository.fetchBlob(layer, Math.min(largestBundle, left));
      left -= bytes.length;
      found.push({ place, bundle: readBundle(bytes) });
    }
  }
  return found;
}
