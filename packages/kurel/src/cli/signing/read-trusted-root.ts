import type { JsonObject } from '../../model/index.ts';
import type { CertificateVerdict } from '../../signing/index.ts';

export type VerifyCertificate = (bundle: JsonObject) => Promise<CertificateVerdict>;

/**
 * Reads a trusted root of Sigstore: the certificate authorities, transparency logs and timestamp authorities that count. Nothing is
 * fetched, and the clock of this machine does not matter: a certificate has to be valid at the time that a log or authority confirms.
 */
export async function readTrustedRoot(text: string): Promise<VerifyCertificate> {
  // Few runs verify certificates, and the code is large.
  const { parseTrustedRoot } = await import('./verify-certificate.ts');
  return parseTrustedRoot(text);
}
