import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import { createRenderedArtifact, pushArtifact } from '../src/artifact/index.ts';
import { readSigningKey } from '../src/host/index.ts';
import type { JsonObject } from '../src/model/index.ts';
import { indexType, manifestType, pushReferrer } from '../src/registry/index.ts';
import type { Repository } from '../src/registry/index.ts';
import { attachStatement, createStatement, provenanceClaim } from '../src/signing/index.ts';
import { listBundles, tagOfSignatures } from '../src/signing/list-signatures.ts';
import { bundleType } from '../src/signing/sigstore-bundle.ts';
import type { SigstoreBundle } from '../src/signing/sigstore-bundle.ts';
import { openLocalRepository } from './local-repository.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';
import { listFiles, repository as sources } from './source-tree.ts';
import { startRegistry } from './start-registry.ts';
import type { Registry } from './start-registry.ts';

type Files = Readonly<Record<string, string>>;

/** What somebody with the key can change about an attestation. */
interface Predicate {
  readonly buildDefinition: {
    readonly externalParameters: { directory: string; path: string; flags: readonly string[] };
    readonly resolvedDependencies: readonly { readonly name: string }[];
  };
  readonly runDetails: { readonly builder: { readonly version: { kurel: string } } };
}

describeWithProgram('registry', 'an attested build', () => {
  let home = '';
  let directory = '';
  let registry: Registry;
  let count = 0;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'kurel-rebuild-'));
    registry = await startRegistry(home);
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(join(home, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(join(home, 'key.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  });

  // A checkout of the examples, with a directory for each test.
  beforeEach(() => {
    count += 1;
    directory = join(home, `checkout-${count}`);
    mkdirSync(join(directory, '.git'), { recursive: true });
    for (const name of ['plain', 'applications', 'packages', 'chart', 'kustomize', 'patch']) {
      cpSync(join(sources, 'examples', name), join(directory, 'examples', name), { recursive: true });
    }
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  afterAll(async () => {
    await registry?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const kurel = async (...words: readonly string[]): Promise<ProgramOutcome> =>
    await runProgram(words, { workingDirectory: directory });
  const openOwn = (): Repository => openLocalRepository(registry.host, `apps/web-${count}`);

  /** The files that a build writes. */
  async function build(...words: readonly string[]): Promise<Files> {
    const output = join(home, `output-${count}`);
    rmSync(output, { recursive: true, force: true });
    const { exitCode, stderr } = await kurel('build', ...words, '-o', output);
    expect(exitCode, stderr).toBe(0);
    const paths = listFiles(output, '').filter((path) => !path.startsWith('.kurel'));
    return Object.fromEntries(paths.map((path) => [path, readFileSync(join(output, path), 'utf8')]));
  }

  /** Pushes files as `kurel push --rendered` does; returns the reference. */
  async function push(files: Files): Promise<string> {
    const list = Object.entries(files).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }));
    const artifact = await createRenderedArtifact(list, {});
    const url = `oci://${registry.host}/apps/web-${count}`;
    await pushArtifact(artifact, openOwn(), { url, tags: ['1.0'], force: true });
    return `${url}@${artifact.digest}`;
  }

  const sign = async (reference: string): Promise<ProgramOutcome> =>
    await kurel('sign', reference, '--key', '../key.pem', '--allow-private');
  const attest = async (reference: string, ...words: readonly string[]): Promise<ProgramOutcome> =>
    await kurel('attest', reference, ...words, '--key', '../key.pem', '--allow-private');
  const verify = async (reference: string, ...words: readonly string[]): Promise<ProgramOutcome> =>
    await kurel('verify', reference, '--key', '../key.pub', '--rebuild', '--allow-private', ...words);

  async function publish(...words: readonly string[]): Promise<string> {
    const reference = await push(await build(...words));
    expect(await sign(reference)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await attest(reference, ...words)).toEqual({ exitCode: 0, stdout: `attested ${reference}\n`, stderr: '' });
    return reference;
  }

  async function findProvenance(reference: string): Promise<Predicate> {
    const texts = (await listBundles(openOwn(), digestOf(reference))).map(({ bundle }) =>
      new TextDecoder().decode((bundle as SigstoreBundle).envelope.payload),
    );
    const statements = texts.map((text) => JSON.parse(text) as { predicateType: string; predicate: Predicate });
    return statements.find(({ predicateType }) => predicateType === provenanceClaim)!.predicate;
  }

  /** Attests with the key of the publisher. */
  async function attach(reference: string, predicate: Predicate): Promise<void> {
    const key = await readSigningKey(readFileSync(join(home, 'key.pem'), 'utf8'), async () => '');
    const digest = digestOf(reference);
    const artifact = { repository: openOwn(), name: '', manifest: await openOwn().fetchManifest(digest) };
    const claimed = predicate as unknown as JsonObject;
    const statement = createStatement({ digest, predicateType: provenanceClaim, predicate: claimed });
    await attachStatement(artifact, statement, key);
  }

  /** Removes all that is attached to an artifact, and signs it again. */
  async function removeAttached(reference: string): Promise<void> {
    const index = { schemaVersion: 2, mediaType: indexType, manifests: [] };
    const bytes = new TextEncoder().encode(JSON.stringify(index));
    const tag = digestOf(reference).replace(':', '-');
    await openOwn().pushManifest(bytes, { mediaType: indexType, tags: [tag] });
    await sign(reference);
  }

  const application = [
    'examples/applications/web/package',
    '--profile',
    'examples/applications/web/gateway.yaml',
    '--values',
    'examples/applications/shop/staging.yaml',
  ];

  it.each([
    [['examples/plain']],
    [['examples/plain', '--label', 'team=shop', '--kind', 'Deployment', '--strict']],
    [application],
    [['examples/packages/hello.kurel']],
    [['examples/packages/gitea.kurel', '--layout', 'flux']],
    [['examples/chart', '--set', 'replicas=2']],
    [['examples/kustomize/overlays/production']],
    [['examples/plain', '--patch', 'examples/patch/night.kpatch']],
  ])('gives the same bytes again: %j', async (words) => {
    const reference = await publish(...words);
    const { exitCode, stdout, stderr } = await verify(reference);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^rebuilt from \d+ inputs?: \d+ files?, all equal$/m);
    expect(await attest(reference, ...words)).toMatchObject({
      stdout: `${reference} is already attested with this key\n`,
    });
  });

  it('is what kurel push --rendered pushes, also from a package in a registry', async () => {
    const url = `oci://${registry.host}/apps/web-${count}`;
    const [path, ...flags] = application;
    const source = `oci://${registry.host}/packages/web-${count}`;
    const pushed = await kurel('push', path!, `${source}:1.0`, '--allow-private');
    expect(pushed.exitCode, pushed.stderr).toBe(0);
    for (const input of [path!, pushed.stdout.trim()]) {
      const rendered = await kurel('push', '--rendered', input, `${url}:1.0`, '--force', ...flags, '--allow-private');
      expect(rendered.exitCode, rendered.stderr).toBe(0);
      const reference = rendered.stdout.trim();
      await sign(reference);
      expect(await attest(reference, input, ...flags)).toMatchObject({ exitCode: 0, stderr: '' });
      const { exitCode, stderr } = await verify(reference);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    }
  });

  it('can have been built from other files before', async () => {
    const reference = await publish('examples/plain');
    cpSync(join(directory, 'examples/plain'), join(directory, 'copy'), { recursive: true });
    expect(await attest(reference, 'copy')).toMatchObject({ exitCode: 0 });
    rmSync(join(directory, 'copy'), { recursive: true });
    expect(await verify(reference)).toMatchObject({ exitCode: 0, stderr: '' });
    rmSync(join(directory, 'examples/plain'), { recursive: true });
    expect((await verify(reference)).stderr).toContain('"copy/');
  });

  it('does not depend on where credentials are', async () => {
    const url = `oci://${registry.host}/packages/private-${count}`;
    const [path, ...flags] = application;
    const { stdout } = await kurel('push', path!, `${url}:1.0`, '--allow-private');
    writeFileSync(join(home, 'config.json'), '{}');
    const config = ['--registry-config', '../config.json'];
    const words = [stdout.trim(), ...flags];
    const reference = await push(await build(...words, '--allow-private'));
    await sign(reference);
    expect(await attest(reference, ...words, ...config)).toMatchObject({ exitCode: 0, stderr: '' });
    const { externalParameters } = (await findProvenance(reference)).buildDefinition;
    expect(JSON.stringify(externalParameters)).not.toContain('config.json');
    expect(await verify(reference, ...config)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('can be repeated in another directory', async () => {
    const reference = await publish(...application);
    const other = join(home, 'elsewhere');
    cpSync(directory, other, { recursive: true });
    rmSync(directory, { recursive: true });
    mkdirSync(directory);
    expect(await verify(reference, '--source', '../elsewhere')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('lists every input by digest, and the images', async () => {
    const reference = await publish(...application);
    const provenance = await findProvenance(reference);
    expect(provenance.buildDefinition.externalParameters).toEqual({
      directory: '.',
      path: application[0],
      flags: [`--values=${application[4]}`, `--profile=${application[2]}`],
    });
    const names = provenance.buildDefinition.resolvedDependencies.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([application[2], application[4], `${application[0]}/app.yaml`]));
    expect(names.every((name) => name.startsWith('examples/'))).toBe(true);
    expect(provenance.runDetails.builder.version.kurel).toMatch(/^\d+\.\d+\.\d+/);
    const types = (await openOwn().listReferrers(digestOf(reference))).map(({ artifactType }) => artifactType);
    expect(types).toContain('application/vnd.cyclonedx+json');
    const { stdout } = await verify(reference);
    expect(stdout).toContain('attestation of key ../key.pub: https://cyclonedx.org/bom');
  });

  it('is repeated with another version of kurel, with a warning', async () => {
    const reference = await publish('examples/plain');
    await claim(reference, (predicate) => void (predicate.runDetails.builder.version.kurel = '0.1.0'));
    const { exitCode, stderr } = await verify(reference);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('warning[rebuild-version]: the artifact was built with kurel 0.1.0');
  });

  /** Replaces the provenance by another one that the same key signs, as somebody would who does not tell the truth. */
  async function claim(reference: string, change: (predicate: Predicate) => void): Promise<void> {
    const predicate = await findProvenance(reference);
    change(predicate);
    await removeAttached(reference);
    await attach(reference, predicate);
  }

  /** Attests what another artifact was built from, with the key of the publisher. */
  async function publishOther(change: (files: Record<string, string>) => void): Promise<string> {
    const predicate = await findProvenance(await publish('examples/plain'));
    const files: Record<string, string> = { ...(await build('examples/plain')) };
    change(files);
    const reference = await push(files);
    await sign(reference);
    await attach(reference, predicate);
    return reference;
  }

  const edit = (path: string, change: (text: string) => string): void =>
    writeFileSync(join(directory, path), change(readFileSync(join(directory, path), 'utf8')));

  interface Tampering {
    readonly does: string;
    readonly run: () => Promise<string>;
    readonly says: readonly string[];
  }

  const tamperings: readonly Tampering[] = [
    {
      does: 'changes a field of a file',
      run: async () =>
        await publishOther((files) => {
          const path = Object.keys(files).find(
            (one) => /deployment.*frontend|frontend/i.test(one) && files[one]!.includes('replicas:'),
          )!;
          files[path] = files[path]!.replace(/replicas: (\d+)/, 'replicas: 99');
        }),
      says: ['error[rebuild-file]', 'spec.replicas', '→ 99'],
    },
    {
      does: 'adds a file',
      run: async () =>
        await publishOther(
          (files) => void (files['backdoor.yaml'] = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n'),
        ),
      says: ['error[rebuild-file]: "backdoor.yaml" is in the artifact, but the build does not give it'],
    },
    {
      does: 'removes a file',
      run: async () => await publishOther((files) => void delete files[Object.keys(files)[0]!]),
      says: ['error[rebuild-file]', 'is not in the artifact, but the build gives it'],
    },
    {
      does: 'changes only a comment',
      run: async () =>
        await publishOther((files) => void (files[Object.keys(files)[0]!] = `# x\n${Object.values(files)[0]!}`)),
      says: ['error[rebuild-file]', 'only the text, in line 1'],
    },
    {
      does: 'changes a values file',
      run: async () => {
        const reference = await publish(...application);
        edit(application[4]!, (text) => `${text}\n# changed\n`);
        return reference;
      },
      says: [`error[rebuild-input]: "${application[4]}" differs from the attested input`],
    },
    {
      does: 'changes a file of the package',
      run: async () => {
        const reference = await publish(...application);
        edit('examples/applications/web/package/app.yaml', (text) => text.replace('replicas', 'replicas '));
        return reference;
      },
      says: ['error[rebuild-input]: "examples/applications/web/package/app.yaml" differs from the attested input'],
    },
    {
      does: 'removes an input',
      run: async () => {
        const reference = await publish(...application);
        rmSync(join(directory, application[2]!));
        return reference;
      },
      says: [`error[rebuild-input]: "${application[2]}" is attested as an input, but does not exist`],
    },
    {
      does: 'adds an input',
      run: async () => {
        const reference = await publish('examples/plain');
        writeFileSync(
          join(directory, 'examples/plain/more.yaml'),
          'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: more\n  namespace: shop\n',
        );
        return reference;
      },
      says: ['"examples/plain/more.yaml" is read by the build, but is not attested as an input', 'error[rebuild-file]'],
    },
    {
      does: 'attests other options',
      run: async () => {
        const reference = await publish('examples/plain', '--label', 'team=shop');
        await claim(reference, (predicate) => {
          predicate.buildDefinition.externalParameters.flags = ['--label=team=other'];
        });
        return reference;
      },
      says: ['error[rebuild-file]', 'metadata.labels.team: other → shop'],
    },
    {
      does: 'attests options that do not exist',
      run: async () => {
        const reference = await publish('examples/plain');
        await claim(reference, (predicate) => {
          predicate.buildDefinition.externalParameters.flags = ['--exec=evil'];
        });
        return reference;
      },
      says: ['error[rebuild-failed]: the attested build fails: unknown flag "--exec"'],
    },
    ...[
      ['--allow-private', 'the attested build fails: "--allow-private" cannot be attested'],
      ['--registry-config=config.json', 'the attested build fails: "--registry-config=config.json" cannot be attested'],
      ['--output=out', 'the attested build fails: "--output=out" cannot be attested'],
      ['--values=/etc/hostname', '"/etc/hostname" is outside'],
      ['--values=../../secret.yaml', '"../../secret.yaml" is outside'],
      ['--patch=-', 'it reads standard input'],
    ].map(([flag, says]): Tampering => ({
      does: `attests ${flag}`,
      run: async () => {
        const reference = await publish('examples/plain');
        await claim(reference, (predicate) => {
          predicate.buildDefinition.externalParameters.flags = [flag!];
        });
        return reference;
      },
      says: ['error[rebuild-failed]', says!],
    })),
    {
      does: 'attests a path elsewhere',
      run: async () => {
        const reference = await publish('examples/plain');
        await claim(reference, (predicate) => {
          predicate.buildDefinition.externalParameters.path = '/etc';
        });
        return reference;
      },
      says: ['error[rebuild-failed]', '"/etc" is outside'],
    },
    {
      does: 'attests a directory elsewhere',
      run: async () => {
        const reference = await publish('examples/plain');
        await claim(reference, (predicate) => {
          predicate.buildDefinition.externalParameters.directory = '../../etc';
        });
        return reference;
      },
      says: ['error[rebuild-failed]: the attested build fails: its directory is outside the repository'],
    },
    {
      does: 'attests another version of kurel',
      run: async () => {
        const reference = await publish('examples/plain');
        await claim(reference, (predicate) => {
          predicate.runDetails.builder.version.kurel = '0.1.0';
          predicate.buildDefinition.externalParameters.flags = ['--label=team=other'];
        });
        return reference;
      },
      says: ['error[rebuild-version]: the artifact was built with kurel 0.1.0', 'error[rebuild-file]'],
    },
    {
      does: 'moves the tag to another artifact',
      run: async () => {
        await publish('examples/plain');
        await push({ 'a.yaml': 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n' });
        return `oci://${registry.host}/apps/web-${count}:1.0`;
      },
      says: ['error[signature-missing]'],
    },
    {
      does: 'uses the signature of another artifact',
      run: async () => {
        const original = await publish('examples/plain');
        const reference = await push({ 'a.yaml': 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n' });
        const { bytes } = await openOwn().fetchManifest(tagOfSignatures(digestOf(original)));
        const tag = tagOfSignatures(digestOf(reference));
        await openOwn().pushManifest(bytes, { mediaType: manifestType, tags: [tag] });
        return reference;
      },
      says: ['error[signature-refused]', 'it is for sha256:'],
    },
    {
      does: 'swaps the layer',
      run: async () => {
        // Content of its own: repositories share what is equal.
        const reference = await publish('examples/plain', '--label', 'swapped=yes');
        const { layers } = (await openOwn().fetchManifest(digestOf(reference))).data;
        const hex = (layers as unknown as readonly [{ readonly digest: string }])[0].digest.slice('sha256:'.length);
        const blob = join(home, 'storage/docker/registry/v2/blobs/sha256', hex.slice(0, 2), hex, 'data');
        const bytes = readFileSync(blob);
        bytes[bytes.length - 1]! ^= 1;
        writeFileSync(blob, bytes);
        return reference;
      },
      says: ['error[registry-access]', 'the digest must be sha256:'],
    },
    {
      does: 'changes the attestation',
      run: async () => {
        const reference = await publish('examples/plain');
        const repository = openOwn();
        const bundles = await listBundles(repository, digestOf(reference));
        const { data, envelope } = bundles.find(({ bundle }) =>
          new TextDecoder().decode((bundle as SigstoreBundle).envelope.payload).includes(provenanceClaim),
        )!.bundle as SigstoreBundle;
        const text = new TextDecoder().decode(envelope.payload).replace('"examples/plain"', '"examples/policy"');
        const changed = { ...(data['dsseEnvelope'] as JsonObject), payload: Buffer.from(text).toString('base64') };
        await removeAttached(reference);
        const manifest = await openOwn().fetchManifest(digestOf(reference));
        await pushReferrer(openOwn(), {
          subject: { ...manifest, size: manifest.bytes.length },
          artifactType: bundleType,
          content: new TextEncoder().encode(JSON.stringify({ ...data, dsseEnvelope: changed })),
        });
        return reference;
      },
      says: ['error[attestation-refused]', 'its content was changed after it was signed'],
    },
    {
      does: 'has no attestation',
      run: async () => {
        const reference = await push(await build('examples/plain'));
        await sign(reference);
        return reference;
      },
      says: ['error[attestation-missing]'],
    },
    {
      does: 'has the attestation of another key',
      run: async () => {
        const reference = await push(await build('examples/plain'));
        await sign(reference);
        const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
        writeFileSync(join(directory, 'other.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
        await kurel('attest', reference, 'examples/plain', '--key', 'other.pem', '--allow-private');
        return reference;
      },
      says: ['error[attestation-refused]', 'it was made with another key'],
    },
  ];

  it.each(tamperings)('is refused if somebody $does', async ({ run, says }) => {
    const { exitCode, stdout, stderr } = await verify(await run());
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    for (const words of says) expect(stderr).toContain(words);
  });

  it('is not attested if it is another one', async () => {
    const reference = await push(await build('examples/plain'));
    const { exitCode, stderr } = await attest(reference, 'examples/plain', '--label', 'team=shop');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('error[attestation-different]');
    expect(stderr).toContain('metadata.labels.team');
  });

  it('is not attested with the value of a Secret', async () => {
    writeFileSync(
      join(directory, 'secret.yaml'),
      'apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\n  namespace: x\nstringData:\n  token: hunter2-hunter2\n',
    );
    const reference = await push(await build('examples/plain'));
    const { exitCode, stderr } = await attest(reference, 'secret.yaml', '--label', 'used=hunter2-hunter2');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('the value of --label used may be a secret');
    expect(stderr).not.toContain('hunter2');
  });

  it.each([
    [['-'], 'it reads standard input'],
    [['../outside.yaml'], '"../outside.yaml" is outside'],
    [['examples/plain', '--set', 'db.password=hunter2'], 'the value of --set db.password may be a secret'],
    [['oci://registry.example.com/web:1.0'], 'has a tag'],
  ])('is not attested with %j', async (words, message) => {
    const reference = await push(await build('examples/plain'));
    const { exitCode, stderr } = await attest(reference, ...words);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('hunter2');
  });
});

function digestOf(reference: string): string {
  return reference.slice(reference.indexOf('sha256:'));
}
