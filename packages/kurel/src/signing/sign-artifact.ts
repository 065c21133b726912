import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonObject } from '../model/index.ts';
import { digestOf, isMissing, manifestType, pushReferrer, refuseContent } from '../registry/index.ts';
import type { Manifest, Repository } from '../registry/index.ts';
import { encodeBase64 } from './base64.ts';
import type { SigningKey } from './keys.ts';
import { listBundles, listTagSignatures, tagOfSignatures } from './list-signatures.ts';
import { bundleType, createBundle } from './sigstore-bundle.ts';
import { checkKeyBundle, checkTagSignature } from './check-signature.ts';
import { createPayload, payloadType, signatureAnnotation } from './simple-signing.ts';
import { createStatement, readStatement, signatureClaim } from './statement.ts';

/** An artifact in a repository, as it was found there. */
export interface StoredArtifact {
  readonly repository: Repository;
  /** `host/path` */
  readonly name: string;
  readonly manifest: Pick<Manifest, 'bytes' | 'digest' | 'mediaType'>;
}

/** What was written; `present` if this key had signed it before. */
export interface Signed {
  readonly tag: 'written' | 'present';
  readonly bundle: 'written' | 'present';
}

/** Signs an artifact in both forms that are in use: with a tag, which Flux reads, and as a bundle, which cosign 3 writes. */
export async function signArtifact(artifact: StoredArtifact, key: SigningKey): Promise<Signed> {
  const statement = createStatement({ digest: artifact.manifest.digest, predicateType: signatureClaim });
  return { tag: await signWithTag(artifact, key), bundle: await attachStatement(artifact, statement, key) };
}

/** Attaches a statement about an artifact as a signed bundle. */
export async function attachStatement(
  artifact: StoredArtifact,
  statement: Uint8Array,
  key: SigningKey,
): Promise<'written' | 'present'> {
  const { repository, manifest } = artifact;
  const trust = { keys: [{ name: '', key: key.publicKey }] };
  const known = await listBundles(repository, manifest.digest);
  const text = encodeBase64(statement);
  const isKnown = known.some(
    ({ bundle }) =>
      bundle !== undefined &&
      encodeBase64(bundle.envelope.payload) === text &&
      'signer' in checkKeyBundle(bundle, trust),
  );
  if (isKnown) return 'present';
  const predicateType = readStatement(statement)?.predicateType ?? '';
  const subject = { mediaType: manifest.mediaType, digest: manifest.digest, size: manifest.bytes.length };
  const content = createBundle(statement, key);
  const annotations = {
    'dev.sigstore.bundle.content': 'dsse-envelope',
    'dev.sigstore.bundle.predicateType': predicateType,
  };
  await pushReferrer(repository, { subject, artifactType: bundleType, content, annotations });
  return 'written';
}

async function signWithTag(
  { repository, name, manifest }: StoredArtifact,
  key: SigningKey,
): Promise<'written' | 'present'> {
  const { digest } = manifest;
  const trust = { keys: [{ name: '', key: key.publicKey }] };
  const known = await listTagSignatures(repository, digest);
  if (known.some((one) => 'signer' in checkTagSignature(one, { digest, name, trust }))) return 'present';
  const payload = createPayload({ digest, repository: name });
  const layer = {
    mediaType: payloadType,
    digest: digestOf(payload),
    size: payload.length,
    annotations: { [signatureAnnotation]: encodeBase64(key.sign(payload)) },
  };
  const tag = tagOfSignatures(digest);
  const layers = [...(await layersOf(repository, tag, name)), layer];
  const config = createConfig(layers);
  const bytes = encode({
    schemaVersion: 2,
    mediaType: manifestType,
    config: {
      mediaType: 'application/vnd.oci.image.config.v1+json',
      digest: digestOf(config),
      size: config.length,
    },
    layers,
  });
  await repository.pushBlob(config);
  await repository.pushBlob(payload);
  await repository.pushManifest(bytes, { mediaType: manifestType, tags: [tag] });
  return 'written';
}

/** Signatures of others, which are kept. */
async function layersOf(repository: Repository, tag: string, name: string): Promise<readonly JsonObject[]> {
  let data: JsonObject;
  try {
    data = (await repository.fetchManifest(tag)).data;
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
  const { layers } = data;
  // Writing another manifest would remove whatever this one has.
  if (!isJsonArray(layers) || !layers.every(isJsonObject)) {
    throw refuseContent(`oci://${name}:${tag}`, 'it is not a list of signatures');
  }
  return layers;
}

/** Programs expect the configuration of an image, with the digest of each layer. */
function createConfig(layers: readonly JsonObject[]): Uint8Array {
  const digests = layers.map(({ digest }) => digest ?? null);
  return encode({ architecture: '', os: '', config: {}, rootfs: { type: 'layers', diff_ids: digests } });
}

function encode(data: Json): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(data));
}
