import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { assert, asyncProperty, integer, property } from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { memoryRepository, pushArtifact } from '../../test/memory-repository.ts';
import { createAuthority } from '../../test/sigstore-authority.ts';
import { parseTrustedRoot } from '../cli/signing/verify-certificate.ts';
import { readPublicKey, readSigningKey } from '../host/index.ts';
import type { JsonObject } from '../model/index.ts';
import { digestOf, manifestType, pushReferrer } from '../registry/index.ts';
import type { Repository } from '../registry/index.ts';
import { checkBundle, checkTagSignature, verifyArtifact } from './verify-artifact.ts';
import type { Trust } from './verify-artifact.ts';
import type { SigningKey } from './sigstore-bundle.ts';
import { createPayload, payloadType, signatureAnnotation, tagOfSignatures } from './list-signatures.ts';
import { attachStatement, signArtifact } from './sign-artifact.ts';
import {
  bundleType,
  createBundle,
  createStatement,
  readBundle,
  readStatement,
  signatureClaim,
} from './sigstore-bundle.ts';

const name = 'registry.example.com/apps/web';

async function createKey(): Promise<SigningKey> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return await readSigningKey(String(privateKey.export({ type: 'pkcs8', format: 'pem' })), async () => '');
}

let key: SigningKey;
let other: SigningKey;
let trust: Trust;
beforeAll(async () => {
  key = await createKey();
  other = await createKey();
  trust = { keys: [{ name: 'cosign.pub', key: key.publicKey }] };
});

/** `form signer` or `form: reason` of each signature. */
async function verdictsOn(repository: Repository, digest: string, given: Trust = trust, as = name): Promise<string[]> {
  const { signatures } = await verifyArtifact({ repository, name: as, digest, trust: given });
  return signatures.map(({ form, verdict }) =>
    'signer' in verdict ? `${form} ${verdict.signer}` : `${form}: ${verdict.reason}`,
  );
}

describe.each([{ hasReferrers: false }, { hasReferrers: true }])('signatures, %o', (options) => {
  it('are written in both forms, and once', async () => {
    const repository = memoryRepository(options);
    const manifest = await pushArtifact(repository, 'content');
    const artifact = { repository, name, manifest };
    expect(await verdictsOn(repository, manifest.digest)).toEqual([]);
    expect(await signArtifact(artifact, key)).toEqual({ tag: 'written', bundle: 'written' });
    expect(await signArtifact(artifact, key)).toEqual({ tag: 'present', bundle: 'present' });
    expect(await verdictsOn(repository, manifest.digest)).toEqual(['tag key cosign.pub', 'bundle key cosign.pub']);
    expect(await repository.listReferrers(manifest.digest)).toHaveLength(1);
  });

  it('of others are kept', async () => {
    const repository = memoryRepository(options);
    const manifest = await pushArtifact(repository, 'content');
    await signArtifact({ repository, name, manifest }, other);
    await signArtifact({ repository, name, manifest }, key);
    expect(await verdictsOn(repository, manifest.digest)).toEqual([
      'tag: it was made with another key, or its payload was changed',
      'tag key cosign.pub',
      'bundle: it was made with another key',
      'bundle key cosign.pub',
    ]);
  });
});

describe('a signature does not count', () => {
  it('for another artifact', async () => {
    const repository = memoryRepository();
    const [first, second] = [await pushArtifact(repository, 'first'), await pushArtifact(repository, 'second')];
    await signArtifact({ repository, name, manifest: first }, key);
    const signed = await repository.fetchManifest(tagOfSignatures(first.digest));
    await repository.pushManifest(signed.bytes, { mediaType: manifestType, tags: [tagOfSignatures(second.digest)] });
    const [{ digest } = { digest: '' }] = await repository.listReferrers(first.digest);
    const bundle = (await repository.fetchManifest(digest)).data['layers'] as unknown as [
      { digest: string; size: number },
    ];
    const content = await repository.fetchBlob(bundle[0], 10_000);
    await pushReferrer(repository, {
      subject: { ...second, size: second.bytes.length },
      artifactType: bundleType,
      content,
    });
    expect(await verdictsOn(repository, second.digest)).toEqual([
      `tag: it is for ${first.digest}`,
      `bundle: it is for ${first.digest}`,
    ]);
  });

  it('for another repository, unless it names none', async () => {
    const repository = memoryRepository();
    const manifest = await pushArtifact(repository, 'content');
    await signArtifact({ repository, name, manifest }, key);
    expect(await verdictsOn(repository, manifest.digest, trust, 'mirror.example.com/apps/web')).toEqual([
      `tag: it is for the repository "${name}"`,
      'bundle key cosign.pub',
    ]);
    const check = (reference: string, as: string): string | undefined => {
      const payload = createPayload({ digest: manifest.digest, repository: reference });
      const found = { place: '', payload, signature: key.sign(payload), hasCertificate: false };
      const verdict = checkTagSignature(found, { digest: manifest.digest, name: as, trust });
      return 'reason' in verdict ? verdict.reason : undefined;
    };
    expect(check('', name)).toBeUndefined();
    expect(check(`${name}:1.0@${manifest.digest}`, name)).toBeUndefined();
    expect(check('index.docker.io/library/web', 'docker.io/library/web')).toBeUndefined();
    expect(check('Registry.Example.com:443/apps/web', name)).toBeUndefined();
    expect(check('registry.example.com:5000/apps/web', name)).toContain('5000');
  });

  it('in another format', async () => {
    const repository = memoryRepository();
    const manifest = await pushArtifact(repository, 'content');
    const subject = { ...manifest, size: manifest.bytes.length };
    const statement = createStatement({ digest: manifest.digest, predicateType: signatureClaim });
    const bundle = new TextDecoder().decode(createBundle(statement, key));
    const ambiguous = bundle.replace('{', '{"messageSignature":{},');
    for (const content of ['', '{}', '[]', `{"mediaType":"${bundleType}"}`, 'x'.repeat(99), ambiguous]) {
      await pushReferrer(repository, { subject, artifactType: bundleType, content: new TextEncoder().encode(content) });
    }
    const payload = new TextEncoder().encode('{"critical":{"type":"atomic container signature"}}');
    const layer = (signature: string) => ({
      mediaType: payloadType,
      digest: digestOf(payload),
      size: payload.length,
      annotations: { [signatureAnnotation]: signature },
    });
    await repository.pushBlob(payload);
    const layers = [layer(Buffer.from(key.sign(payload)).toString('base64')), layer('not base64')];
    const list = new TextEncoder().encode(JSON.stringify({ schemaVersion: 2, mediaType: manifestType, layers }));
    await repository.pushManifest(list, { mediaType: manifestType, tags: [tagOfSignatures(manifest.digest)] });
    expect(await verdictsOn(repository, manifest.digest)).toEqual([
      'tag: its payload is not that of a container signature',
      'tag: it has no signature in base64',
      'bundle: its bundle cannot be read: expected a value, but the text ends at line 1, column 1',
      ...Array.from({ length: 3 }, () => 'bundle: it is not a Sigstore bundle with a statement'),
      'bundle: its bundle cannot be read: expected a value at line 1, column 1',
      'bundle: it is not a Sigstore bundle with a statement',
    ]);
  });

  it('if it means two things', async () => {
    const repository = memoryRepository();
    const manifest = await pushArtifact(repository, 'content');
    const subject = { ...manifest, size: manifest.bytes.length };
    const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
    const statement = new TextDecoder().decode(
      createStatement({ digest: manifest.digest, predicateType: signatureClaim }),
    );
    const bundle = new TextDecoder().decode(createBundle(encode(statement), key));
    const contents = [
      bundle.replace('{', '{"dsseEnvelope":{},'),
      bundle.replace('{', '{"dsse_envelope":{},'),
      ...['"subject":[],', '"Subject":[],', '"subjecT":[],', '"predicate_type":"a",'].map((added) =>
        new TextDecoder().decode(createBundle(encode(statement.replace('{', `{${added}`)), key)),
      ),
    ];
    for (const content of contents) {
      await pushReferrer(repository, { subject, artifactType: bundleType, content: encode(content) });
    }
    const critical = `"image":{"docker-manifest-digest":"${manifest.digest}"},"type":"cosign container image signature"`;
    const layers = [];
    for (const text of [
      `{"critical":{${critical},"image":{"docker-manifest-digest":"sha256:0"}}}`,
      `{"critical":{${critical}},"Critical":{}}`,
      `{"critical":{${critical}}}{}`,
      `\ufeff{"critical":{${critical}}}`,
    ]) {
      const payload = encode(text);
      await repository.pushBlob(payload);
      const annotations = { [signatureAnnotation]: Buffer.from(key.sign(payload)).toString('base64') };
      layers.push({ mediaType: payloadType, digest: digestOf(payload), size: payload.length, annotations });
    }
    const list = encode(JSON.stringify({ schemaVersion: 2, mediaType: manifestType, layers }));
    await repository.pushManifest(list, { mediaType: manifestType, tags: [tagOfSignatures(manifest.digest)] });
    expect(await verdictsOn(repository, manifest.digest)).toMatchInlineSnapshot(`
      [
        "tag: its payload cannot be read: duplicate key "image" at line 1, column 165",
        "tag: its payload cannot be read: the key "Critical" must be spelled "critical" at line 1, column 166",
        "tag: its payload cannot be read: expected the end of the document, got "{" at line 1, column 166",
        "tag: its payload cannot be read: unexpected byte order mark at line 1, column 1",
        "bundle: its bundle cannot be read: duplicate key "dsseEnvelope" at line 1, column 173",
        "bundle: its bundle cannot be read: the key "dsse_envelope" must be spelled "dsseEnvelope" at line 1, column 2",
        "bundle: its statement cannot be read: duplicate key "subject" at line 1, column 57",
        "bundle: its statement cannot be read: the key "Subject" must be spelled "subject" at line 1, column 2",
        "bundle: its statement cannot be read: the key "subjecT" must be spelled "subject" at line 1, column 2",
        "bundle: its statement cannot be read: the key "predicate_type" must be spelled "predicateType" at line 1, column 2",
      ]
    `);
  });

  it('if there are very many', async () => {
    const repository = memoryRepository();
    const manifest = await pushArtifact(repository, 'content');
    const layers = Array.from({ length: 101 }, () => ({ mediaType: payloadType, digest: manifest.digest, size: 1 }));
    const list = new TextEncoder().encode(JSON.stringify({ schemaVersion: 2, mediaType: manifestType, layers }));
    await repository.pushManifest(list, { mediaType: manifestType, tags: [tagOfSignatures(manifest.digest)] });
    await expect(verdictsOn(repository, manifest.digest)).rejects.toThrow('more than 100 signatures');
  });
});

describe('an identity', () => {
  const signer = { subject: 'https://example.com/workflow', issuer: 'https://login.example.com' };

  it('must be the one that is trusted', async () => {
    const authority = await createAuthority();
    const verifyCertificate = parseTrustedRoot(JSON.stringify(authority.trustedRoot));
    const repository = memoryRepository();
    const manifest = await pushArtifact(repository, 'content');
    const statement = createStatement({ digest: manifest.digest, predicateType: signatureClaim });
    const content = new TextEncoder().encode(JSON.stringify(await authority.sign(statement, signer)));
    const subject = { ...manifest, size: manifest.bytes.length };
    await pushReferrer(repository, { subject, artifactType: bundleType, content });
    const verdict = async (subjectName: string, issuer: string): Promise<string | undefined> => {
      const identities = [{ subject: subjectName, issuer }];
      return (await verdictsOn(repository, manifest.digest, { keys: [], identities, verifyCertificate }))[0];
    };
    expect(await verdict(signer.subject, signer.issuer)).toBe(`bundle ${signer.subject} (${signer.issuer})`);
    expect(await verdict('https://example.com/work', signer.issuer)).toBe(
      `bundle: it was made by "${signer.subject}" (issuer "${signer.issuer}")`,
    );
    expect(await verdict(signer.subject, 'https://other.example.com')).toBe(
      `bundle: "${signer.subject}" logged in at "${signer.issuer}", not at "https://other.example.com"`,
    );
    expect(await verdictsOn(repository, manifest.digest)).toEqual([
      'bundle: it was made with a certificate, not with a key',
    ]);
    await signArtifact({ repository, name, manifest }, key);
    const identities = [signer];
    expect(await verdictsOn(repository, manifest.digest, { keys: [], identities, verifyCertificate })).toEqual([
      'tag: it must be a bundle: only bundles are verified by identity',
      `bundle ${signer.subject} (${signer.issuer})`,
      'bundle: it was made with a key, not with a certificate',
    ]);
  });
});

describe('an attestation', () => {
  it('is not a signature', async () => {
    const repository = memoryRepository();
    const manifest = await pushArtifact(repository, 'content');
    const statement = createStatement({ digest: manifest.digest, predicateType: 'https://example.com/checked' });
    const artifact = { repository, name, manifest };
    expect(await attachStatement(artifact, statement, key)).toBe('written');
    expect(await attachStatement(artifact, statement, key)).toBe('present');
    expect(await attachStatement(artifact, statement, other)).toBe('written');
    const { signatures, attestations } = await verifyArtifact({ repository, name, digest: manifest.digest, trust });
    expect(signatures).toEqual([]);
    expect(attestations.map(({ verdict }) => verdict)).toEqual([
      { signer: 'key cosign.pub' },
      { reason: 'it was made with another key' },
    ]);
  });
});

// Recorded with the real cosign by cosign.full.test.ts.
const recorded: {
  readonly publicKey: string;
  readonly name: string;
  readonly digest: string;
  readonly payload: string;
  readonly signature: string;
  readonly bundles: readonly JsonObject[];
} = JSON.parse(readFileSync(join(import.meta.dirname, '../../test/data/cosign/recorded.json'), 'utf8'));

describe('what cosign wrote', () => {
  const keys = [{ name: 'cosign.pub', key: readPublicKey(recorded.publicKey) }];
  const payload = new TextEncoder().encode(recorded.payload);
  const signature = new Uint8Array(Buffer.from(recorded.signature, 'base64'));
  const checkTag = (given: { payload: Uint8Array; signature: Uint8Array | undefined }) =>
    checkTagSignature({ place: '', hasCertificate: false, ...given }, { ...recorded, trust: { keys } });
  /** Also what the statement is about. */
  const checkAttached = async (bytes: Uint8Array): Promise<boolean> => {
    const bundle = readBundle(bytes);
    if ('reason' in bundle || !('signer' in (await checkBundle(bundle, { keys })))) return false;
    const statement = readStatement(bundle.envelope.payload);
    return !('reason' in statement) && statement.digests.includes(recorded.digest);
  };
  const bundles = recorded.bundles.map((bundle) => new TextEncoder().encode(JSON.stringify(bundle)));

  it('is accepted', async () => {
    expect(checkTag({ payload, signature })).toEqual({ signer: 'key cosign.pub' });
    for (const bundle of bundles) expect(await checkAttached(bundle)).toBe(true);
  });

  it('is refused with any bit flipped', async () => {
    const flip = (bytes: Uint8Array, bit: number): Uint8Array => {
      const changed = Uint8Array.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      return changed;
    };
    const within = (bytes: Uint8Array) => integer({ min: 0, max: 8 * bytes.length - 1 });
    assert(
      property(within(payload), within(signature), (inPayload, inSignature) => {
        expect(checkTag({ payload: flip(payload, inPayload), signature })).toHaveProperty('reason');
        expect(checkTag({ payload, signature: flip(signature, inSignature) })).toHaveProperty('reason');
      }),
    );
    for (const bundle of bundles) {
      const { payload: text, signatures } = JSON.parse(new TextDecoder().decode(bundle)).dsseEnvelope;
      await assert(
        asyncProperty(within(bundle), async (bit) => {
          const changed = flip(bundle, bit);
          if (!(await checkAttached(changed))) return;
          // Whatever does not matter may change, such as the name of the key: what is signed is the same.
          const { dsseEnvelope } = JSON.parse(new TextDecoder().decode(changed));
          expect([dsseEnvelope.payload, dsseEnvelope.signatures[0].sig]).toEqual([text, signatures[0].sig]);
        }),
      );
    }
  });
});
