import { DiagnosticError } from '../diagnostics/index.ts';
import { manifestType, unlessMissing } from '../registry/index.ts';
import type { Repository } from '../registry/index.ts';
import type { Artifact } from './create-artifact.ts';
import { artifactProblems } from './problems.ts';

interface PushOptions {
  /** `oci://host/path`, for messages. */
  readonly url: string;
  /** Without tags, the artifact can be fetched only by its digest. */
  readonly tags: readonly string[];
  /** Move tags of other artifacts. */
  readonly force: boolean;
}

interface PushedTag {
  readonly tag: string;
  readonly state: 'added' | 'moved' | 'unchanged';
}

/**
 * Uploads the blobs, then the manifest, then the tags, so that a push that fails leaves no tag behind. Tags of other artifacts are
 * refused before anything is uploaded.
 */
export async function pushArtifact(
  { manifest, digest, blobs }: Artifact,
  repository: Repository,
  { url, tags, force }: PushOptions,
): Promise<readonly PushedTag[]> {
  const states: PushedTag[] = [];
  for (const tag of tags) {
    const stored = await unlessMissing(repository.fetchManifest(tag));
    states.push({ tag, state: stored === undefined ? 'added' : stored.digest === digest ? 'unchanged' : 'moved' });
  }
  const taken = states.filter(({ state }) => state === 'moved' && !force);
  if (taken.length > 0) {
    throw new DiagnosticError(taken.map(({ tag }) => artifactProblems.create('registry-tag-exists', { url, tag })));
  }
  if (states.length > 0 && states.every(({ state }) => state === 'unchanged')) return states;
  for (const blob of blobs) await repository.pushBlob(blob);
  const changed = states.filter(({ state }) => state !== 'unchanged').map(({ tag }) => tag);
  await repository.pushManifest(manifest, { mediaType: manifestType, tags: changed });
  return states;
}
