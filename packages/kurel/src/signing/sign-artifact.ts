import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { JsonObject } from '../model/index.ts';
import {
  describeContent,
  encodeBase64,
  encodeJson,
  manifestType,
  pushReferrer,
  refuseContent,
  unlessMissing,
} from '../registry/index.ts';
import type { Manifest, Repository } from '../registry/index.ts';
import { bundleType, createBundle, createStatement, readStatement, signatureClaim } from './sigstore-bundle.ts';
import type { SigningKey } from './sigstore-bundle.ts';
import {
  createPayload,
  listBundles,
  listTagSignatures,
  payloadType,
  signatureAnnotation,
  tagOfSignatures,
} from './list-signatures.ts';
import { checkKeyBundle, checkTagSignature } from './verify-artifact.ts';

export interface StoredArtifact {
  readonly repository: Repository;
  /** `host/path` */
  readonly name: string;
  readonly manifest: Pick<Manifest, 'bytes' | 'digest' | 'mediaType'>;
}

/** What was written; `present` if this key had signed it before. */
type Signed = 'written' | 'present';

/** Signs an artifact in both forms that are in use: with a tag, which Flux reads, and as a bundle, which cosign 3 writes. */
export async function signArtifact(
  artifact: StoredArtifact,
  key: SigningKey,
): Promise<{ readonly tag: Signed; readonly bundle: Signed }> {
  const statement = createStatement({ digest: artifact.manifest.digest, predicateType: signatureClaim });
  return { tag: await signWithTag(artifact, key), bundle: await attachStatement(artifact, statement, key) };
}

/** Attaches a statement about an artifact as a signed bundle. */
export async function attachStatement(
  artifact: StoredArtifact,
  statement: Uint8Array,
  key: SigningKey,
): Promise<Signed> {
  const { repository, manifest } = artifact;
  const trust = { keys: [{ name: '', key: key.publicKey }] };
  const text = encodeBase64(statement);
  const isPresent = (await listBundles(repository, manifest.digest)).some(
    ({ bundle }) =>
      'envelope' in bundle &&
      encodeBase64(bundle.envelope.payload) === text &&
      'signer' in checkKeyBundle(bundle, trust),
  );
  if (isPresent) return 'present';
  const subject = describeContent(manifest.mediaType, manifest.bytes);
  const content = createBundle(statement, key);
  const own = readStatement(statement);
  const annotations = {
    'dev.sigstore.bundle.content': 'dsse-envelope',
    'dev.sigstore.bundle.predicateType': 'reason' in own ? '' : own.predicateType,
  };
  await pushReferrer(repository, { subject, artifactType: bundleType, content, annotations });
  return 'written';
}

async function signWithTag({ repository, name, manifest }: StoredArtifact, key: SigningKey): Promise<Signed> {
  const { digest } = manifest;
  const trust = { keys: [{ name: '', key: key.publicKey }] };
  const signatures = await listTagSignatures(repository, digest);
  if (signatures.some((other) => 'signer' in checkTagSignature(other, { digest, name, trust }))) return 'present';
  const payload = createPayload({ digest, repository: name });
  const annotations = { [signatureAnnotation]: encodeBase64(key.sign(payload)) };
  const layer = { ...describeContent(payloadType, payload), annotations };
  const tag = tagOfSignatures(digest);
  const layers = [...(await layersOf(repository, tag, name)), layer];
  // Programs expect the configuration of an image, with the digest of each layer.
  const digests = layers.map((other) => other['digest'] ?? null);
  const config = encodeJson({ architecture: '', os: '', config: {}, rootfs: { type: 'layers', diff_ids: digests } });
  const described = describeContent('application/vnd.oci.image.config.v1+json', config);
  const bytes = encodeJson({ schemaVersion: 2, mediaType: manifestType, config: described, layers });
  await repository.pushBlob(config);
  await repository.pushBlob(payload);
  await repository.pushManifest(bytes, { mediaType: manifestType, tags: [tag] });
  return 'written';
}

/** Signatures of others, which are kept. */
async function layersOf(repository: Repository, tag: string, name: string): Promise<readonly JsonObject[]> {
  const manifest = await unlessMissing(repository.fetchManifest(tag));
  if (manifest === undefined) return [];
  const { layers } = manifest.data;
  // Writing another manifest would remove whatever this one has.
  if (!isJsonArray(layers) || !layers.every(isJsonObject)) {
    throw refuseContent(`oci://${name}:${tag}`, 'it is not a list of signatures');
  }
  return layers;
}
