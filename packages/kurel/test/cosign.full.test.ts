import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { createRenderedArtifact } from '../src/artifact/index.ts';
import { manifestType, pushReferrer } from '../src/registry/index.ts';
import type { Repository } from '../src/registry/index.ts';
import { createStatement, signatureClaim } from '../src/signing/index.ts';
import { bundleType } from '../src/signing/sigstore-bundle.ts';
import type { SigstoreBundle } from '../src/signing/sigstore-bundle.ts';
import { listBundles, listTagSignatures } from '../src/signing/list-signatures.ts';
import { openCosign } from './cosign.ts';
import type { Cosign } from './cosign.ts';
import { openLocalRepository } from './local-repository.ts';
import { pushArtifact } from './memory-repository.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import { createAuthority } from './sigstore-authority.ts';
import { startRegistry } from './start-registry.ts';
import type { Registry } from './start-registry.ts';

// Signatures of kurel for cosign, and signatures of cosign for kurel, through a real registry.

describeWithProgram('cosign', 'the real cosign', () => {
  let directory = '';
  let registry: Registry;
  let cosign: Cosign;
  let other: Cosign;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'kurel-cosign-'));
    registry = await startRegistry(directory);
    cosign = openCosign(join(directory, 'own'));
    other = openCosign(join(directory, 'other'));
  });

  afterAll(async () => {
    await registry?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const repositoryOf = (): Repository => openLocalRepository(registry.host, 'apps/web');

  /** `host/path@digest` of a new artifact. */
  async function push(content: string): Promise<string> {
    const { digest } = await pushArtifact(repositoryOf(), content);
    return `${registry.host}/apps/web@${digest}`;
  }

  const kurel = async (...words: readonly string[]) =>
    await runProgram([...words, '--allow-private'], {
      workingDirectory: cosign.directory,
      variables: { PATH: process.env['PATH'], COSIGN_PASSWORD: cosign.password },
    });

  it('accepts signatures of kurel in both forms', async () => {
    const reference = await push('signed by kurel');
    expect(await kurel('sign', `oci://${reference}`, '--key', 'cosign.key')).toMatchObject({ exitCode: 0, stderr: '' });
    for (const form of ['bundle', 'tag'] as const) {
      expect(cosign.verify(reference, form)).toContain(reference.split('@')[1]);
      expect(() => cosign.verify(reference, form, '../other/cosign.pub')).toThrow();
    }
  });

  it.each(['bundle', 'tag'] as const)('signs as a %s that kurel accepts', async (form) => {
    const reference = await push(`signed by cosign as a ${form}`);
    cosign.sign(reference, form);
    expect(await kurel('verify', `oci://${reference}`, '--key', 'cosign.pub')).toEqual({
      exitCode: 0,
      stdout: `verified oci://${reference}\n  signature of key cosign.pub, ${form}\n`,
      stderr: '',
    });
    const refused = await kurel('verify', `oci://${reference}`, '--key', '../other/cosign.pub');
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('it was made with another key');
  });

  it('keeps its signatures when kurel adds one, and the other way round', async () => {
    const reference = await push('signed by both');
    for (const form of ['tag', 'bundle'] as const) other.sign(reference, form);
    await kurel('sign', `oci://${reference}`, '--key', 'cosign.key');
    for (const form of ['tag', 'bundle'] as const) {
      cosign.verify(reference, form);
      cosign.verify(reference, form, '../other/cosign.pub');
      cosign.sign(reference, form);
      cosign.verify(reference, form, '../other/cosign.pub');
    }
    expect(await kurel('verify', `oci://${reference}`, '--key', '../other/cosign.pub')).toMatchObject({ exitCode: 0 });
  });

  it('attests what kurel verifies', async () => {
    const reference = await push('attested by cosign');
    cosign.sign(reference, 'bundle');
    cosign.attest(reference, 'slsaprovenance1', { buildDefinition: {}, runDetails: {} });
    const { exitCode, stdout } = await kurel('verify', `oci://${reference}`, '--key', 'cosign.pub');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('attestation of key cosign.pub: https://slsa.dev/provenance/v1');
  });

  it('accepts attestations of kurel', async () => {
    const file = join(cosign.directory, 'web.yaml');
    writeFileSync(file, 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n  namespace: web\n');
    await runProgram(['build', 'web.yaml', '-o', 'output'], { workingDirectory: cosign.directory });
    const path = 'configmap-web-web.yaml';
    const bytes = readFileSync(join(cosign.directory, 'output', path));
    const { digest, blobs, manifest } = await createRenderedArtifact([{ path, bytes }], {});
    for (const blob of blobs) await repositoryOf().pushBlob(blob);
    await repositoryOf().pushManifest(manifest, { mediaType: manifestType });
    const reference = `${registry.host}/apps/web@${digest}`;
    const attested = await kurel('attest', `oci://${reference}`, 'web.yaml', '--key', 'cosign.key');
    expect(attested).toMatchObject({ exitCode: 0, stderr: '' });
    for (const type of ['slsaprovenance1', 'cyclonedx']) {
      const { payload } = JSON.parse(cosign.verifyAttestation(reference, type)) as { readonly payload: string };
      expect(Buffer.from(payload, 'base64').toString('utf8')).toContain(digest.slice('sha256:'.length));
    }
  });

  it('verifies the certificates of our tests', async () => {
    const reference = await push('with a certificate');
    const digest = reference.slice(reference.indexOf('@') + 1);
    const authority = await createAuthority();
    writeFileSync(join(cosign.directory, 'root.json'), JSON.stringify(authority.trustedRoot));
    const signer = { subject: 'https://example.com/release.yml', issuer: 'https://login.example.com' };
    const bundle = await authority.sign(createStatement({ digest, predicateType: signatureClaim }), signer);
    const { bytes, mediaType } = await repositoryOf().fetchManifest(digest);
    await pushReferrer(repositoryOf(), {
      subject: { digest, mediaType, size: bytes.length },
      artifactType: bundleType,
      content: new TextEncoder().encode(JSON.stringify(bundle)),
    });
    const verify = (identity: string): string =>
      cosign.run(
        'verify',
        '--allow-http-registry',
        '--trusted-root=root.json',
        `--certificate-identity=${identity}`,
        `--certificate-oidc-issuer=${signer.issuer}`,
        reference,
      );
    expect(verify(signer.subject)).toContain(digest);
    expect(() => verify('https://example.com/other.yml')).toThrow();
    const words = ['--identity', signer.subject, '--issuer', signer.issuer, '--trusted-root', 'root.json'];
    expect(await kurel('verify', `oci://${reference}`, ...words)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it.runIf(process.env['UPDATE_CASES'] === '1')('is recorded', async () => {
    const reference = await push('recorded');
    for (const form of ['tag', 'bundle'] as const) cosign.sign(reference, form);
    cosign.attest(reference, 'slsaprovenance1', { buildDefinition: {}, runDetails: {} });
    const [name, digest] = reference.split('@') as [string, string];
    const [signature] = await listTagSignatures(repositoryOf(), digest);
    const bundles = await listBundles(repositoryOf(), digest);
    const read = (file: string): string => readFileSync(join(cosign.directory, file), 'utf8');
    const recorded = {
      cosign: /GitVersion:\s*(\S+)/.exec(cosign.run('version'))![1],
      password: cosign.password,
      key: read('cosign.key'),
      publicKey: read('cosign.pub'),
      name,
      digest,
      payload: Buffer.from(signature!.payload).toString('utf8'),
      signature: Buffer.from(signature!.signature!).toString('base64'),
      bundles: bundles.map(({ bundle }) => (bundle as SigstoreBundle).data),
    };
    const file = join(import.meta.dirname, 'data', 'cosign', 'recorded.json');
    writeFileSync(file, `${JSON.stringify(recorded, undefined, 2)}\n`);
  });
});
