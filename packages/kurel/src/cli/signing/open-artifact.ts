import { reportRegistry } from '../../artifact/index.ts';
import { openRepository, parseOciReference } from '../../registry/index.ts';
import type { Manifest, OciReference } from '../../registry/index.ts';
import type { StoredArtifact } from '../../signing/index.ts';
import type { Environment } from '../environment.ts';
import { checkReference } from '../packages/open-remote-inputs.ts';
import { createRegistryAccess } from '../registry-access.ts';
import type { RegistryFlags } from '../registry-access.ts';

export interface OpenedArtifact extends StoredArtifact {
  /** With the digest, also if a tag was given: `oci://host/path@sha256:…`. */
  readonly reference: string;
  readonly manifest: Manifest;
}

/** Finds an artifact by its tag or digest. */
export async function openArtifact(
  text: string,
  { flags, environment }: { readonly flags: RegistryFlags; readonly environment: Environment },
  action: 'pull' | 'pull,push' = 'pull',
): Promise<OpenedArtifact> {
  checkReference(text, {});
  return await reportRegistry(async () => {
    const { host, path, digest, tag }: OciReference = parseOciReference(text);
    const repository = openRepository({ host, path }, createRegistryAccess(flags, environment), action);
    const manifest = await repository.fetchManifest(digest ?? tag!);
    const name = `${host}/${path}`;
    return { repository, name, manifest, reference: `oci://${name}@${manifest.digest}` };
  });
}
