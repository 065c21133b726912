import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { createPackageArtifact } from '../src/artifact/index.ts';
import type { Artifact, PackageParts } from '../src/artifact/index.ts';
import { digestOf } from '../src/registry/index.ts';
import { type Answers, type LoopbackServer, startServer } from './loopback-server.ts';
import { publishedForm } from './published-forms.ts';
import { runProgram } from './run-program.ts';

const encoder = new TextEncoder();
const application = `apiVersion: launcher.gokure.dev/v1alpha1
kind: Application
metadata: {name: web, namespace: web}
spec:
  components:
  - name: web
    type: worker
    properties: {image: "registry.example.com/web:1"}
`;
const parts: PackageParts = {
  form: publishedForm('application'),
  name: 'web',
  version: '1.0.0',
  files: [
    { path: 'app.yaml', bytes: encoder.encode(application) },
    { path: 'data.bin', bytes: new Uint8Array([0xff, 0, 0xfe]) },
  ],
  schema: '{}',
  annotations: {},
};

let place = '';
let server: LoopbackServer | undefined;
beforeEach(() => (place = mkdtempSync(join(tmpdir(), 'kurel-remote-'))));
afterEach(async () => {
  await server?.stop();
  rmSync(place, { recursive: true, force: true });
});

/** A registry that only answers, and may answer anything. */
async function serve(artifact: Artifact, changes: Answers = {}): Promise<string> {
  const answers: Record<string, Answers[string]> = {};
  for (const name of ['1.0.0', artifact.digest]) {
    answers[`/v2/packages/web/manifests/${name}`] = (_, response) => response.end(artifact.manifest);
  }
  for (const blob of artifact.blobs) {
    answers[`/v2/packages/web/blobs/${digestOf(blob)}`] = (_, response) => response.end(blob);
  }
  server = await startServer({ ...answers, ...changes });
  return `oci://${server.host}/packages/web:1.0.0`;
}

async function run(...words: readonly string[]) {
  return await runProgram([...words, '--allow-private'], { workingDirectory: place });
}

function requested(): readonly string[] {
  return server!.requests.map(({ url }) => url!.replace('/v2/packages/web/', ''));
}

it('fetches a package once for all that a command does with it', async () => {
  const artifact = await createPackageArtifact(parts);
  const reference = await serve(artifact);
  const [config, content] = artifact.blobs.map((blob) => `blobs/${digestOf(blob)}`);
  const expected = ['manifests/1.0.0', config, content];
  expect(await run('build', reference, '--no-profile')).toMatchObject({ exitCode: 0 });
  expect(requested()).toEqual(expected);
  await run('diff', reference, reference, '--no-profile', '--set-string-b', 'x=y');
  await run('validate', reference, reference, '--no-profile');
  expect(requested()).toEqual([...expected, ...expected, ...expected]);
});

it('describes a package without fetching its content', async () => {
  const artifact = await createPackageArtifact(parts);
  const reference = await serve(artifact);
  expect(await run('info', reference)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(requested()).toHaveLength(4);
  expect(requested()).not.toContain(`blobs/${digestOf(artifact.blobs[1]!)}`);
});

it('keeps bytes that are not text', async () => {
  const reference = await serve(await createPackageArtifact(parts));
  expect(await run('pull', reference, '-o', 'web')).toMatchObject({ exitCode: 0 });
  expect(readdirSync(join(place, 'web')).toSorted()).toEqual(['app.yaml', 'data.bin']);
});

it('obeys the limit for one file', async () => {
  const reference = await serve(await createPackageArtifact(parts));
  const { exitCode, stderr } = await run('build', reference, '--no-profile', '--max-file-size', '100');
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/app\.yaml: has \d+ bytes, more than the limit of 100 for one file/);
});

/** The manifest with more at its start. */
function changeManifest(start: string): (artifact: Artifact) => Answers {
  return ({ manifest }) => {
    const changed = new TextDecoder().decode(manifest).replace('{', start);
    return { '/v2/packages/web/manifests/1.0.0': (_, response) => response.end(changed) };
  };
}

it.each<[string, (artifact: Artifact) => Answers, RegExp]>([
  [
    'content that is another one',
    ({ blobs }) => ({ [`/v2/packages/web/blobs/${digestOf(blobs[1]!)}`]: (_, response) => response.end('hello') }),
    /cannot use "http:\S+": the digest must be sha256:\w+, got sha256:/,
  ],
  [
    'another manifest',
    () => ({
      '/v2/packages/web/manifests/1.0.0': (_, response) =>
        response.writeHead(200, { 'docker-content-digest': `sha256:${'0'.repeat(64)}` }).end('{"schemaVersion":2}'),
    }),
    /the digest of the manifest is sha256:\w+, but the registry reports sha256:0000/,
  ],
  [
    'a page for people',
    () => ({ '/v2/packages/web/manifests/1.0.0': (_, response) => response.end('<html>') }),
    /cannot use "oci:\S+": its manifest cannot be read: expected a value, got "<" at line 1, column 1/,
  ],
  [
    'a manifest with two lists of layers',
    changeManifest('{"Layers":[],'),
    /its manifest cannot be read: the key "Layers" must be spelled "layers" at line 1, column 2/,
  ],
  [
    'a manifest with a second config',
    changeManifest('{"config":{},'),
    /its manifest cannot be read: duplicate key "config" at line 1, column \d+/,
  ],
  [
    'a manifest that Go reads as an index',
    changeManifest('{"MANIFESTS":[],'),
    /its manifest cannot be read: the key "MANIFESTS" must be spelled "manifests" at line 1, column 2/,
  ],
  [
    'half of the content',
    ({ blobs }) => ({
      [`/v2/packages/web/blobs/${digestOf(blobs[1]!)}`]: (_, response) => {
        response.writeHead(200, { 'content-length': blobs[1]!.length });
        response.write(blobs[1]!.subarray(0, 20), () => response.destroy());
      },
    }),
    /cannot fetch "http:\S+": the connection was closed early/,
  ],
])('refuses %s, and writes nothing', async (_, changes, reason) => {
  const artifact = await createPackageArtifact(parts);
  const reference = await serve(artifact, changes(artifact));
  for (const words of [
    ['build', reference, '--no-profile', '-o', 'out/'],
    ['pull', reference, '-o', 'out'],
    ['validate', reference, '--no-profile'],
  ]) {
    const { exitCode, stdout, stderr } = await run(...words);
    expect({ exitCode, found: /error\[registry-access\]|\[registry-access\]/.test(stderr + stdout) }).toEqual({
      exitCode: 1,
      found: true,
    });
    expect(stderr + stdout).toMatch(reason);
  }
  expect(readdirSync(place)).toEqual([]);
});

it('refuses names that point outside before anything is written', async () => {
  const artifact = await createPackageArtifact(parts);
  const manifest = JSON.parse(new TextDecoder().decode(artifact.manifest)) as {
    layers: { digest: string; size: number }[];
  };
  const { writeTar } = await import('./write-tar.ts');
  const { gzipSync } = await import('node:zlib');
  const evil = gzipSync(writeTar([{ name: '../../escaped', content: 'x' }]));
  manifest.layers[0] = { ...manifest.layers[0]!, digest: digestOf(evil), size: evil.length };
  const reference = await serve(artifact, {
    '/v2/packages/web/manifests/1.0.0': (_, response) => response.end(JSON.stringify(manifest)),
    [`/v2/packages/web/blobs/${digestOf(evil)}`]: (_, response) => response.end(evil),
  });
  const { exitCode, stderr } = await run('pull', reference, '-o', 'out');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('the entry "../../escaped" points outside the archive with ".."');
  expect(readdirSync(place)).toEqual([]);
});
