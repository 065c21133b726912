import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { JsonObject } from '../model/index.ts';
import { encodeJson } from './fetch-access.ts';
import { describeContent } from './oci-reference.ts';
import type { Descriptor } from './oci-reference.ts';
import { indexType, manifestType, unlessMissing } from './repository.ts';
import type { Repository } from './repository.ts';

interface Referrer {
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
  const bytes = encodeJson({
    schemaVersion: 2,
    mediaType: manifestType,
    artifactType,
    config: describeContent(emptyType, emptyConfig),
    layers: [describeContent(artifactType, content)],
    subject: { mediaType: subject.mediaType, digest: subject.digest, size: subject.size },
    annotations,
  });
  await repository.pushBlob(emptyConfig);
  await repository.pushBlob(content);
  const { isReferrer } = await repository.pushManifest(bytes, { mediaType: manifestType });
  const entry = { ...describeContent(manifestType, bytes), artifactType, ...(annotations && { annotations }) };
  if (!isReferrer) await addToIndex(repository, subject.digest, entry);
  return entry.digest;
}

/** For registries without a list of referrers: an index with a tag that is made from the digest of the subject. */
async function addToIndex(repository: Repository, subject: string, entry: JsonObject): Promise<void> {
  const tag = subject.replace(':', '-');
  const { manifests } = (await unlessMissing(repository.fetchManifest(tag)))?.data ?? {};
  const others = (isJsonArray(manifests) ? manifests : []).filter(
    (other) => !isJsonObject(other) || other['digest'] !== entry['digest'],
  );
  const index = { schemaVersion: 2, mediaType: indexType, manifests: [...others, entry] };
  await repository.pushManifest(encodeJson(index), { mediaType: indexType, tags: [tag] });
}
