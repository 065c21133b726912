import type { Repository } from '../registry/index.ts';
import { checkBundle, checkTagSignature } from './check-signature.ts';
import type { Trust, Verdict } from './check-signature.ts';
import { listBundles, listTagSignatures } from './list-signatures.ts';
import type { AttachedBundle } from './list-signatures.ts';
import { readStatement, signatureClaim } from './statement.ts';
import type { Statement } from './statement.ts';

/** How a signature is kept: in a list with a tag, or attached as a bundle. */
export type SignatureForm = 'tag' | 'bundle';

export interface CheckedSignature {
  readonly form: SignatureForm;
  readonly place: string;
  readonly verdict: Verdict;
}

export interface CheckedStatement extends CheckedSignature {
  readonly statement: Statement;
}

export interface CheckedArtifact {
  /** Signatures of the artifact, whether they count or not. */
  readonly signatures: readonly CheckedSignature[];
  /** Other claims about it. */
  readonly attestations: readonly CheckedStatement[];
}

export interface VerifyOptions {
  readonly repository: Repository;
  /** `host/path` */
  readonly name: string;
  /** `sha256:…` of the manifest. */
  readonly digest: string;
  readonly trust: Trust;
}

/** Checks all signatures and attestations of an artifact. Nothing of the artifact itself is read. */
export async function verifyArtifact({ repository, name, digest, trust }: VerifyOptions): Promise<CheckedArtifact> {
  const signatures: CheckedSignature[] = [];
  const attestations: CheckedStatement[] = [];
  for (const found of await listTagSignatures(repository, digest)) {
    const verdict = checkTagSignature(found, { digest, name, trust });
    signatures.push({ form: 'tag', place: found.place, verdict });
  }
  for (const found of await listBundles(repository, digest)) {
    const { statement, ...checked } = await checkStatement(found, { digest, trust });
    if (statement === undefined || statement.predicateType === signatureClaim) signatures.push(checked);
    else attestations.push({ ...checked, statement });
  }
  return { signatures, attestations };
}

interface BundleContext {
  readonly digest: string;
  readonly trust: Trust;
}

async function checkStatement(
  { place, bundle }: AttachedBundle,
  { digest, trust }: BundleContext,
): Promise<CheckedSignature & { readonly statement: Statement | undefined }> {
  const shown = { form: 'bundle', place } as const;
  const statement = bundle && readStatement(bundle.envelope.payload);
  if (bundle === undefined || statement === undefined) {
    return { ...shown, statement, verdict: { reason: 'it is not a Sigstore bundle with a statement' } };
  }
  const verdict = await checkBundle(bundle, trust);
  if ('reason' in verdict || statement.digests.includes(digest)) return { ...shown, statement, verdict };
  const about = statement.digests[0]?.slice(0, 100) ?? 'nothing';
  return { ...shown, statement, verdict: { reason: `it is for ${about}` } };
}

/** Those that count. */
export function isValid({ verdict }: Pick<CheckedSignature, 'verdict'>): boolean {
  return 'signer' in verdict;
}
