import { isJsonObject } from '../model/index.ts';
import { parseJson } from '../registry/index.ts';

/** What a signature with a tag signs: https://github.com/sigstore/cosign/blob/main/specs/SIGNATURE_SPEC.md. */
export interface SignedPayload {
  /** `sha256:…` of the manifest. */
  readonly digest: string;
  /** `host/path` of the artifact when it was signed, if the payload names it. */
  readonly repository?: string | undefined;
}

export const payloadType = 'application/vnd.dev.cosign.simplesigning.v1+json';
export const signatureAnnotation = 'dev.cosignproject.cosign/signature';
const purpose = 'cosign container image signature';

export function createPayload({ digest, repository }: SignedPayload): Uint8Array {
  const critical = {
    identity: { 'docker-reference': repository ?? '' },
    image: { 'docker-manifest-digest': digest },
    type: purpose,
  };
  return new TextEncoder().encode(JSON.stringify({ critical, optional: null }));
}

/** `undefined` if it is not a payload of a container signature. */
export function readPayload(bytes: Uint8Array): SignedPayload | undefined {
  const data = parseJson(bytes);
  const critical = isJsonObject(data) ? data['critical'] : undefined;
  if (!isJsonObject(critical) || critical['type'] !== purpose) return undefined;
  const { identity, image } = critical;
  const digest = isJsonObject(image) ? image['docker-manifest-digest'] : undefined;
  if (typeof digest !== 'string') return undefined;
  const reference = isJsonObject(identity) ? identity['docker-reference'] : undefined;
  const repository = typeof reference === 'string' && reference !== '' ? withoutVersion(reference) : undefined;
  return { digest, repository };
}

/** A reference may have a tag or digest, which can change without the artifact. */
function withoutVersion(reference: string): string {
  const [name = ''] = reference.split('@');
  return name.replace(/:[^:/]*$/, '');
}
