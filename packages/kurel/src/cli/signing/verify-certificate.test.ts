import { assert, asyncProperty, integer } from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { createAuthority } from '../../../test/sigstore-authority.ts';
import type { Authority } from '../../../test/sigstore-authority.ts';
import type { JsonObject } from '../../model/index.ts';
import { createStatement, signatureClaim } from '../../signing/index.ts';
import { readBundle } from '../../signing/sigstore-bundle.ts';
import { KeyError } from '../../host/index.ts';
import { parseTrustedRoot } from './verify-certificate.ts';

const digest = `sha256:${'ab'.repeat(32)}`;
const statement = createStatement({ digest, predicateType: signatureClaim });
const signer = {
  subject: 'https://github.com/example/shop/.github/workflows/release.yml@refs/heads/main',
  issuer: 'https://token.actions.example.com',
};

describe('a certificate', () => {
  let authority: Authority;
  let other: Authority;
  beforeAll(async () => {
    authority = await createAuthority();
    other = await createAuthority();
  });

  const verdictOn = async (bundle: JsonObject, root: JsonObject = authority.trustedRoot) =>
    await parseTrustedRoot(JSON.stringify(root))(bundle);

  it('names the signer', async () => {
    expect(await verdictOn(await authority.sign(statement, signer))).toEqual(signer);
  });

  it('must be from a trusted authority', async () => {
    expect(await verdictOn(await other.sign(statement, signer))).toHaveProperty('reason');
    const half = { ...authority.trustedRoot, certificateAuthorities: other.trustedRoot['certificateAuthorities']! };
    expect(await verdictOn(await authority.sign(statement, signer), half)).toEqual({
      reason: 'its certificate is not from a trusted authority',
    });
  });

  it('must be valid at the time that the log confirms', async () => {
    expect(await verdictOn(await authority.sign(statement, signer, { late: true }))).toEqual({
      reason: 'its certificate was not valid when it was signed',
    });
  });

  it('must be in the log of certificates', async () => {
    const root = { ...authority.trustedRoot, ctlogs: other.trustedRoot['ctlogs']! };
    expect(await verdictOn(await authority.sign(statement, signer), root)).toEqual({
      reason: 'its certificate is not in a trusted log of certificates',
    });
    const plain = await createAuthority({ hasCertificateLog: false });
    expect(await verdictOn(await plain.sign(statement, signer), plain.trustedRoot)).toEqual(signer);
    const more = { ...plain.trustedRoot, ctlogs: other.trustedRoot['ctlogs']! };
    expect(await verdictOn(await plain.sign(statement, signer), more)).toHaveProperty('reason');
  });

  it('needs a signature in a transparency log', async () => {
    expect(await verdictOn(await authority.sign(statement, signer, { isLogged: false }))).toHaveProperty('reason');
    const root = { ...authority.trustedRoot, tlogs: other.trustedRoot['tlogs']! };
    expect(await verdictOn(await authority.sign(statement, signer), root)).toEqual({
      reason: 'it is not in a trusted transparency log',
    });
  });

  it('needs a proof of the log', async () => {
    const text = JSON.stringify(await authority.sign(statement, signer));
    const bundle = JSON.parse(text.replace('"inclusionProof"', '"ignored"')) as JsonObject;
    expect(await verdictOn(bundle)).toEqual({ reason: 'it has no proof that it is in a transparency log' });
  });
});

describe('a bundle with any bit flipped', () => {
  it('is refused, or is signed by the same for the same', { tags: 'slow' }, async () => {
    const authority = await createAuthority();
    const verify = parseTrustedRoot(JSON.stringify(authority.trustedRoot));
    const bundle = await authority.sign(statement, signer);
    const bytes = new TextEncoder().encode(JSON.stringify(bundle));
    const signed = JSON.stringify((bundle['dsseEnvelope'] as JsonObject)['payload']);
    await assert(
      asyncProperty(integer({ min: 0, max: 8 * bytes.length - 1 }), async (bit) => {
        const changed = Uint8Array.from(bytes);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        const read = readBundle(changed);
        if ('reason' in read) return;
        const verdict = await verify(read.data);
        if ('reason' in verdict) return;
        expect(verdict).toEqual(signer);
        expect(JSON.stringify((read.data['dsseEnvelope'] as JsonObject)['payload'])).toBe(signed);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a trusted root', () => {
  it.each([['nothing'], ['[]'], ['{}'], ['{"certificateAuthorities": 3}'], ['{"certificateAuthorities": [{}]}']])(
    'is refused: %s',
    async (text) => {
      expect(() => parseTrustedRoot(text)).toThrow(KeyError);
    },
  );
});
