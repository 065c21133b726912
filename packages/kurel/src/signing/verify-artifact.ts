import { quote } from '../diagnostics/index.ts';
import type { JsonObject } from '../model/index.ts';
import type { Repository } from '../registry/index.ts';
import { listBundles, listTagSignatures, readPayload } from './list-signatures.ts';
import type { AttachedBundle, TagSignature } from './list-signatures.ts';
import { normalizeRepository } from './signature-rule.ts';
import type { Identity } from './signature-rule.ts';
import { encodeForSigning, readStatement, signatureClaim } from './sigstore-bundle.ts';
import type { SigstoreBundle, Statement, VerificationKey } from './sigstore-bundle.ts';

export interface CheckedSignature {
  /** How it is kept: in a list with a tag, or attached as a bundle. */
  readonly form: 'tag' | 'bundle';
  readonly place: string;
  readonly verdict: Verdict;
}

interface CheckedStatement extends CheckedSignature {
  readonly statement: Statement;
}

export interface CheckedArtifact {
  readonly signatures: readonly CheckedSignature[];
  /** Other claims about it. */
  readonly attestations: readonly CheckedStatement[];
}

interface VerifyOptions {
  readonly repository: Repository;
  /** `host/path` */
  readonly name: string;
  readonly digest: string;
  readonly trust: Trust;
}

/** Checks all signatures and attestations of an artifact. Nothing of the artifact itself is read. */
export async function verifyArtifact({ repository, name, digest, trust }: VerifyOptions): Promise<CheckedArtifact> {
  const signatures: CheckedSignature[] = [];
  const attestations: CheckedStatement[] = [];
  for (const signature of await listTagSignatures(repository, digest)) {
    const verdict = checkTagSignature(signature, { digest, name, trust });
    signatures.push({ form: 'tag', place: signature.place, verdict });
  }
  for (const attached of await listBundles(repository, digest)) {
    const { statement, ...checked } = await checkStatement(attached, { digest, trust });
    if (statement === undefined || statement.predicateType === signatureClaim) signatures.push(checked);
    else attestations.push({ ...checked, statement });
  }
  return { signatures, attestations };
}

async function checkStatement(
  { place, bundle }: AttachedBundle,
  { digest, trust }: Pick<VerifyOptions, 'digest' | 'trust'>,
): Promise<CheckedSignature & { readonly statement: Statement | undefined }> {
  const shown = { form: 'bundle', place } as const;
  if ('reason' in bundle) return { ...shown, statement: undefined, verdict: bundle };
  const statement = readStatement(bundle.envelope.payload);
  if ('reason' in statement) return { ...shown, statement: undefined, verdict: statement };
  const verdict = await checkBundle(bundle, trust);
  if ('reason' in verdict || statement.digests.includes(digest)) return { ...shown, statement, verdict };
  const about = statement.digests[0]?.slice(0, 100) ?? 'nothing';
  return { ...shown, statement, verdict: { reason: `it is for ${about}` } };
}

/** Those that count. */
export function isValid({ verdict }: Pick<CheckedSignature, 'verdict'>): boolean {
  return 'signer' in verdict;
}

/** Whose signatures count. */
export interface Trust {
  /** Each with its file, for messages. */
  readonly keys: readonly { readonly name: string; readonly key: VerificationKey }[];
  readonly identities?: readonly Identity[] | undefined;
  /** Verifies the certificate of a bundle, its entry in a transparency log and its time; `host` has it. */
  readonly verifyCertificate?: ((bundle: JsonObject) => Promise<CertificateVerdict>) | undefined;
}

type CertificateVerdict = Identity | { readonly reason: string };

/** Who signed, or why a signature does not count: the reason completes `… is not valid: …`. */
type Verdict = { readonly signer: string } | { readonly reason: string };

/** A signature with a tag is about the artifact if its payload names it, and the key of the payload is trusted. */
export function checkTagSignature(
  { payload, signature, hasCertificate }: TagSignature,
  { digest, name, trust }: Omit<VerifyOptions, 'repository'>,
): Verdict {
  if (signature === undefined) return { reason: 'it has no signature in base64' };
  if (trust.keys.length === 0) {
    return { reason: 'it must be a bundle: only bundles are verified by identity' };
  }
  const signer = trust.keys.find(({ key }) => key.verify(payload, signature));
  if (signer === undefined && hasCertificate) return { reason: 'it was made with a certificate, not with a key' };
  if (signer === undefined) return { reason: 'it was made with another key, or its payload was changed' };
  const signed = readPayload(payload);
  if ('reason' in signed) return signed;
  if (signed.digest !== digest) return { reason: `it is for ${signed.digest.slice(0, 100)}` };
  if (signed.repository !== undefined && normalizeRepository(signed.repository) !== normalizeRepository(name)) {
    return { reason: `it is for the repository ${quote(signed.repository.slice(0, 300))}` };
  }
  return { signer: `key ${signer.name}` };
}

/** Whether the statement of a bundle was signed with one of the keys; what it claims is another question. */
export function checkKeyBundle({ envelope, keyHint }: SigstoreBundle, { keys }: Pick<Trust, 'keys'>): Verdict {
  if (keyHint === undefined) return { reason: 'it was made with a certificate, not with a key' };
  const message = encodeForSigning(envelope);
  const signer = keys.find(({ key }) => key.verify(message, envelope.signature));
  if (signer !== undefined) return { signer: `key ${signer.name}` };
  const isNamed = keys.some(({ key }) => key.hint === keyHint);
  return { reason: isNamed ? 'its content was changed after it was signed' : 'it was made with another key' };
}

/** Whether one of the keys or identities signed the statement of a bundle. */
export async function checkBundle(bundle: SigstoreBundle, trust: Trust): Promise<Verdict> {
  const { identities = [], verifyCertificate } = trust;
  if (bundle.keyHint !== undefined && trust.keys.length === 0) {
    return { reason: 'it was made with a key, not with a certificate' };
  }
  if (bundle.keyHint !== undefined || verifyCertificate === undefined) return checkKeyBundle(bundle, trust);
  const verdict = await verifyCertificate(bundle.data);
  if ('reason' in verdict) return verdict;
  const { issuer, subject } = verdict;
  if (identities.some((identity) => identity.issuer === issuer && identity.subject === subject)) {
    return { signer: `${subject} (${issuer})` };
  }
  const other = identities.find((identity) => identity.subject === subject);
  if (other === undefined) return { reason: `it was made by ${quote(subject)} (issuer ${quote(issuer)})` };
  return { reason: `${quote(subject)} logged in at ${quote(issuer)}, not at ${quote(other.issuer)}` };
}
