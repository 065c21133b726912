import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json } from '../model/index.ts';
import { decodeBase64 } from './base64.ts';

/** A signed message with its type: https://github.com/secure-systems-lab/dsse. */
export interface Envelope {
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
export function readEnvelope(data: Json | undefined): Envelope | undefined {
  if (!isJsonObject(data) || !isJsonArray(data['signatures']) || data['signatures'].length !== 1) return undefined;
  const [first] = data['signatures'];
  const { payloadType, payload } = data;
  const sig = isJsonObject(first) ? first['sig'] : undefined;
  if (typeof payloadType !== 'string' || typeof payload !== 'string' || typeof sig !== 'string') return undefined;
  const [message, signature] = [decodeBase64(payload), decodeBase64(sig)];
  return message === undefined || signature === undefined ? undefined : { payloadType, payload: message, signature };
}
