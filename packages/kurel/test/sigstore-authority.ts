import { createHash, generateKeyPairSync, sign } from 'node:crypto';

import { initializeCA, initializeCTLog, initializeTLog } from '@sigstore/mock';

import type { JsonObject } from '../src/model/index.ts';
import type { Identity } from '../src/signing/index.ts';
import { bundleType, encodeForSigning, statementType } from '../src/signing/sigstore-bundle.ts';

/** What the log returns; the package with its type is not installed. */
interface LogEntry {
  readonly body: string;
  readonly integratedTime: number;
  readonly logID: string;
  readonly logIndex: number;
  readonly verification: {
    readonly inclusionProof: { logIndex: number; rootHash: string; treeSize: number; checkpoint: string };
    readonly signedEntryTimestamp: string;
  };
}

/** Everything that Sigstore consists of, made anew: an authority for certificates, its log, and a transparency log. */
export interface Authority {
  /** A `trusted_root.json`. */
  readonly trustedRoot: JsonObject;
  /** The bundle of a statement that somebody signed, `late` long after the certificate expired. */
  readonly sign: (
    statement: Uint8Array,
    signer: Identity,
    options?: { readonly late?: boolean; readonly isLogged?: boolean },
  ) => Promise<JsonObject>;
}

const issuerExtension = '1.3.6.1.4.1.57264.1.8';
const logUrl = 'https://rekor.example.com';

export async function createAuthority({ hasCertificateLog = true } = {}): Promise<Authority> {
  const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [caKeys, ctKeys, logKeys] = [keyPair(), keyPair(), keyPair()];
  const now = new Date();
  const ctLog = await initializeCTLog(ctKeys, now);
  const ca = await initializeCA(caKeys, hasCertificateLog ? ctLog : undefined, now);
  const log = await initializeTLog(logUrl, logKeys, now);
  const lateLog = await initializeTLog(logUrl, logKeys, new Date(now.getTime() + 3_600_000));
  const validFor = { start: '2020-01-01T00:00:00Z' };
  const describeLog = (publicKey: Buffer, keyId: Uint8Array, baseUrl: string): JsonObject => ({
    baseUrl,
    hashAlgorithm: 'SHA2_256',
    publicKey: { rawBytes: base64(publicKey), keyDetails: 'PKIX_ECDSA_P256_SHA_256', validFor },
    logId: { keyId: base64(keyId) },
  });
  const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
    Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
  return {
    trustedRoot: {
      mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
      certificateAuthorities: [
        {
          subject: { organization: 'example', commonName: 'example' },
          uri: 'https://fulcio.example.com',
          certChain: { certificates: [{ rawBytes: base64(bytesOf(ca.rootCertificate)) }] },
          validFor,
        },
      ],
      tlogs: [describeLog(log.publicKey, sha256(log.publicKey), logUrl)],
      ctlogs: hasCertificateLog ? [describeLog(ctLog.publicKey, bytesOf(ctLog.logID), 'https://ct.example.com')] : [],
      timestampAuthorities: [],
    },
    async sign(statement, { subject, issuer }, { late = false, isLogged = true } = {}) {
      const keys = keyPair();
      const certificate = bytesOf(
        await ca.issueCertificate({
          publicKey: keys.publicKey.export({ type: 'spki', format: 'der' }),
          subjectAltName: subject,
          extensions: [{ oid: issuerExtension, value: issuer }],
        }),
      );
      const signature = sign(
        'sha256',
        encodeForSigning({ payloadType: statementType, payload: statement }),
        keys.privateKey,
      );
      const envelope = {
        payload: base64(statement),
        payloadType: statementType,
        signatures: [{ sig: base64(signature) }],
      };
      const pem = `-----BEGIN CERTIFICATE-----\n${base64(certificate).replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
      const logged: object = await (late ? lateLog : log).log({
        apiVersion: '0.0.1',
        kind: 'dsse',
        spec: {
          envelopeHash: { algorithm: 'sha256', value: sha256(JSON.stringify(envelope)).toString('hex') },
          payloadHash: { algorithm: 'sha256', value: sha256(statement).toString('hex') },
          signatures: [{ signature: base64(signature), verifier: base64(Buffer.from(pem)) }],
        },
      });
      const entry = Object.values(logged)[0] as LogEntry;
      const { inclusionProof, signedEntryTimestamp } = entry.verification;
      return {
        mediaType: bundleType,
        verificationMaterial: {
          certificate: { rawBytes: base64(certificate) },
          tlogEntries: isLogged
            ? [
                {
                  logIndex: String(entry.logIndex),
                  logId: { keyId: base64(Buffer.from(entry.logID, 'hex')) },
                  kindVersion: { kind: 'dsse', version: '0.0.1' },
                  integratedTime: String(entry.integratedTime),
                  inclusionPromise: { signedEntryTimestamp },
                  inclusionProof: {
                    logIndex: String(inclusionProof.logIndex),
                    rootHash: base64(Buffer.from(inclusionProof.rootHash, 'hex')),
                    treeSize: String(inclusionProof.treeSize),
                    hashes: [],
                    checkpoint: { envelope: inclusionProof.checkpoint },
                  },
                  canonicalizedBody: entry.body,
                },
              ]
            : [],
          timestampVerificationData: { rfc3161Timestamps: [] },
        },
        dsseEnvelope: envelope,
      };
    },
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function sha256(content: string | Uint8Array): Buffer {
  return createHash('sha256').update(content).digest();
}
