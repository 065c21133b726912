import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { readFiles } from './fleet-project.ts';
import { openRawRepository } from './raw-repository.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import { repository } from './source-tree.ts';
import { startControlPlane } from './start-control-plane.ts';
import type { ControlPlane } from './start-control-plane.ts';
import { startRegistry } from './start-registry.ts';
import type { Registry } from './start-registry.ts';
import type { Server } from './start-server.ts';
import { startSourceController } from './start-source-controller.ts';

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

interface Source {
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly lastHandledReconcileAt?: string;
    readonly artifact?: {
      readonly revision: string;
      readonly digest: string;
      readonly url: string;
      readonly metadata?: Readonly<Record<string, string>>;
    };
  };
}

const examples = join(repository, 'examples');
const web = join(examples, 'applications', 'web');
const inputs: Readonly<Record<string, readonly string[]>> = {
  application: [
    join(web, 'package'),
    `--profile=${join(web, 'ingress.yaml')}`,
    `--values=${join(web, 'package/examples/minimal.yaml')}`,
  ],
  'patch package': [join(examples, 'packages/gitea.kurel'), '--layout=flux', '--flux-source=OCIRepository/gitea'],
  chart: [join(examples, 'chart'), '--layout=by-kind'],
  // Such a path is in an extended header of the archive.
  'long name': ['long.yaml', '--layout=flat'],
};
const long = `apiVersion: v1
kind: ConfigMap
metadata: {name: ${'long-'.repeat(40)}name, namespace: long}
data: {text: genuine}
`;
const annotations = {
  'org.opencontainers.image.source': 'https://git.example.com/shop',
  'org.opencontainers.image.revision': `main@sha1:${'0'.repeat(40)}`,
};
const secret = 'signers';
const sources = '/apis/source.toolkit.fluxcd.io/v1/namespaces/flux/ocirepositories';

describeWithProgram('control-plane', 'an artifact of kurel in a real cluster', () => {
  describeWithProgram('source-controller', 'with the source controller of Flux', () => {
    const place = mkdtempSync(join(tmpdir(), 'kurel-flux-'));
    let registry: Registry;
    let plane: ControlPlane;
    let controller: Server;
    let count = 0;

    beforeAll(async () => {
      writeFileSync(join(place, 'long.yaml'), long);
      for (const name of ['own', 'other']) createKey(name);
      registry = await startRegistry(place);
      plane = await startControlPlane(join(place, 'cluster'));
      const create = (path: string, body: object) => plane.cluster.get(path, { method: 'POST', body });
      await create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'flux' } });
      const stringData = { 'own.pub': readFileSync(join(place, 'own.pub'), 'utf8') };
      const keys = { apiVersion: 'v1', kind: 'Secret', metadata: { name: secret }, stringData };
      await create('/api/v1/namespaces/flux/secrets', keys);
      controller = await startSourceController(join(place, 'flux'), plane);
    });
    afterAll(async () => {
      await controller?.stop();
      await plane?.stop();
      await registry?.stop();
      rmSync(place, { recursive: true, force: true });
    });

    function createKey(name: string): void {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      writeFileSync(join(place, `${name}.key`), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
      writeFileSync(join(place, `${name}.pub`), publicKey.export({ type: 'spki', format: 'pem' }));
    }

    async function kurel(...words: readonly string[]): Promise<string> {
      const { exitCode, stdout, stderr } = await runProgram(words, { workingDirectory: place });
      expect(exitCode, stderr).toBe(0);
      return stdout;
    }

    /** Pushes the manifests of a build as `production`, to a repository of their own unless one is named. */
    async function push(words: readonly string[], path = `rendered/app-${(count += 1)}`) {
      const url = `oci://${registry.host}/${path}`;
      const flags = Object.entries(annotations).map(([key, value]) => `--annotation=${key}=${value}`);
      const all = [...words, `${url}:production`, ...flags, '--force', '--allow-private'];
      const [, digest] = /@(sha256:[0-9a-f]{64})\n$/.exec(await kurel('push', '--rendered', ...all))!;
      return { name: path.replace('/', '-'), path, url, digest: digest! };
    }

    type Pushed = Awaited<ReturnType<typeof push>>;

    async function sign({ url, digest }: Pushed, key: 'own' | 'other' = 'own'): Promise<void> {
      await kurel('sign', `${url}@${digest}`, `--key=${key}.key`, '--allow-private');
    }

    /** Creates a source that trusts one key. */
    async function create(pushed: Pushed, pin: 'tag' | 'digest' = 'tag') {
      const { name, url, digest } = pushed;
      const body = {
        apiVersion: 'source.toolkit.fluxcd.io/v1',
        kind: 'OCIRepository',
        metadata: { name },
        spec: {
          interval: '1h',
          url,
          // The registry of this test has no certificate.
          insecure: true,
          ref: pin === 'tag' ? { tag: 'production' } : { digest },
          verify: { provider: 'cosign', secretRef: { name: secret } },
        },
      };
      const created = await plane.cluster.ask(`${sources}?fieldValidation=Strict`, { method: 'POST', body });
      expect(created).toMatchObject({ status: 201, warnings: [] });
      // Flux handles the first request before it looks at the registry.
      await reconcile(pushed);
      return reconcile(pushed);
    }

    /** Lets Flux look, as `flux reconcile` does, and waits until it has decided. */
    async function reconcile({ name }: Pushed) {
      const path = `${sources}/${name}`;
      count += 1;
      const request = `request ${count}`;
      await plane.cluster.get(path, {
        method: 'PATCH',
        type: 'application/merge-patch+json',
        body: { metadata: { annotations: { 'reconcile.fluxcd.io/requestedAt': request } } },
      });
      for (let attempt = 0; attempt < 1200; attempt += 1) {
        expect(controller.failure()).toBeUndefined();
        const { status } = await plane.cluster.get<Source>(path);
        const find = (type: string): Condition | undefined => status?.conditions?.find((one) => one.type === type);
        const ready = find('Ready');
        // The conditions are written first, then the request together with the artifact.
        const isHandled = status?.lastHandledReconcileAt === request;
        if (isHandled && ready !== undefined && ready.status !== 'Unknown') {
          return { ready, verified: find('SourceVerified'), artifact: status?.artifact };
        }
        await new Promise((resolve) => {
          setTimeout(resolve, 100);
        });
      }
      throw new Error(`Flux does not decide about ${name}`);
    }

    /** The files that Flux gives to those who apply them. */
    async function download({ url, digest }: { readonly url: string; readonly digest: string }) {
      count += 1;
      const directory = join(place, `download-${count}`);
      mkdirSync(directory);
      const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
      expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(digest);
      execFileSync('tar', ['-xzf', '-', '-C', directory], { input: bytes });
      return readFiles(directory);
    }

    async function build(words: readonly string[]) {
      count += 1;
      const directory = join(place, `build-${count}`);
      await kurel('build', ...words, '-o', `${directory}/`);
      const { '.kurel-inventory': _, ...files } = readFiles(directory);
      return files;
    }

    const taken = (revision: string) => ({
      ready: { status: 'True', reason: 'Succeeded' },
      verified: { status: 'True', message: `verified signature of revision ${revision}` },
      artifact: { revision },
    });
    const refused = {
      ready: { status: 'False', reason: 'VerificationError' },
      verified: { status: 'False', message: expect.stringContaining('no matching signatures were found') as string },
    };

    it.each(Object.entries(inputs))('is taken with the files of kurel build: %s', async (_, words) => {
      const pushed = await push(words);
      await sign(pushed);
      const answer = await create(pushed);
      expect(answer).toMatchObject(taken(`production@${pushed.digest}`));
      expect(answer.artifact!.metadata).toEqual(annotations);
      const files = await build(words);
      expect(Object.keys(files).length).toBeGreaterThan(0);
      expect(await download(answer.artifact!)).toEqual(files);
    });

    it('is taken by its digest, and with attestations', async () => {
      const words = inputs['long name']!;
      const pushed = await push(words);
      await sign(pushed);
      await kurel('attest', `${pushed.url}@${pushed.digest}`, ...words, '--key=own.key', '--allow-private');
      expect(await create(pushed, 'digest')).toMatchObject(taken(pushed.digest));
    });

    it('is refused without a signature, or with one of another key, until the right key has signed', async () => {
      const pushed = await push(inputs['chart']!);
      const unsigned = await create(pushed);
      expect(unsigned).toMatchObject(refused);
      expect(unsigned.artifact).toBeUndefined();
      await sign(pushed, 'other');
      const wrong = await reconcile(pushed);
      expect(wrong).toMatchObject(refused);
      expect(wrong.artifact).toBeUndefined();
      await sign(pushed);
      expect(await reconcile(pushed)).toMatchObject(taken(`production@${pushed.digest}`));
    });

    /** Changes the manifests, moves the tag to them, and gives the digest of the new artifact. */
    async function tamper(pushed: Pushed): Promise<string> {
      const raw = openRawRepository(registry.host, pushed.path);
      const manifest = await raw.getManifest('production');
      const layer = await raw.putBlob(change(await raw.getBlob(manifest.layers[0]!.digest)));
      return raw.putManifest('production', { ...manifest, layers: [{ ...manifest.layers[0]!, ...layer }] });
    }

    /** Gives the changed artifact the signature of the original, edited to name the new digest. */
    async function editSignature({ path, digest }: Pushed, tampered: string): Promise<void> {
      const raw = openRawRepository(registry.host, path);
      const signature = await raw.getManifest(signatureTag(digest));
      const [layer] = signature.layers;
      const payload = String(await raw.getBlob(layer!.digest));
      const edited = await raw.putBlob(Buffer.from(payload.replace(digest, tampered)));
      await raw.putManifest(signatureTag(tampered), { ...signature, layers: [{ ...layer!, ...edited }] });
    }

    it.each<[title: string, attack: (pushed: Pushed, tampered: string) => Promise<void>]>([
      ['without a signature', async () => undefined],
      ['with an edited signature', editSignature],
      ['with a signature of another key', async (pushed, digest) => sign({ ...pushed, digest }, 'other')],
    ])('is refused if it was replaced, %s', async (_, attack) => {
      const words = inputs['long name']!;
      const pushed = await push(words);
      await sign(pushed);
      const before = await create(pushed);
      expect(before).toMatchObject(taken(`production@${pushed.digest}`));
      await attack(pushed, await tamper(pushed));
      const after = await reconcile(pushed);
      expect(after).toMatchObject(refused);
      expect(after.artifact).toEqual(before.artifact);
      expect(await download(after.artifact!)).toEqual(await build(words));
      const verify = ['verify', `${pushed.url}:production`, '--key=own.pub', '--allow-private'];
      expect(await runProgram(verify, { workingDirectory: place })).toMatchObject({ exitCode: 1, stdout: '' });
      // The original is still signed.
      expect(await push(words, pushed.path)).toEqual(pushed);
      expect(await reconcile(pushed)).toMatchObject({
        ...before,
        ready: { status: 'True' },
        verified: { status: 'True' },
      });
      expect(await kurel(...verify)).toContain(pushed.digest);
    });
  });
});

/** Changes a manifest in a compressed archive. */
function change(layer: Buffer): Uint8Array {
  const text = gunzipSync(layer).toString('latin1');
  expect(text).toContain('genuine');
  return gzipSync(Buffer.from(text.replaceAll('genuine', 'changed'), 'latin1'));
}

/** Where cosign 2 and Flux look for signatures. */
function signatureTag(digest: string): string {
  return `${digest.replace(':', '-')}.sig`;
}
