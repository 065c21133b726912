import { isJsonArray } from '../model/index.ts';
import type { Json, JsonObject } from '../model/index.ts';
import type { Descriptor } from './descriptor.ts';
import { digestOf } from './fetch-pinned.ts';
import { indexType, isMissing, manifestType } from './repository.ts';
import type { Repository } from './repository.ts';

/** Content that is attached to a manifest, such as a signature. */
export interface Referrer {
  readonly subject: Pick<Descriptor, 'mediaType' | 'digest' | 'size'>;
  readonly artifactType: string;
  readonly content: Uint8Array;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

const emptyConfig = new TextEncoder().encode('{}');
const emptyType = 'application/vnd.oci.empty.v1+json';

/** Attaches content to a manifest of the repository, and returns the digest of the manifest that was written for it. */
export async function pushReferrer(repository: Repository, referrer: Referrer): Promise<string> {
  const { subject, artifactType, content, annotations } = referrer;
  const manifest = {
    schemaVersion: 2,
    mediaType: manifestType,
    artifactType,
    config: describe(emptyType, emptyConfig),
    layers: [describe(artifactType, content)],
    subject: { mediaType: subject.mediaType, digest: subject.digest, size: subject.size },
    ...(annotations === undefined ? {} : { annotations }),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(manifest));
  await repository.pushBlob(emptyConfig);
  await repository.pushBlob(content);
  const { isReferrer } = await repository.pushManifest(bytes, { mediaType: manifestType });
  const entry = {
    ...describe(manifestType, bytes),
    artifactType,
    ...(annotations === undefined ? {} : { annotations }),
  };
  if (!isReferrer) await addToIndex(repository, subject.digest, entry);
  return entry.digest;
}

function describe(mediaType: string, bytes: Uint8Array) {
  return { mediaType, digest: digestOf(bytes), size: bytes.length };
}

/** For registries without a list of referrers: an index with a tag that is made from the digest of the subject. */
async function addToIndex(repository: Repository, subject: string, entry: JsonObject): Promise<void> {
  const tag = subject.replace(':', '-');
  const known = await readIndex(repository, tag);
  const others = known.filter((one) => (one as JsonObject)['digest'] !== entry['digest']);
  const index = { schemaVersion: 2, mediaType: indexType, manifests: [...others, entry] };
  await repository.pushManifest(new TextEncoder().encode(JSON.stringify(index)), { mediaType: indexType, tags: [tag] });
}

async function readIndex(repository: Repository, tag: string): Promise<readonly Json[]> {
  try {
    const { manifests } = (await repository.fetchManifest(tag)).data;
    return isJsonArray(manifests) ? manifests : [];
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
