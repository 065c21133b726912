import { createHash, generateKeyPairSync, sign } from 'node:crypto';

export interface SelfSigned {
  readonly key: string;
  readonly cert: string;
}

/** A certificate for 127.0.0.1 or a name that nobody trusts, made anew so that no private key lies in the repository. */
export function selfSigned(host?: string): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = der(0x30, oid('2a8648ce3d040302'));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  // Each has a name of its own, by which it is found among several.
  const title = createHash('sha256').update(spki).digest('hex').slice(0, 32);
  const name = der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(title)))));
  const validity = der(0x30, der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z')));
  const subject = host === undefined ? der(0x87, Buffer.from([127, 0, 0, 1])) : der(0x82, Buffer.from(host));
  const addresses = der(0x30, subject);
  const extensions = der(0xa3, der(0x30, der(0x30, oid('551d11'), der(0x04, addresses))));
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    validity,
    name,
    spki,
    extensions,
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const text = der(0x30, body, ecdsaWithSha256, signature).toString('base64');
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: `-----BEGIN CERTIFICATE-----\n${text.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
