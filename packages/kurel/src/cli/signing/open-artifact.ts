import { reportRegistry } from '../../artifact/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { openRepository, parseOciReference } from '../../registry/index.ts';
import type { Manifest } from '../../registry/index.ts';
import { isValid, signingProblems } from '../../signing/index.ts';
import type { CheckedArtifact, CheckedSignature, StoredArtifact } from '../../signing/index.ts';
import type { Environment } from '../environment.ts';
import { checkReference } from '../packages/open-remote-package.ts';
import { createRegistryAccess } from '../registry-access.ts';
import { settingsOf } from '../setting-flags.ts';

export interface OpenedArtifact extends StoredArtifact {
  /** With the digest, also if a tag was given: `oci://host/path@sha256:…`. */
  readonly reference: string;
  readonly manifest: Manifest;
}

export async function openArtifact(
  text: string,
  { flags, environment }: { readonly flags: object; readonly environment: Environment },
  action: 'pull' | 'pull,push' = 'pull',
): Promise<OpenedArtifact> {
  checkReference(text, {});
  return await reportRegistry(async () => {
    const { host, path, digest, tag } = parseOciReference(text);
    const repository = openRepository({ host, path }, createRegistryAccess(settingsOf(flags), environment), action);
    const manifest = await repository.fetchManifest(digest ?? tag!);
    const name = `${host}/${path}`;
    return { repository, name, manifest, reference: `oci://${name}@${manifest.digest}` };
  });
}

/** Throws unless a signature counts. Signatures of others do not matter then: anybody may add some. */
export function refuseUnsigned({ signatures }: CheckedArtifact, reference: string): void {
  if (signatures.some(isValid)) return;
  if (signatures.length === 0) throw signingProblems.error('signature-missing', { reference });
  throw new DiagnosticError(reportRefused('signature-refused', signatures, reference));
}

/** Why each signature or attestation does not count. */
export function reportRefused(
  code: 'signature-refused' | 'attestation-refused',
  checked: readonly CheckedSignature[],
  reference: string,
): readonly Diagnostic[] {
  return checked.flatMap(({ place, verdict }) =>
    'reason' in verdict ? [signingProblems.create(code, { reference, place, reason: verdict.reason })] : [],
  );
}
