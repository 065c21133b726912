import { isJsonObject } from '../model/index.ts';
import type { JsonObject } from '../model/index.ts';
import { parseJson } from '../registry/index.ts';
import { encodeBase64 } from './base64.ts';
import { encodeForSigning, readEnvelope } from './dsse.ts';
import type { Envelope } from './dsse.ts';
import type { SigningKey } from './keys.ts';
import { statementType } from './statement.ts';

/** What cosign 3 writes. */
export const bundleType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
/** Also that of earlier versions: `application/vnd.dev.sigstore.bundle+json;version=0.1`. */
export const isBundleType = (type: string): boolean => type.startsWith('application/vnd.dev.sigstore.bundle');

/** A signed statement with what is needed to verify it. */
export interface SigstoreBundle {
  readonly envelope: Envelope;
  /** The name of the public key; `undefined` if it has a certificate. */
  readonly keyHint: string | undefined;
  /** As it is, for the verification of certificates. */
  readonly data: JsonObject;
}

/** A bundle of the statement, signed with a key. */
export function createBundle(statement: Uint8Array, key: SigningKey): Uint8Array {
  const signature = key.sign(encodeForSigning({ payloadType: statementType, payload: statement }));
  const bundle = {
    mediaType: bundleType,
    verificationMaterial: { publicKey: { hint: key.publicKey.hint } },
    dsseEnvelope: {
      payload: encodeBase64(statement),
      payloadType: statementType,
      signatures: [{ sig: encodeBase64(signature) }],
    },
  };
  return new TextEncoder().encode(JSON.stringify(bundle));
}

/** `undefined` if it is not a bundle with a statement. */
export function readBundle(bytes: Uint8Array): SigstoreBundle | undefined {
  const data = parseJson(bytes);
  if (!isJsonObject(data) || typeof data['mediaType'] !== 'string' || !isBundleType(data['mediaType']))
    return undefined;
  const { verificationMaterial: material, dsseEnvelope, messageSignature = null } = data;
  // Of two contents, the verification of certificates takes the other one.
  const envelope = messageSignature === null ? readEnvelope(dsseEnvelope) : undefined;
  if (envelope?.payloadType !== statementType || !isJsonObject(material)) return undefined;
  const { publicKey } = material;
  const hint = isJsonObject(publicKey) ? publicKey['hint'] : undefined;
  return { envelope, data, keyHint: isJsonObject(publicKey) ? (typeof hint === 'string' ? hint : '') : undefined };
}
