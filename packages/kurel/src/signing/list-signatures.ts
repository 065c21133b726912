import { isJsonArray, readJson, stepInto, valueAt } from '../model/index.ts';
import type { JsonFields } from '../model/index.ts';
import { encodeJson, readDescriptor, refuseContent, unlessMissing } from '../registry/index.ts';
import type { Descriptor, Repository } from '../registry/index.ts';
import { decodeBase64, isBundleType, readBundle } from './sigstore-bundle.ts';
import type { SigstoreBundle, Unreadable } from './sigstore-bundle.ts';

export interface TagSignature {
  /** For messages: `sha256-….sig, layer 1`. */
  readonly place: string;
  readonly payload: Uint8Array;
  /** `undefined` if it cannot be read. */
  readonly signature: Uint8Array | undefined;
  readonly hasCertificate: boolean;
}

/** A bundle that is attached to an artifact: a signature or an attestation. */
export interface AttachedBundle {
  /** For messages: the digest of its manifest. */
  readonly place: string;
  readonly bundle: SigstoreBundle | Unreadable;
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
  const manifest = await unlessMissing(repository.fetchManifest(tag));
  const layers = readLayers(manifest?.data['layers'], tag);
  const signatures: TagSignature[] = [];
  for (const [index, { mediaType, annotations = {}, ...layer }] of layers.entries()) {
    if (mediaType !== payloadType) continue;
    signatures.push({
      place: `${tag}, layer ${index + 1}`,
      payload: await repository.fetchBlob(layer, largestPayload),
      signature: decodeBase64(annotations[signatureAnnotation] ?? ''),
      hasCertificate: annotations['dev.sigstore.cosign/certificate'] !== undefined,
    });
  }
  return signatures;
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
  const bundles: AttachedBundle[] = [];
  let left = mostBytes;
  for (const { digest: place } of referrers) {
    const { subject, layers } = (await repository.fetchManifest(place)).data;
    // A list of referrers is made by the registry, which may be wrong about others.
    if (stepInto(subject, 'digest') !== digest) continue;
    for (const layer of readLayers(layers, place).filter(({ mediaType }) => isBundleType(mediaType))) {
      const bytes = await repository.fetchBlob(layer, Math.min(largestBundle, left));
      left -= bytes.length;
      bundles.push({ place, bundle: readBundle(bytes) });
    }
  }
  return bundles;
}

/** What a signature with a tag signs: https://github.com/sigstore/cosign/blob/main/specs/SIGNATURE_SPEC.md. */
interface SignedPayload {
  readonly digest: string;
  /** `host/path` of the artifact when it was signed, if the payload names it. */
  readonly repository?: string | undefined;
}

export const payloadType = 'application/vnd.dev.cosign.simplesigning.v1+json';
export const signatureAnnotation = 'dev.cosignproject.cosign/signature';
const purpose = 'cosign container image signature';

export function createPayload({ digest, repository }: SignedPayload): Uint8Array {
  const critical = {
    identity: { 'docker-reference': repository ?? '' },
    image: { 'docker-manifest-digest': digest },
    type: purpose,
  };
  return encodeJson({ critical, optional: null });
}

const payloadFields: JsonFields = {
  names: ['critical', 'optional', 'identity', 'docker-reference', 'image', 'docker-manifest-digest', 'type'],
  maps: ['optional'],
};

/** The reason is a sentence about the signature, such as `its payload is not …`. */
export function readPayload(bytes: Uint8Array): SignedPayload | Unreadable {
  const reading = readJson(bytes, { fields: payloadFields });
  if ('reason' in reading) return { reason: `its payload cannot be read: ${reading.reason}` };
  const critical = stepInto(reading.data, 'critical');
  const digest = valueAt(critical, ['image', 'docker-manifest-digest']);
  if (stepInto(critical, 'type') !== purpose || typeof digest !== 'string') {
    return { reason: 'its payload is not that of a container signature' };
  }
  const reference = valueAt(critical, ['identity', 'docker-reference']);
  const repository = typeof reference === 'string' && reference !== '' ? withoutVersion(reference) : undefined;
  return { digest, repository };
}

/** A reference may have a tag or digest, which can change without the artifact. */
function withoutVersion(reference: string): string {
  const [name = ''] = reference.split('@');
  return name.replace(/:[^:/]*$/, '');
}
