import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { pushReferrer } from '../src/registry/index.ts';
import type { Repository } from '../src/registry/index.ts';
import { createStatement, signatureClaim } from '../src/signing/index.ts';
import { bundleType } from '../src/signing/sigstore-bundle.ts';
import { openLocalRepository } from './local-repository.ts';
import { pushArtifact } from './memory-repository.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';
import { createAuthority } from './sigstore-authority.ts';
import { startRegistry } from './start-registry.ts';
import type { Registry } from './start-registry.ts';

const recorded: { readonly key: string; readonly password: string; readonly publicKey: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'data', 'cosign', 'recorded.json'), 'utf8'),
);

describeWithProgram('registry', 'kurel sign and kurel verify', () => {
  let directory = '';
  let registry: Registry;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'kurel-signing-'));
    registry = await startRegistry(directory);
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(join(directory, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(join(directory, 'key.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
    writeFileSync(join(directory, 'cosign.key'), recorded.key);
    writeFileSync(join(directory, 'cosign.pub'), recorded.publicKey);
  });

  afterAll(async () => {
    await registry?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const repositoryOf = (): Repository => openLocalRepository(registry.host, 'apps/web');

  async function push(content: string): Promise<string> {
    return `oci://${registry.host}/apps/web@${(await pushArtifact(repositoryOf(), content)).digest}`;
  }

  const run = async (words: readonly string[], { password, stdin = '' }: { password?: string; stdin?: string } = {}) =>
    await runProgram(words, {
      workingDirectory: directory,
      variables: { PATH: process.env['PATH'], COSIGN_PASSWORD: password },
      stdin,
    });
  const kurel = async (...words: readonly string[]): Promise<ProgramOutcome> =>
    await run([...words, '--allow-private']);

  it('agree', async () => {
    const reference = await push('signed');
    const unsigned = await kurel('verify', reference, '--key', 'key.pub');
    expect([unsigned.exitCode, unsigned.stdout]).toEqual([1, '']);
    expect(unsigned.stderr).toContain(`error[signature-missing]: ${reference} is not signed`);
    expect(await kurel('sign', reference, '--key', 'key.pem')).toEqual({
      exitCode: 0,
      stdout: `signed ${reference}\n`,
      stderr: '',
    });
    expect((await kurel('sign', reference, '--key', 'key.pem')).stdout).toBe(
      `${reference} is already signed with this key\n`,
    );
    const verified = `verified ${reference}\n  signature of key key.pub, tag\n  signature of key key.pub, bundle\n`;
    expect(await kurel('verify', reference, '--key', 'key.pub')).toEqual({ exitCode: 0, stdout: verified, stderr: '' });
    expect((await kurel('verify', reference, '--key', 'cosign.pub', '--key', 'key.pub')).stdout).toBe(verified);
    const { exitCode, stderr } = await kurel('verify', reference, '--key', 'cosign.pub');
    expect(exitCode).toBe(1);
    expect(stderr.match(/error\[signature-refused\]/g)).toHaveLength(2);
    expect(stderr).toContain('it was made with another key');
  });

  it('take tags, and print the digest', async () => {
    const { bytes, digest, mediaType } = await pushArtifact(repositoryOf(), 'tagged');
    await repositoryOf().pushManifest(bytes, { mediaType, tags: ['1.0'] });
    const reference = `oci://${registry.host}/apps/web`;
    const signed = await kurel('sign', `${reference}:1.0`, '--key', 'key.pem');
    expect(signed.stdout).toBe(`signed ${reference}@${digest}\n`);
    const verified = await kurel('verify', `${reference}:1.0`, '--key', 'key.pub');
    expect(verified.stdout).toContain(`verified ${reference}@${digest}\n`);
  });

  it('verify identities with a trusted root', async () => {
    const authority = await createAuthority();
    writeFileSync(join(directory, 'trusted_root.json'), JSON.stringify(authority.trustedRoot));
    const reference = await push('with a certificate');
    const digest = reference.slice(reference.indexOf('@') + 1);
    const signer = { subject: 'https://example.com/release.yml', issuer: 'https://login.example.com' };
    const statement = createStatement({ digest, predicateType: signatureClaim });
    const manifest = await repositoryOf().fetchManifest(digest);
    await pushReferrer(repositoryOf(), {
      subject: { ...manifest, size: manifest.bytes.length },
      artifactType: bundleType,
      content: new TextEncoder().encode(JSON.stringify(await authority.sign(statement, signer))),
    });
    const verify = async (identity: string, issuer: string): Promise<ProgramOutcome> => {
      const words = ['--identity', identity, '--issuer', issuer, '--trusted-root', 'trusted_root.json'];
      return await kurel('verify', reference, ...words);
    };
    expect(await verify(signer.subject, signer.issuer)).toEqual({
      exitCode: 0,
      stdout: `verified ${reference}\n  signature of ${signer.subject} (${signer.issuer}), bundle\n`,
      stderr: '',
    });
    expect((await verify('https://example.com/other.yml', signer.issuer)).stderr).toContain('it was made by');
    expect((await verify(signer.subject, 'https://other.example.com')).stderr).toContain('logged in at');
  });

  it('never show a key or password', async () => {
    const reference = await push('signed with a password');
    const words = ['sign', reference, '--key', 'cosign.key', '--allow-private'];
    const outcomes = [
      await run(words, { password: 'wrong-password' }),
      await run([...words, '--password-stdin'], { stdin: 'wrong-password\n' }),
      await run([...words, '--message-format', 'json'], { password: 'wrong-password' }),
      await run(words),
      await run(['sign', reference, '--key', 'cosign.pub', '--allow-private'], { password: recorded.password }),
      await run(['verify', reference, '--key', 'cosign.key', '--allow-private'], { password: recorded.password }),
      await run([...words, '--password-stdin'], { stdin: `${recorded.password}\n` }),
    ];
    expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1, 2, 1, 1, 0]);
    expect(outcomes[0]!.stderr).toContain('error[key-unusable]: cannot use "cosign.key": the password is wrong');
    expect(outcomes[3]!.stderr).toContain('COSIGN_PASSWORD');
    const secrets = ['wrong-password', recorded.password, ...recorded.key.split('\n').slice(1, -2)];
    const pushed = await repositoryOf().fetchManifest(
      `${reference.slice(reference.indexOf('sha256:')).replace(':', '-')}.sig`,
    );
    const shown = [
      ...outcomes.flatMap(({ stdout, stderr }) => [stdout, stderr]),
      new TextDecoder().decode(pushed.bytes),
    ];
    expect(secrets.filter((secret) => shown.some((text) => text.includes(secret)))).toEqual([]);
  });

  it.each([
    [['sign', 'REFERENCE'], '--key is missing'],
    [['sign', 'REFERENCE', '--key', 'key.pem', '--password', 'secret'], 'unknown flag'],
    [['verify', 'REFERENCE', '--key', 'key.pub', '--source', '.'], '--source needs --rebuild'],
    [['verify', 'REFERENCE'], 'a key or identity is missing'],
    [['verify', 'REFERENCE', '--identity', 'x'], '--identity needs --issuer'],
    [['verify', 'REFERENCE', '--identity', 'x', '--issuer', 'y'], '--identity needs --trusted-root'],
    [['verify', 'REFERENCE', '--issuer', 'y'], '--issuer needs --identity'],
    [['verify', 'REFERENCE', '--key', 'key.pub', '--trusted-root', 'x'], '--trusted-root needs --identity'],
    [['verify', 'REFERENCE', '--key', 'key.pub', '--identity', 'x'], 'mutually exclusive'],
  ])('refuse %j', async (words, message) => {
    const { exitCode, stderr } = await run(words);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  it('refuse what does not exist', async () => {
    const absent = `oci://${registry.host}/apps/web@sha256:${'0'.repeat(64)}`;
    expect((await kurel('verify', absent, '--key', 'key.pub')).stderr).toContain('error[registry-access]');
    expect((await run(['verify', absent, '--key', 'key.pub'])).stderr).toContain('--allow-private');
    expect((await kurel('verify', 'registry.example.com/x', '--key', 'key.pub')).stderr).toContain('oci://');
    expect((await kurel('verify', absent, '--key', 'kei.pub')).stderr).toContain('did you mean "key.pub"?');
  });
});
