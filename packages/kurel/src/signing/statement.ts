import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonObject } from '../model/index.ts';
import { parseJson } from '../registry/index.ts';

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
  /** `sha256:…` of the manifest. */
  readonly digest: string;
  readonly predicateType: string;
  readonly predicate?: JsonObject | undefined;
}

/** The same claim has the same bytes. */
export function createStatement({ digest, predicateType, predicate = {} }: Claim): Uint8Array {
  const subject = [{ digest: { sha256: digest.replace(/^sha256:/, '') } }];
  return new TextEncoder().encode(JSON.stringify({ _type: version, subject, predicateType, predicate }));
}

/** `undefined` if it is not a statement. */
export function readStatement(bytes: Uint8Array): Statement | undefined {
  const data = parseJson(bytes);
  if (!isJsonObject(data) || !versions.includes(data['_type'] ?? null)) return undefined;
  const { subject, predicateType, predicate = null } = data;
  if (!isJsonArray(subject) || typeof predicateType !== 'string') return undefined;
  const digests = subject.flatMap((one) => {
    const digest = isJsonObject(one) && isJsonObject(one['digest']) ? one['digest']['sha256'] : undefined;
    return typeof digest === 'string' ? [`sha256:${digest}`] : [];
  });
  return { predicateType, predicate, digests };
}
