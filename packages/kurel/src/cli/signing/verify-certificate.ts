import { bundleFromJSON } from '@sigstore/bundle';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';

import { isJsonObject, readJson } from '../../model/index.ts';
import { KeyError } from '../../host/index.ts';
import type { Trust } from '../../signing/index.ts';

/**
 * Reads a trusted root of Sigstore: the certificate authorities, transparency logs and timestamp authorities that count. Nothing is
 * fetched, and the clock of this machine does not matter: a certificate has to be valid at the time that a log or authority confirms.
 */
export function parseTrustedRoot(text: string): NonNullable<Trust['verifyCertificate']> {
  const material = parseRoot(text);
  if (material.certificateAuthorities.length === 0) throw new KeyError('it has no certificate authority');
  const verifier = new Verifier(material, {
    tlogThreshold: 1,
    timestampThreshold: 1,
    // A private authority may have no log of its certificates.
    ctlogThreshold: material.ctlogs.length > 0 ? 1 : 0,
  });
  return async (bundle) => {
    try {
      const { identity } = verifier.verify(toSignedEntity(bundleFromJSON(bundle)));
      const [subject, issuer] = [identity?.subjectAlternativeName, identity?.extensions?.issuer];
      if (subject === undefined || issuer === undefined) return { reason: 'its certificate names nobody' };
      return { subject, issuer };
    } catch (error) {
      return { reason: explain(error) };
    }
  };
}

function parseRoot(text: string) {
  const reading = readJson(text);
  if ('reason' in reading) throw new KeyError(`it cannot be read: ${reading.reason}`);
  try {
    const { data } = reading;
    if (!isJsonObject(data)) throw new KeyError('not an object');
    return toTrustMaterial(TrustedRoot.fromJSON(data));
  } catch {
    throw new KeyError('it is not a trusted root of Sigstore', 'use the file that cosign trusted-root create writes');
  }
}

const reasons: Readonly<Record<string, string>> = {
  CERTIFICATE_ERROR: 'its certificate is not from a trusted authority',
  TIMESTAMP_ERROR: 'its time is not confirmed by a trusted log or timestamp authority',
  TLOG_ERROR: 'it is not in a transparency log',
  TLOG_MISSING_INCLUSION_ERROR: 'it has no proof that it is in a transparency log',
  TLOG_INCLUSION_PROOF_ERROR: 'the proof that it is in a trusted transparency log is not valid',
  TLOG_INCLUSION_PROMISE_ERROR: 'it is not in a trusted transparency log',
  TLOG_BODY_ERROR: 'its entry in the transparency log is about something else',
  SIGNATURE_ERROR: 'its content was changed after it was signed',
};

interface SigstoreError {
  readonly code?: unknown;
  readonly message?: string;
  readonly cause?: { readonly message?: string };
  /** Fields of a bundle that are missing or not valid. */
  readonly fields?: unknown;
}

/** Why a bundle is refused; other errors come from bytes that cannot be read. */
function explain(error: unknown): string {
  const { code, message = '', cause, fields } = error as SigstoreError;
  if (Array.isArray(fields)) {
    const isProof = fields.some((field) => String(field).includes('inclusionP'));
    return isProof ? 'it has no proof that it is in a transparency log' : 'it is not a complete Sigstore bundle';
  }
  if (/expired/.test(`${message} ${cause?.message ?? ''}`)) return 'its certificate was not valid when it was signed';
  if (/SCT/.test(message)) return 'its certificate is not in a trusted log of certificates';
  return reasons[String(code)] ?? 'it is not a valid Sigstore bundle';
}
