import { quote } from '../diagnostics/index.ts';
import { encodeForSigning } from './dsse.ts';
import type { VerificationKey } from './keys.ts';
import type { TagSignature } from './list-signatures.ts';
import { isSameRepository } from './repository-name.ts';
import type { SigstoreBundle } from './sigstore-bundle.ts';
import { readPayload } from './simple-signing.ts';
import type { JsonObject } from '../model/index.ts';

/** Somebody who logged in somewhere, as certificates of Sigstore name them. */
export interface Identity {
  /** URL of the service where they logged in. */
  readonly issuer: string;
  /** An e-mail address, or the URL of a workflow. */
  readonly subject: string;
}

/** Whose signatures count. */
export interface Trust {
  readonly keys: readonly NamedKey[];
  readonly identities?: readonly Identity[] | undefined;
  /** Verifies the certificate of a bundle, its entry in a transparency log and its time; `host` has it. */
  readonly verifyCertificate?: ((bundle: JsonObject) => Promise<CertificateVerdict>) | undefined;
}

export interface NamedKey {
  /** Its file, for messages. */
  readonly name: string;
  readonly key: VerificationKey;
}

export type CertificateVerdict = Identity | { readonly reason: string };

/** Who signed, or why a signature does not count: the reason completes `… is not valid: …`. */
export type Verdict = { readonly signer: string } | { readonly reason: string };

export interface SignedArtifact {
  readonly digest: string;
  /** `host/path` */
  readonly name: string;
  readonly trust: Trust;
}

/** A signature with a tag is about the artifact if its payload names it, and the key of the payload is trusted. */
export function checkTagSignature(found: TagSignature, { digest, name, trust }: SignedArtifact): Verdict {
  const { payload, signature, hasCertificate } = found;
  if (signature === undefined) return { reason: 'it has no signature in base64' };
  if (trust.keys.length === 0) {
    return { reason: 'it must be a bundle: only bundles are verified by identity' };
  }
  const signer = trust.keys.find(({ key }) => key.verify(payload, signature));
  if (signer === undefined && hasCertificate) return { reason: 'it was made with a certificate, not with a key' };
  if (signer === undefined) return { reason: 'it was made with another key, or its payload was changed' };
  const signed = readPayload(payload);
  if (signed === undefined) return { reason: 'its payload is not that of a container signature' };
  if (signed.digest !== digest) return { reason: `it is for ${signed.digest.slice(0, 100)}` };
  if (signed.repository !== undefined && !isSameRepository(signed.repository, name)) {
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
  if (identities.some((one) => one.issuer === issuer && one.subject === subject)) {
    return { signer: `${subject} (${issuer})` };
  }
  const known = identities.find((one) => one.subject === subject);
  if (known === undefined) return { reason: `it was made by ${quote(subject)} (issuer ${quote(issuer)})` };
  return { reason: `${quote(subject)} logged in at ${quote(issuer)}, not at ${quote(known.issuer)}` };
}
