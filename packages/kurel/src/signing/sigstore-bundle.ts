import { isJsonArray, isJsonObject, readJson, valueAt } from '../model/index.ts';
import type { Json, JsonFields, JsonObject } from '../model/index.ts';
import { encodeBase64, encodeJson } from '../registry/index.ts';

/** A public key; `host` reads it from a file. */
export interface VerificationKey {
  /** Base64 of the SHA-256 digest of the key, which bundles name it by. */
  readonly hint: string;
  /** False also for signatures that cannot be read. */
  readonly verify: (message: Uint8Array, signature: Uint8Array) => boolean;
}

/** A private key; nothing of it leaves `host`. */
export interface SigningKey {
  readonly publicKey: VerificationKey;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

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
  return encodeJson(bundle);
}

/** A signed document that does not count. The reason is a sentence about the signature. */
export interface Unreadable {
  readonly reason: string;
}

const noBundle: Unreadable = { reason: 'it is not a Sigstore bundle with a statement' };

const bundleFields: JsonFields = {
  names: `
    mediaType verificationMaterial dsseEnvelope messageSignature publicKey hint certificate x509CertificateChain
    certificates rawBytes tlogEntries timestampVerificationData payload payloadType signatures sig keyid
    rfc3161Timestamps signedTimestamp logIndex logId keyId kindVersion kind version integratedTime
    inclusionPromise signedEntryTimestamp inclusionProof rootHash treeSize hashes checkpoint envelope
    canonicalizedBody`
    .trim()
    .split(/\s+/),
};

export function readBundle(bytes: Uint8Array): SigstoreBundle | Unreadable {
  const reading = readJson(bytes, { fields: bundleFields });
  if ('reason' in reading) return { reason: `its bundle cannot be read: ${reading.reason}` };
  const { data } = reading;
  if (!isJsonObject(data) || typeof data['mediaType'] !== 'string' || !isBundleType(data['mediaType'])) return noBundle;
  const { verificationMaterial: material, dsseEnvelope, messageSignature = null } = data;
  // Of two contents, the verification of certificates takes the other one.
  const envelope = messageSignature === null ? readEnvelope(dsseEnvelope) : undefined;
  if (envelope?.payloadType !== statementType || !isJsonObject(material)) return noBundle;
  const { publicKey } = material;
  const hint = isJsonObject(publicKey) ? publicKey['hint'] : undefined;
  return { envelope, data, keyHint: isJsonObject(publicKey) ? (typeof hint === 'string' ? hint : '') : undefined };
}

/** A signed message with its type: https://github.com/secure-systems-lab/dsse. */
interface Envelope {
  readonly payloadType: string;
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
}

/** The bytes that are signed: the type and the payload, each with its length, so that neither can be taken for the other. */
export function encodeForSigning({ payloadType, payload }: Omit<Envelope, 'signature'>): Uint8Array {
  const type = new TextEncoder().encode(payloadType);
  const head = new TextEncoder().encode(`DSSEv1 ${type.length} ${payloadType} ${payload.length} `);
  const message = new Uint8Array(head.length + payload.length);
  message.set(head);
  message.set(payload, head.length);
  return message;
}

/** `undefined` unless it is an envelope with exactly one signature, as bundles have it. */
function readEnvelope(data: Json | undefined): Envelope | undefined {
  if (!isJsonObject(data) || !isJsonArray(data['signatures']) || data['signatures'].length !== 1) return undefined;
  const [first] = data['signatures'];
  const { payloadType, payload } = data;
  const sig = isJsonObject(first) ? first['sig'] : undefined;
  if (typeof payloadType !== 'string' || typeof payload !== 'string' || typeof sig !== 'string') return undefined;
  const [message, signature] = [decodeBase64(payload), decodeBase64(sig)];
  return message === undefined || signature === undefined ? undefined : { payloadType, payload: message, signature };
}

/** `undefined` unless the text is exactly what `encodeBase64` writes: two spellings of one signature would be two signatures. */
export function decodeBase64(text: string): Uint8Array | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return encodeBase64(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** An in-toto statement: a claim of a certain type about an artifact. */
export interface Statement {
  readonly predicateType: string;
  readonly predicate: Json;
  /** `sha256:…` of everything that the claim is about. */
  readonly digests: readonly string[];
}

export const statementType = 'application/vnd.in-toto+json';
/** The claim of a plain signature, as cosign writes it. */
export const signatureClaim = 'https://sigstore.dev/cosign/sign/v1';
export const provenanceClaim = 'https://slsa.dev/provenance/v1';
export const imagesClaim = 'https://cyclonedx.org/bom';
const version = 'https://in-toto.io/Statement/v1';
// Statements of earlier versions differ only in this name.
const versions: readonly Json[] = [version, 'https://in-toto.io/Statement/v0.1'];

interface Claim {
  readonly digest: string;
  readonly predicateType: string;
  readonly predicate?: JsonObject | undefined;
}

/** The same claim has the same bytes. */
export function createStatement({ digest, predicateType, predicate = {} }: Claim): Uint8Array {
  const subject = [{ digest: { sha256: digest.replace(/^sha256:/, '') } }];
  return encodeJson({ _type: version, subject, predicateType, predicate });
}

const statementFields: JsonFields = {
  names: ['_type', 'subject', 'predicateType', 'predicate', 'name', 'digest', 'uri', 'annotations'],
  maps: ['predicate', 'digest', 'annotations'],
};

export function readStatement(bytes: Uint8Array): Statement | Unreadable {
  const reading = readJson(bytes, { fields: statementFields, exactIntegers: true });
  if ('reason' in reading) return { reason: `its statement cannot be read: ${reading.reason}` };
  const { data } = reading;
  if (!isJsonObject(data) || !versions.includes(data['_type'] ?? null)) return noBundle;
  const { subject, predicateType, predicate = null } = data;
  if (!isJsonArray(subject) || typeof predicateType !== 'string') return noBundle;
  const digests = subject.flatMap((entry) => {
    const digest = valueAt(entry, ['digest', 'sha256']);
    return typeof digest === 'string' ? [`sha256:${digest}`] : [];
  });
  return { predicateType, predicate, digests };
}
