import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync, inflateSync, inflateRawSync } from 'node:zlib';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { spawnProgram } from './kurel-program.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import { repository } from './source-tree.ts';
import { startRegistry } from './start-registry.ts';

// SECURITY.md promises what caches and temporary directories do not contain.
const marker = 'qx7marker-hunter2';
const place = mkdtempSync(join(tmpdir(), 'kurel-marker-'));
const home = join(place, 'home');
const temporary = join(place, 'tmp');
const before = process.env['TMPDIR'];

beforeAll(() => {
  mkdirSync(temporary);
  process.env['TMPDIR'] = temporary;
  cpSync(join(repository, 'examples', 'packages', 'hello.kurel'), join(place, 'hello.kurel'), { recursive: true });
  const parameters = join(place, 'hello.kurel', 'parameters.yaml');
  const declared = `# It was ${marker}-comment before.\npassword: ${marker}-default\nlist: [${marker}-item]\nhost: ${marker}-host\n`;
  writeFileSync(parameters, `${readFileSync(parameters, 'utf8')}\n${declared}`);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text);
  }
});
afterAll(() => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  rmSync(place, { recursive: true, force: true });
});

const secret = `apiVersion: v1
kind: Secret
metadata: {name: login, namespace: hello}
stringData:
  password: "\${password}"
  other: ${marker}-secret
data: {more: ${Buffer.from(`${marker}-data`).toString('base64')}}
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: hello}
spec:
  containers:
    - name: c
      image: registry.example.com/c@sha256:${'a'.repeat(64)}
      envFrom: [{configMapRef: {name: "\${password}"}}]
`;

const files: Readonly<Record<string, string>> = {
  'hello.kurel/resources/secret.yaml': secret,
  'hello.kurel/schemas/parameters.overrides.yaml': `properties: {password: {minLength: 3, default: ${marker}-override, examples: [${marker}-example]}}\n`,
  'plain/secret.yaml': secret.replace('${password}', `${marker}-plain`).replace('${password}', 'settings'),
  'plain/service.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: hello}\ndata: {token: ${marker}-token}\n`,
  'values.yaml': `password: ${marker}-values\n`,
  'profile.yaml': `apiVersion: launcher.gokure.dev/v1alpha1\nkind: ClusterProfile\nmetadata: {name: p}\nspec:\n  gitopsEngine: fluxcd\n  capabilities: {}\n`,
  'kurel.fleet.yaml': `apiVersion: launcher.gokure.dev/v1alpha1
kind: Fleet
spec:
  defaults: {output: "out/{cluster}/{app}"}
  clusters: {a: {}}
  applications:
    hello: {package: hello.kurel, values: [values.yaml], set: {ingress: {host: ${marker}-fleet}}}
    plain: {package: plain}
  matrix: [{applications: [hello, plain]}]
`,
};

const chosen = ['--values', 'values.yaml', '--set', `ingress.host=${marker}-set`];
const commands: readonly (readonly string[])[] = [
  ['build', 'hello.kurel', ...chosen],
  ['build', 'plain'],
  ['build', 'hello.kurel', ...chosen, '-o', 'built/'],
  ['build', 'hello.kurel', '--set', `replicas=${marker}-number`],
  ['validate', 'hello.kurel', ...chosen],
  ['validate', 'plain'],
  ['explain', 'hello.kurel', 'Secret/login', ...chosen],
  ['images', 'hello.kurel', ...chosen],
  ['diff', 'plain', 'hello.kurel'],
  ['info', 'hello.kurel'],
  ['schema', 'generate', 'hello.kurel'],
  ['push', 'hello.kurel', 'oci://127.0.0.1:1/none', '--dry-run'],
  ['argocd', 'parameters'],
  ['argocd', 'generate'],
  ['fleet', 'build'],
  ['fleet', 'build', '--cache', 'shared'],
  ['fleet', 'validate'],
  ['fleet', 'validate', '--report', 'report.json'],
  ['fleet', 'list'],
  ['fleet', 'paths'],
  ['fleet', 'diff', '--since', 'HEAD'],
];

const variables = {
  PATH: process.env['PATH'],
  HOME: home,
  XDG_CACHE_HOME: home,
  TMPDIR: temporary,
  GREETING: `${marker}-variable`,
  ARGOCD_APP_NAME: 'hello',
  ARGOCD_ENV_GREETING: `${marker}-argocd`,
};

const directoryOf = ([name]: readonly string[]): string => (name === 'argocd' ? join(place, 'hello.kurel') : place);

const expectNothing = (): void =>
  expect(['home', 'tmp', 'shared'].flatMap((directory) => findMarked(join(place, directory)))).toEqual([]);

it.each(commands)('keeps no value in its caches: kurel %s %s %s', async (...words) => {
  const { exitCode } = await runProgram(words, { workingDirectory: directoryOf(words), variables });
  expect(exitCode).not.toBe(2);
  expectNothing();
});

describeWithProgram('registry', 'with a registry', () => {
  it('keeps no value of a package that it pushes, pulls and builds', async () => {
    const registry = await startRegistry(join(place, 'registry'));
    try {
      const reference = `oci://${registry.host}/hello:1.0.0`;
      const run = (...words: readonly string[]) =>
        runProgram([...words, '--allow-private'], { workingDirectory: place, variables });
      expect(await run('push', 'hello.kurel', reference)).toMatchObject({ exitCode: 0 });
      expect(await run('pull', reference, '-o', 'pulled')).toMatchObject({ exitCode: 0 });
      expect(await run('build', reference, ...chosen)).toMatchObject({ exitCode: 0 });
      expect(await run('info', reference)).toMatchObject({ exitCode: 0 });
    } finally {
      await registry.stop();
    }
    expectNothing();
  });
});

it('keeps no value in its compiled code', { tags: 'slow' }, async () => {
  const words = ['build', 'hello.kurel', ...chosen];
  for (let run = 0; run < 2; run++) {
    expect(await spawnProgram(words, { workingDirectory: place, variables, stdin: '' })).toMatchObject({ exitCode: 0 });
  }
  expectNothing();
});

it('has looked at caches', () => {
  const names = listFiles(home).map((path) => path.replace(/-[0-9a-f]{20,}/, '-HASH'));
  expect(names.filter((path) => path.includes('schema-')).length).toBeGreaterThan(0);
  expect(names.filter((path) => path.includes('fleet-')).length).toBeGreaterThan(0);
});

function findMarked(directory: string): readonly string[] {
  return listFiles(directory).filter((path) => {
    const bytes = readFileSync(path);
    return [bytes, ...decompress(bytes)].some(isMarked);
  });
}

function listFiles(directory: string): readonly string[] {
  const entries = (() => {
    try {
      return readdirSync(directory, { recursive: true, withFileTypes: true });
    } catch {
      return [];
    }
  })();
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** As text, in UTF-16 as V8 keeps some strings, and in base64 at each of its three positions in other bytes. */
function isMarked(bytes: Buffer): boolean {
  const core = marker.slice(2);
  const encoded = [0, 1, 2].map((shift) => {
    const text = Buffer.from('x'.repeat(shift) + core).toString('base64');
    return text.slice(shift === 0 ? 0 : 4, -4);
  });
  return [Buffer.from(core), Buffer.from(core, 'utf16le'), ...encoded.map((text) => Buffer.from(text))].some((part) =>
    bytes.includes(part),
  );
}

function decompress(bytes: Buffer): readonly Buffer[] {
  return [gunzipSync, inflateSync, inflateRawSync, brotliDecompressSync].flatMap((unpack) => {
    try {
      return [unpack(bytes)];
    } catch {
      return [];
    }
  });
}
