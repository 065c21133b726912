import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createPackageArtifact, fetchPackage, pushArtifact } from '../src/artifact/index.ts';
import { createSignatureCheck, readProfileRules } from '../src/cli/signing/require-signatures.ts';
import { diagnosticsOf } from '../src/diagnostics/index.ts';
import { memoryFileSystem } from '../src/forms/index.ts';
import { readSigningKey } from '../src/host/index.ts';
import { openRepository } from '../src/registry/index.ts';
import { isRequired, isRuleMatch, signArtifact } from '../src/signing/index.ts';
import type { SigningKey } from '../src/signing/index.ts';
import { openLocalRepository } from './local-repository.ts';
import { createMemoryRegistry } from './memory-registry.ts';
import { publishedForm, publishedForms as forms } from './published-forms.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import { listFiles, repository as sources } from './source-tree.ts';
import { startRegistry } from './start-registry.ts';
import type { Registry } from './start-registry.ts';

const example = join(sources, 'examples/applications/web/package');

async function createPackage() {
  const paths = listFiles(example, '');
  const files = paths.map((path) => ({ path, bytes: new Uint8Array(readFileSync(join(example, path))) }));
  return await createPackageArtifact({
    form: publishedForm('application'),
    name: 'web',
    files,
    schema: '{}',
    annotations: {},
  });
}

function createKeys(): { readonly privateKey: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    publicKey: String(publicKey.export({ type: 'spki', format: 'pem' })),
  };
}

function profile(rules: string): string {
  const head = 'apiVersion: launcher.gokure.dev/v1alpha1\nkind: ClusterProfile\nmetadata:\n  name: x\n';
  return `${head}spec:\n  signatures:\n${rules}`;
}

interface Opening {
  readonly match?: string;
  readonly rules?: string;
  readonly isSigned?: boolean;
}

describe('a required signature', () => {
  const keys = createKeys();
  let key: SigningKey;
  beforeAll(async () => {
    key = await readSigningKey(keys.privateKey, async () => '');
  });
  const url = 'oci://registry.example.com/packages/web';

  /** Pushes a package, and fetches it with a profile that requires a signature of the key. */
  async function open({ match = `${url}/*`, isSigned = false, rules: given }: Opening) {
    const rules = given ?? `    - match: ${match}\n      keys: [keys/cosign.pub]\n`;
    const { access, requests } = createMemoryRegistry();
    const artifact = await createPackage();
    const repository = openRepository({ host: 'registry.example.com', path: 'packages/web' }, access, 'pull,push');
    await pushArtifact(artifact, repository, { url, tags: ['1.0'], force: false });
    const manifest = await repository.fetchManifest(artifact.digest);
    if (isSigned) await signArtifact({ repository, name: 'registry.example.com/packages/web', manifest }, key);
    const before = requests.length;
    const fileSystem = memoryFileSystem({
      'platform/profile.yaml': profile(rules),
      'platform/keys/cosign.pub': keys.publicKey,
    });
    const required = [await readProfileRules('platform/profile.yaml', fileSystem)];
    const verify = createSignatureCheck(required, { access, fileSystem });
    const outcome: unknown = await fetchPackage(`${url}:1.0`, access, { forms, verify }).then(
      () => 'fetched',
      (error: unknown) => diagnosticsOf(error) ?? error,
    );
    const blobs = requests.slice(before).filter((one) => one.includes('/blobs/')).length;
    return { outcome, blobs };
  }

  it('is verified before anything of the package is fetched', async () => {
    const { outcome, blobs } = await open({ match: url });
    expect(outcome).toMatchObject([
      {
        code: 'signature-required',
        message: expect.stringMatching(/must be signed, as "oci:.*" requires: it has no signature$/),
        location: { file: 'platform/profile.yaml', path: ['spec', 'signatures', 0] },
      },
    ]);
    expect(blobs).toBe(0);
  });

  it('can be of one of several keys, in files or in PEM', async () => {
    expect(await open({ match: url, isSigned: true })).toMatchObject({ outcome: 'fetched' });
    const pem = (text: string): string => JSON.stringify(text);
    const two = `    - match: oci://*\n      keys: [${pem(createKeys().publicKey)}, ${pem(keys.publicKey)}]\n`;
    expect(await open({ rules: two, isSigned: true })).toMatchObject({ outcome: 'fetched' });
    const other = `    - match: oci://*\n      keys: [${pem(createKeys().publicKey)}]\n`;
    const { outcome } = await open({ rules: other, isSigned: true });
    expect(JSON.stringify(outcome)).toContain('it was made with another key');
  });

  it('is not required of other packages', async () => {
    expect(await open({ match: `${url}/other` })).toMatchObject({ outcome: 'fetched' });
  });

  it('is required by every rule that matches', async () => {
    const rules = [
      `    - match: oci://*\n      keys: [keys/cosign.pub]\n`,
      `    - match: oci://registry.example.com/packages/*\n      keys: [${JSON.stringify(createKeys().publicKey)}]\n`,
    ].join('');
    const { outcome } = await open({ rules, isSigned: true });
    expect(outcome).toMatchObject([{ location: { path: ['spec', 'signatures', 1] } }]);
  });

  it('needs a key that can be read, and a profile without errors', async () => {
    const { outcome } = await open({ rules: '    - match: oci://*\n      keys: [missing.pub]\n' });
    expect(outcome).toMatchObject([{ code: 'file-unreadable' }]);
    await expect(open({ rules: '    - match: oci://*\n' })).rejects.toThrow('the rule trusts nobody');
  });
});

describe('the match of a rule', () => {
  it.each([
    ['oci://*', 'any.example.com/x', true],
    ['oci://r.example.com/*', 'r.example.com/x/y', true],
    ['oci://r.example.com/*', 'R.Example.COM:443/x', true],
    // Requests for all of these go to the same server.
    ['oci://r.example.com/*', 'r.example.com:0443/x', true],
    ['oci://R.example.com:00443/*', 'r.example.com/x', true],
    ['oci://r.example.com:5000/*', 'r.example.com:05000/x', true],
    ['oci://10.0.0.1/*', '10.1/x', true],
    ['oci://10.0.0.1/*', '0xa.0.0.1:443/x', true],
    ['oci://[fd00::1]/*', '[FD00:0:0::0001]/x', true],
    ['oci://r.example.com/*', 'r.example.com:5000/x', false],
    ['oci://r.example.com/*', 'r.example.com.evil.com/x', false],
    ['oci://r.example.com/a/*', 'r.example.com/ab', false],
    ['oci://r.example.com/a/*', 'r.example.com/a', false],
    ['oci://r.example.com/a', 'r.example.com/a', true],
    ['oci://r.example.com/a', 'r.example.com/a/b', false],
    ['oci://docker.io/library/*', 'index.docker.io/library/web', true],
    ['oci://docker.io/library/*', 'registry-1.docker.io/library/web', true],
  ])('%s, %s: %s', (match, name, expected) => {
    expect(isRuleMatch(match)).toBe(true);
    expect(isRequired({ match }, name)).toBe(expected);
  });

  it.each([
    '',
    'oci://',
    'oci://host',
    'https://host/x',
    'oci://host/x:1.0',
    'oci://host/x@sha256:00',
    'oci://host/*/x',
    'oci://host/x*',
    'oci://*/x',
    'oci://host/',
    // No reference can have these, so the rule would be for nothing.
    'oci://host/Team/*',
    'oci://host//x',
    'oci://host/./x',
    'oci://ho_st/x',
    'oci://host./x',
    'oci://user@host/x',
  ])('%s is not valid', (match) => {
    expect(isRuleMatch(match)).toBe(false);
  });
});

describeWithProgram('registry', 'a profile that requires signatures', () => {
  let directory = '';
  let registry: Registry;
  const keys = createKeys();

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'kurel-required-'));
    registry = await startRegistry(directory);
    cpSync(join(sources, 'examples/applications'), join(directory, 'applications'), { recursive: true });
    const gateway = readFileSync(join(directory, 'applications/web/gateway.yaml'), 'utf8');
    const rule = `  signatures:\n    - match: oci://${registry.host}/*\n      keys: [cosign.pub]\n`;
    mkdirSync(join(directory, 'platform'));
    writeFileSync(join(directory, 'platform/profile.yaml'), gateway.replace(/^spec:\n/m, `spec:\n${rule}`));
    writeFileSync(join(directory, 'platform/cosign.pub'), keys.publicKey);
    writeFileSync(join(directory, 'key.pem'), keys.privateKey);
  });

  afterAll(async () => {
    await registry?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('refuses a package until it is signed', async () => {
    const artifact = await createPackage();
    const url = `oci://${registry.host}/packages/web`;
    const repository = openLocalRepository(registry.host, 'packages/web');
    await pushArtifact(artifact, repository, { url, tags: ['1.0'], force: false });
    const reference = `${url}@${artifact.digest}`;
    const run = async (...words: readonly string[]) =>
      await runProgram([...words, '--allow-private'], { workingDirectory: directory });
    const build = async () =>
      await run('build', reference, '--profile', 'platform/profile.yaml', '--values', 'applications/shop/staging.yaml');
    const refused = await build();
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('error[signature-required]');
    expect(refused.stderr).toContain('platform/profile.yaml:');
    expect(await run('sign', reference, '--key', 'key.pem')).toMatchObject({ exitCode: 0 });
    expect(await build()).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('can be in a revision of git, with its keys', async () => {
    const git = (...words: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...words], { cwd: directory });
    git('init', '--quiet');
    git('add', 'platform');
    git('commit', '--quiet', '--message', 'platform');
    const artifact = await createPackage();
    const url = `oci://${registry.host}/packages/revision`;
    const repository = openLocalRepository(registry.host, 'packages/revision');
    await pushArtifact(artifact, repository, { url, tags: ['1.0'], force: false });
    const reference = `${url}@${artifact.digest}`;
    const run = async (...words: readonly string[]) =>
      await runProgram([...words, '--allow-private'], { workingDirectory: directory });
    const profiles = ['--profile-a', 'HEAD:platform/profile.yaml', '--profile-b', 'platform/profile.yaml'];
    const diff = async () => await run('diff', reference, ...profiles, '--values', 'applications/shop/staging.yaml');
    const refused = await diff();
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('error[signature-required]');
    expect(refused.stderr).toContain('--> HEAD:platform/profile.yaml:');
    expect(await run('sign', reference, '--key', 'key.pem')).toMatchObject({ exitCode: 0 });
    expect(await diff()).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('applies to fleets, like the rules of a fleet file', async () => {
    const url = `oci://${registry.host}/packages/fleet`;
    const run = async (...words: readonly string[]) => await runProgram(words, { workingDirectory: directory });
    expect(await run('push', 'applications/web/package', `${url}:1.0`, '--allow-private')).toMatchObject({
      exitCode: 0,
    });
    const { digest } = await openLocalRepository(registry.host, 'packages/fleet').fetchManifest('1.0');
    const target = `  targets:
    - name: web
      package: ${url}@${digest}
      profile: PROFILE
      values: [applications/shop/staging.yaml]
      output: out
`;
    const head = 'apiVersion: launcher.gokure.dev/v1alpha1\nkind: Fleet\nspec:\n';
    const rule = `  signatures:\n    - match: ${url}\n      keys: [platform/cosign.pub]\n`;
    const write = (rules: string, file: string): void =>
      writeFileSync(join(directory, 'kurel.fleet.yaml'), head + rules + target.replace('PROFILE', file));
    const build = async (...words: readonly string[]) => await run('fleet', 'build', ...words);

    write('', 'applications/web/gateway.yaml');
    expect(await build('--allow-private')).toMatchObject({ exitCode: 0 });
    // A new rule is for what was built before, too.
    write(rule, 'applications/web/gateway.yaml');
    const byFleet = await build('--allow-private');
    expect(byFleet.exitCode).toBe(1);
    expect(byFleet.stderr).toContain('error[signature-required]');
    expect(byFleet.stderr).toContain('kurel.fleet.yaml:5');
    expect((await run('vendor', 'kurel.fleet.yaml', '--allow-private')).stderr).toContain('error[signature-required]');
    write('', 'platform/profile.yaml');
    const byProfile = await build('--allow-private');
    expect(byProfile.exitCode).toBe(1);
    expect(byProfile.stderr).toContain('platform/profile.yaml');
    // Another target has no such rule for the same package.
    const other = target.replace('PROFILE', 'applications/web/gateway.yaml').replace('out\n', 'other\n');
    const own = target.replace('PROFILE', 'platform/profile.yaml').replace(/.*\n/, '').replace('web', 'web2');
    writeFileSync(join(directory, 'kurel.fleet.yaml'), head + other + own);
    expect((await run('vendor', 'kurel.fleet.yaml', '--allow-private')).stderr).toContain('error[signature-required]');

    await run('sign', `${url}@${digest}`, '--key', 'key.pem', '--allow-private');
    write(rule, 'platform/profile.yaml');
    expect(await build('--allow-private')).toMatchObject({ exitCode: 0 });
    expect(await run('vendor', 'kurel.fleet.yaml', '--allow-private')).toMatchObject({ exitCode: 0 });
    // Compares files, for which no signature is needed.
    expect(await run('vendor', 'kurel.fleet.yaml', '--check')).toMatchObject({ exitCode: 0, stderr: '' });
    write(rule, 'applications/web/gateway.yaml');
    const offline = await build('--offline');
    expect(offline.exitCode).toBe(1);
    expect(offline.stderr).toContain('signatures cannot be verified without the network');
  });

  it('applies to what is up to date, if a key or a profile changes', async () => {
    const variables = { XDG_CACHE_HOME: join(directory, 'cache') };
    const run = async (...words: readonly string[]) =>
      await runProgram([...words, '--allow-private'], { workingDirectory: directory, variables });
    const url = `oci://${registry.host}/packages/again`;
    // A patch package has no profile itself, so the build does not read it.
    await run('push', join(sources, 'examples/packages/hello.kurel'), `${url}:1.0`);
    const { digest } = await openLocalRepository(registry.host, 'packages/again').fetchManifest('1.0');
    await run('sign', `${url}@${digest}`, '--key', 'key.pem');
    writeFileSync(
      join(directory, 'again.yaml'),
      `apiVersion: launcher.gokure.dev/v1alpha1
kind: Fleet
spec:
  defaults:
    profile: again/profile.yaml
  targets:
    - name: again
      package: ${url}@${digest}
      output: again/out
`,
    );
    mkdirSync(join(directory, 'again'));
    const set = (file: string, text: string): void => writeFileSync(join(directory, 'again', file), text);
    const build = async () => await run('fleet', 'build', '--fleet', 'again.yaml');
    const head = profile('').replace('  signatures:\n', '  capabilities: {}\n');
    set('profile.yaml', head);
    set('cosign.pub', keys.publicKey);
    expect(await build()).toMatchObject({ exitCode: 0 });
    set('profile.yaml', `${head}  signatures:\n    - match: ${url}\n      keys: [cosign.pub]\n`);
    set('cosign.pub', createKeys().publicKey);
    expect((await build()).stderr).toContain('error[signature-required]');
    set('cosign.pub', keys.publicKey);
    expect(await build()).toMatchObject({ exitCode: 0 });
    expect((await build()).stderr).toContain('up to date');
    set('cosign.pub', createKeys().publicKey);
    expect((await build()).stderr).toContain('error[signature-required]');
  });
});
