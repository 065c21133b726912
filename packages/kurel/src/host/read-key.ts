import { createHash, createPrivateKey, createPublicKey, scryptSync, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { passIn, quote, sentence } from '../diagnostics/index.ts';
import { isJsonObject, readJson } from '../model/index.ts';
import type { Json, JsonFields, Message } from '../model/index.ts';
import type { SigningKey, VerificationKey } from '../signing/index.ts';

/** A key cannot be used; the message completes `cannot use FILE: …` and never quotes the key. */
export class KeyError extends Error {
  readonly hint: Message | undefined;

  constructor(message: string, hint?: Message) {
    super(message);
    this.name = 'KeyError';
    this.hint = hint;
  }
}

/** Reads a public key in PEM. ECDSA on the curve P-256, Ed25519 and RSA are supported, as in cosign. */
export function readPublicKey(pem: string): VerificationKey {
  const label = labelOf(pem);
  if (label?.endsWith('PRIVATE KEY') === true) {
    throw new KeyError('it is a private key', 'pass the public key, such as cosign.pub');
  }
  if (label !== 'PUBLIC KEY') throw new KeyError('it is not a public key in PEM format');
  // Only the first would count, although somebody trusts them all.
  if (pem.split('-----BEGIN ').length > 2) throw new KeyError('it has more than one key', 'use a file for each key');
  return describePublicKey(parse(() => createPublicKey(pem)));
}

/** Reads a private key in PEM: plain PKCS #8, or encrypted as cosign does, for which the password is requested. */
export async function readSigningKey(pem: string, askPassword: () => Promise<string>): Promise<SigningKey> {
  const label = labelOf(pem);
  if (label === 'PUBLIC KEY') throw new KeyError('it is a public key', 'pass the private key, such as cosign.key');
  const isCosign = label === 'ENCRYPTED SIGSTORE PRIVATE KEY' || label === 'ENCRYPTED COSIGN PRIVATE KEY';
  if (!isCosign && label !== 'PRIVATE KEY' && label !== 'EC PRIVATE KEY') {
    const reason =
      label === undefined ? 'it is not a private key in PEM format' : `keys of type ${quote(label)} are not supported`;
    throw new KeyError(reason, 'use a key of cosign generate-key-pair or openssl genpkey');
  }
  const key = isCosign
    ? await decryptKey(pem, askPassword)
    : parse(() => createPrivateKey({ key: pem, format: 'pem' }));
  if (!isP256(key)) {
    throw new KeyError(`kurel signs with ECDSA keys on the curve P-256, and this is ${describeType(key)}`);
  }
  return {
    publicKey: describePublicKey(createPublicKey(key)),
    sign: (message) => new Uint8Array(sign('sha256', message, key)),
  };
}

function describePublicKey(key: KeyObject): VerificationKey {
  if (!isP256(key) && key.asymmetricKeyType !== 'ed25519' && !isLongRsa(key)) {
    const supported = 'ECDSA keys on the curve P-256, Ed25519 keys and RSA keys of at least 2048 bits are supported';
    throw new KeyError(`${supported}, and this is ${describeType(key)}`);
  }
  // Ed25519 has a hash function of its own.
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const bytes = key.export({ type: 'spki', format: 'der' });
  return {
    hint: createHash('sha256').update(bytes).digest('base64'),
    verify(message, signature) {
      try {
        return verify(algorithm, message, key, signature);
      } catch {
        return false;
      }
    },
  };
}

function isP256(key: KeyObject): boolean {
  return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
}

function isLongRsa(key: KeyObject): boolean {
  return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;
}

function describeType({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): string {
  const more = details?.namedCurve ?? (details?.modulusLength === undefined ? '' : `${details.modulusLength} bits`);
  return `${type ?? 'another kind of key'}${more === '' ? '' : ` (${more})`}`;
}

/** Errors of OpenSSL are cryptic, and what they quote is not known. */
function parse(read: () => KeyObject): KeyObject {
  try {
    return read();
  } catch {
    throw new KeyError('the key cannot be read');
  }
}

function labelOf(pem: string): string | undefined {
  return /^-----BEGIN ([A-Z0-9 ]+)-----\r?$/m.exec(pem)?.[1];
}

// cosign writes N = 65536, r = 8, p = 1. A file must not choose how long this takes and how much memory it needs.
const mostMemory = 512 * 1024 * 1024;
const mostPasses = 16;

async function decryptKey(pem: string, askPassword: () => Promise<string>): Promise<KeyObject> {
  const { cost, blockSize, passes, salt, nonce, ciphertext } = readEncrypted(pem);
  const password = await askPassword();
  const maxmem = 2 * mostMemory;
  const secret = scryptSync(password, salt, 32, { N: cost, r: blockSize, p: passes, maxmem });
  // Node has no XSalsa20.
  const { xsalsa20poly1305 } = await import('@noble/ciphers/salsa.js');
  let plain: Uint8Array;
  try {
    plain = xsalsa20poly1305(secret, nonce).decrypt(ciphertext);
  } catch {
    throw new KeyError(
      'the password is wrong',
      sentence`set COSIGN_PASSWORD, or ${passIn('the password', 'passwordStdin')}`,
    );
  }
  return parse(() => createPrivateKey({ key: Buffer.from(plain), format: 'der', type: 'pkcs8' }));
}

const encryptionFields: JsonFields = {
  names: ['kdf', 'name', 'params', 'N', 'r', 'p', 'salt', 'cipher', 'nonce', 'ciphertext'],
};

function readEncrypted(pem: string) {
  const body = /-----BEGIN [A-Z ]+-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END /.exec(pem)?.[1] ?? '';
  const reading = readJson(Buffer.from(body, 'base64'), { fields: encryptionFields });
  if ('reason' in reading) throw new KeyError(`the encryption of the key cannot be read: ${reading.reason}`);
  const { data } = reading;
  const { kdf, cipher, ciphertext } = isJsonObject(data) ? data : {};
  const params = isJsonObject(kdf) && kdf['name'] === 'scrypt' ? kdf['params'] : undefined;
  const isSecretbox = isJsonObject(cipher) && cipher['name'] === 'nacl/secretbox';
  if (!isJsonObject(params) || !isSecretbox || typeof ciphertext !== 'string') {
    throw new KeyError('the encryption of the key is not one that cosign uses');
  }
  const { N: cost, r: blockSize, p: passes } = params;
  if (!isCount(cost) || !isCount(blockSize) || !isCount(passes) || (cost & (cost - 1)) !== 0 || cost < 2) {
    throw new KeyError('the key has invalid scrypt parameters');
  }
  if (128 * (cost + passes) * blockSize > mostMemory || passes > mostPasses) {
    throw new KeyError('the key needs too much memory or time to decrypt');
  }
  const [salt, nonce] = [decode((kdf as Record<string, Json>)['salt']), decode(cipher['nonce'])];
  if (salt.length === 0 || nonce.length !== 24) throw new KeyError('the key has an invalid salt or nonce');
  return { cost, blockSize, passes, salt, nonce, ciphertext: decode(ciphertext) };
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 31;
}

function decode(value: Json | undefined): Buffer {
  return Buffer.from(typeof value === 'string' ? value : '', 'base64');
}
