import { readFileSync } from 'node:fs';
import type { SecureContext } from 'node:tls';

import { escapeControls } from '../diagnostics/index.ts';
import { toFileAccessError } from './file-errors.ts';
import type { Environment } from './find-program.ts';

/** Certificates to trust, or why they cannot be used. */
export type Trust = { readonly secureContext: SecureContext } | { readonly problem: string } | undefined;

/**
 * Adds the certificates in the file that SSL_CERT_FILE names to those that are trusted anyway. They are read once. `undefined` without that
 * variable: Node and Bun themselves add those in the file that NODE_EXTRA_CA_CERTS names.
 */
export function createTrust(environment: Environment): () => Trust {
  let known: { readonly trust: Trust } | undefined;
  return () => (known ??= { trust: readTrust(environment) }).trust;
}

function readTrust({ SSL_CERT_FILE: file = '', NODE_EXTRA_CA_CERTS: extra = '' }: Environment): Trust {
  if (file === '') return undefined;
  try {
    const own = readCertificates(file);
    if (own.length === 0) return { problem: `SSL_CERT_FILE names ${JSON.stringify(file)}, which has no certificates` };
    const ca = [...new Set([...listTrusted(), ...(extra === '' ? [] : readExtra(extra)), ...own])];
    return { secureContext: process.getBuiltinModule('node:tls').createSecureContext({ ca }) };
  } catch (error) {
    const detail = error instanceof Error && 'code' in error ? toFileAccessError(file, error).detail : String(error);
    return { problem: `SSL_CERT_FILE names ${JSON.stringify(file)}, which cannot be used: ${escapeControls(detail)}` };
  }
}

/** Node and Bun warn if it cannot be read. */
function readExtra(file: string): readonly string[] {
  try {
    return readCertificates(file);
  } catch {
    return [];
  }
}

function readCertificates(file: string): readonly string[] {
  return readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}

/** Those of the runtime; later releases of Node can add those of the system. */
function listTrusted(): readonly string[] {
  const { getCACertificates, rootCertificates }: CertificateLists = process.getBuiltinModule('node:tls');
  return getCACertificates?.('default') ?? rootCertificates;
}

interface CertificateLists {
  readonly rootCertificates: readonly string[];
  /** Since Node 22.15. */
  readonly getCACertificates?: (type: 'default') => readonly string[];
}
