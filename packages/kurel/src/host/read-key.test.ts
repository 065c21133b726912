import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { KeyError, readPublicKey, readSigningKey } from './read-key.ts';

const recorded: { readonly key: string; readonly password: string; readonly publicKey: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../test/data/cosign/recorded.json'), 'utf8'),
);
const message = new TextEncoder().encode('message');
const noPassword = async (): Promise<string> => {
  throw new Error('the password is not needed');
};

function pemOf(key: ReturnType<typeof generateKeyPairSync>['privateKey'], type: 'pkcs8' | 'sec1' = 'pkcs8'): string {
  return String(key.export({ type, format: 'pem' }));
}

interface EncryptedData {
  readonly kdf: { name: string; readonly params: { N: number; r: number; p: number }; salt: string };
  readonly cipher: { name: string; nonce: string };
  ciphertext?: string;
}

describe('a private key', () => {
  it('of cosign needs its password', { tags: 'slow' }, async () => {
    const key = await readSigningKey(recorded.key, async () => recorded.password);
    expect(readPublicKey(recorded.publicKey).verify(message, key.sign(message))).toBe(true);
    const named = recorded.key.replaceAll('SIGSTORE', 'COSIGN');
    expect((await readSigningKey(named, async () => recorded.password)).publicKey.hint).toBe(key.publicKey.hint);
    await expect(readSigningKey(recorded.key, async () => 'wrong')).rejects.toThrow('the password is wrong');
  });

  it('of openssl does not', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    for (const type of ['pkcs8', 'sec1'] as const) {
      const key = await readSigningKey(pemOf(privateKey, type), noPassword);
      expect(key.publicKey.verify(message, key.sign(message))).toBe(true);
    }
  });

  const [other, rsa] = [
    generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ];
  /** A key of cosign with other parameters. */
  const encrypted = (change: (data: EncryptedData) => void): string => {
    const [head, ...rest] = recorded.key.trim().split('\n');
    const text = Buffer.from(rest.slice(0, -1).join(''), 'base64').toString('utf8');
    const data = JSON.parse(text) as EncryptedData;
    change(data);
    return `${head}\n${Buffer.from(JSON.stringify(data)).toString('base64')}\n${rest.at(-1)}\n`;
  };

  it.each([
    ['that is public', recorded.publicKey, 'it is a public key'],
    ['that is not PEM', 'hello', 'it is not a private key in PEM format'],
    ['on another curve', pemOf(other.privateKey), 'this is ec (secp384r1)'],
    ['of RSA', pemOf(rsa.privateKey), 'this is rsa (2048 bits)'],
    ['that is damaged', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n', 'the key cannot be read'],
    ['of PGP', '-----BEGIN PGP PRIVATE KEY BLOCK-----\n', 'keys of type "PGP PRIVATE KEY BLOCK" are not supported'],
    ['with another cipher', encrypted((data) => void (data.cipher.name = 'x')), 'is not one that cosign uses'],
    ['with another KDF', encrypted((data) => void (data.kdf.name = 'x')), 'is not one that cosign uses'],
    ['that is expensive', encrypted((data) => void (data.kdf.params.N = 2 ** 30)), 'too much memory or time'],
    [
      'with large blocks',
      encrypted((data) => void Object.assign(data.kdf.params, { N: 2, r: 2 ** 20, p: 16 })),
      'too much memory or time',
    ],
    ['that takes long', encrypted((data) => void (data.kdf.params.p = 1000)), 'too much memory or time'],
    ['with odd parameters', encrypted((data) => void (data.kdf.params.N = 65_537)), 'invalid scrypt parameters'],
    ['with negative ones', encrypted((data) => void (data.kdf.params.r = -8)), 'invalid scrypt parameters'],
    ['with a short nonce', encrypted((data) => void (data.cipher.nonce = 'AAAA')), 'invalid salt or nonce'],
    ['with another salt', encrypted((data) => void (data.kdf.salt = 'AAAA')), 'the password is wrong'],
    ['without ciphertext', encrypted((data) => void delete data.ciphertext), 'is not one that cosign uses'],
  ])('%s is refused', async (_, pem, reason) => {
    const failure: unknown = await readSigningKey(pem, async () => recorded.password).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(KeyError);
    expect((failure as KeyError).message).toContain(reason);
  });
});

describe('a public key', () => {
  it('can be of ECDSA, Ed25519 or RSA', { tags: 'slow' }, () => {
    for (const { publicKey } of [
      generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      generateKeyPairSync('ed25519'),
      generateKeyPairSync('rsa', { modulusLength: 2048 }),
    ]) {
      const key = readPublicKey(String(publicKey.export({ type: 'spki', format: 'pem' })));
      expect(key.verify(message, message)).toBe(false);
      expect(key.hint).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    }
  });

  const spki = (key: ReturnType<typeof generateKeyPairSync>['publicKey']): string =>
    String(key.export({ type: 'spki', format: 'pem' }));

  it.each([
    ['that is private', recorded.key, 'it is a private key'],
    ['that is not PEM', 'hello', 'it is not a public key in PEM format'],
    ['that is damaged', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n', 'the key cannot be read'],
    ['with another one after it', recorded.publicKey.repeat(2), 'it has more than one key'],
    ['that is short', spki(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey), 'rsa (1024 bits)'],
    ['on another curve', spki(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey), 'ec (secp384r1)'],
  ])('%s is refused', (_, pem, reason) => {
    expect(() => readPublicKey(pem)).toThrow(reason);
  });
});
