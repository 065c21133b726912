import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { build, memoryFileSystem, transformers } from '../src/index.ts';
import type { BuildRequest } from '../src/index.ts';
import { FetchError } from '../src/model/index.ts';
import type { Fetcher, Json, JsonObject, KubeObject } from '../src/model/index.ts';
import { readPatchFile } from '../src/patch/index.ts';
import { attacks } from './policy-attacks.ts';
import type { Attack } from './policy-attacks.ts';
import { writeTar } from './write-tar.ts';

const apiVersion = 'launcher.gokure.dev/v1alpha1';
const image = 'ghcr.io/example/web:1.4.0';
const url = 'https://example.com/all.yaml';
const json = (value: Json): string => JSON.stringify(value);
const listOf = (object: Json): JsonObject => ({ apiVersion: 'v1', kind: 'List', items: [object] });

const chart = gzipSync(writeTar([{ name: 'web/Chart.yaml', content: 'apiVersion: v2\nname: web\nversion: 1.2.3\n' }]));

function fetcherOf(text: string): Fetcher {
  const sites: Readonly<Record<string, Uint8Array>> = {
    [url]: new TextEncoder().encode(text),
    'https://charts.example.com/index.yaml': new TextEncoder().encode(
      'apiVersion: v1\nentries: {web: [{version: 1.2.3, urls: [web-1.2.3.tgz]}]}\n',
    ),
    'https://charts.example.com/web-1.2.3.tgz': chart,
  };
  return {
    async fetch({ url: asked }) {
      const bytes = sites[asked];
      if (bytes === undefined) throw new FetchError('status', `${asked} answers with 404`, { url: asked });
      return { url: asked, headers: {}, bytes };
    },
  };
}

const printing = (object: Json): BuildRequest['programs'] => ({
  run: () => ({ exitCode: 0, stdout: json(object), stderr: '' }),
});

/** A request without its policy, or the reason why an attack cannot be made in this way. */
type Entry = (attack: Attack) => Omit<BuildRequest, 'policy'> | string;

type Files = Readonly<Record<string, string>>;

function application(component: JsonObject, files: Files = {}): Omit<BuildRequest, 'policy'> {
  const spec = { components: [{ name: 'web', ...component }] };
  const document = { apiVersion, kind: 'Application', metadata: { name: 'shop', namespace: 'shop' }, spec };
  const sources = Object.fromEntries(Object.entries(files).map(([path, text]) => [`shop/${path}`, text]));
  return {
    path: 'shop',
    fileSystem: memoryFileSystem({ 'shop/app.yaml': json(document), ...sources }),
    as: 'application',
    application: { profile: false },
  };
}

const passthrough = (object: KubeObject, files: Files = {}): Omit<BuildRequest, 'policy'> =>
  application({ type: 'passthrough', properties: { object } }, files);
const inline = (object: Json): Omit<BuildRequest, 'policy'> =>
  application({ type: 'manifests', properties: { inline: json(object) } });
const plain = (object: Json): Omit<BuildRequest, 'policy'> => ({
  path: 'all.yaml',
  fileSystem: memoryFileSystem({ 'all.yaml': json(object) }),
});

/** The fields that make one object of the other, by their paths; `undefined` when they are not of one kind. */
function changesOf({ benign, evil }: Attack): ReadonlyMap<string, Json> | undefined {
  if (benign.kind !== evil.kind || benign.apiVersion !== evil.apiVersion || 'items' in evil) return undefined;
  const { apiVersion: _, kind: _kind, metadata = {}, ...fields } = evil;
  const own = Object.entries(metadata as JsonObject).filter(([key]) => key !== 'name');
  return new Map([...own.map(([key, value]): [string, Json] => [`metadata.${key}`, value]), ...Object.entries(fields)]);
}

const cannotPatch = 'a patch changes objects and cannot make another kind of one';

interface VariablePatch {
  readonly text: string;
  readonly values: JsonObject;
}

/** Entries of a .kpatch file take one scalar, so that what is larger comes from a parameter. */
function patchWithVariables(attack: Attack): VariablePatch | undefined {
  const changes = changesOf(attack);
  if (changes === undefined) return undefined;
  const named = Array.from(changes, ([path, value], index) => ({ path, value, name: `evil${index}` }));
  const lines = named.map(({ path, name }) => `${path}: \${${name}}`);
  return {
    text: `[${attack.evil.kind.toLowerCase()}.web]\n${lines.join('\n')}\n`,
    values: Object.fromEntries(named.map(({ name, value }) => [name, value])),
  };
}

function typeOf(value: Json): string {
  return Array.isArray(value) ? 'array' : typeof value === 'object' ? 'object' : typeof value;
}

/** The declaration of a package with these values. */
function declare(values: JsonObject): string {
  const parameters = Object.entries(values).map(([name, value]) => ({ name, type: typeOf(value), default: value }));
  return json({ apiVersion, kind: 'Package', metadata: { name: 'shop' }, spec: { parameters } });
}

function patched(request: Omit<BuildRequest, 'policy'>, attack: Attack): Omit<BuildRequest, 'policy'> | string {
  const changes = changesOf(attack);
  if (changes === undefined) return cannotPatch;
  const patch = { target: `${attack.evil.kind.toLowerCase()}.web`, patch: Object.fromEntries(changes) };
  const file = readPatchFile({ path: 'evil.yaml', text: json([patch]) }, ({ message }) => {
    throw new Error(message);
  });
  return { ...request, patches: { files: [file] } };
}

/** A jq program that makes the one object of the other. */
function programOf({ evil }: Attack): string {
  return `if .metadata.name == "web" then ${json(evil)} else . end`;
}

const applicationEntries: Readonly<Record<string, Entry>> = {
  property: ({ properties }) =>
    properties === undefined
      ? 'there is no such property'
      : application({ type: 'webservice', properties: { image, ...properties } }),
  sidecar: ({ container }) =>
    container === undefined
      ? 'it is not done by a container'
      : application({ type: 'webservice', properties: { image, sidecars: [{ name: 'side', image, ...container }] } }),
  'init container': ({ container }) =>
    container === undefined
      ? 'it is not done by a container'
      : application({ type: 'worker', properties: { image, initContainers: [{ name: 'init', image, ...container }] } }),
  passthrough: ({ evil }) => passthrough(evil),
  manifests: ({ evil }) => inline(evil),
  'List of manifests': ({ evil }) => inline(listOf(evil)),
  'List of another spelling': ({ evil }) => inline({ ...listOf(evil), apiVersion: '/v1' }),
  'List in a passthrough': ({ evil }) => passthrough(listOf(evil) as unknown as KubeObject),
  'fetched manifests': ({ evil }) => ({
    ...application({ type: 'manifests', properties: { url } }),
    fetcher: fetcherOf(json(evil)),
  }),
  'rendered chart': ({ evil }) => ({
    ...application({
      type: 'helmchart',
      properties: { delivery: 'template', chart: 'web', source: { url: 'https://charts.example.com' } },
    }),
    fetcher: fetcherOf(''),
    programs: printing(evil),
  }),
  'patch of the package': (attack) => {
    const patch = patchWithVariables(attack);
    if (patch === undefined) return cannotPatch;
    return passthrough(attack.benign, { 'patches/evil.kpatch': patch.text, 'kurel.yaml': declare(patch.values) });
  },
  '--patch': (attack) => patched(passthrough(attack.benign), attack),
  '--jq': (attack) => ({ ...passthrough(attack.benign), transformers: [transformers.jq(programOf(attack))] }),
};

/** Ways that are closed whatever comes in by them. */
const otherCodes: Readonly<Record<string, readonly string[]>> = {
  'List in a passthrough': ['manifest-items'],
};

const parameters = { kurel: { name: 'p', version: '1.0.0', appVersion: '1.0.0' }, global: { namespace: 'shop' } };

const otherEntries: Readonly<Record<string, Entry>> = {
  'plain manifests': ({ evil }) => plain(evil),
  'standard input': ({ evil }) => ({ path: '-', fileSystem: memoryFileSystem({}), stdin: json(evil) }),
  'plain List': ({ evil }) => plain(listOf(evil)),
  'plain List of another spelling': ({ evil }) => plain({ ...listOf(evil), apiVersion: '/v1' }),
  kustomization: ({ evil }) => ({
    path: 'k',
    fileSystem: memoryFileSystem({ 'k/kustomization.yaml': 'resources: [a.yaml]\n', 'k/a.yaml': json(evil) }),
    programs: printing(evil),
  }),
  chart: ({ evil }) => ({
    path: 'c',
    fileSystem: memoryFileSystem({
      'c/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.2.3\n',
      'c/templates/a.yaml': json(evil),
    }),
    programs: printing(evil),
  }),
  'patch package': ({ evil }) => ({
    path: 'p.kurel',
    fileSystem: memoryFileSystem({
      'p.kurel/parameters.yaml': json(parameters),
      'p.kurel/resources/a.yaml': json(evil),
    }),
  }),
  'patch of a patch package': (attack) => {
    const patch = patchWithVariables(attack);
    if (patch === undefined) return cannotPatch;
    const files = {
      'p.kurel/parameters.yaml': json({ ...parameters, ...patch.values }),
      'p.kurel/resources/a.yaml': json(attack.benign),
      'p.kurel/patches/00-evil.kpatch': patch.text,
    };
    return { path: 'p.kurel', fileSystem: memoryFileSystem(files) };
  },
  '--patch on manifests': (attack) => patched(plain(attack.benign), attack),
  '--jq on manifests': (attack) => ({ ...plain(attack.benign), transformers: [transformers.jq(programOf(attack))] }),
};

/** Ports and paths of the node have no finding outside of application packages. */
function isCommon({ name }: Attack, entry: string): boolean {
  return /^(?:host port|path of the node)/.test(name) && Object.hasOwn(otherEntries, entry);
}

const withPolicy = (request: Omit<BuildRequest, 'policy'>, body: JsonObject | undefined): BuildRequest => {
  if (body === undefined) return request;
  const text = json({ apiVersion, kind: 'Policy', metadata: { name: 'p' }, spec: body });
  const { fileSystem } = request;
  const readText: typeof fileSystem.readText = async (path) =>
    path === '/policy.yaml' ? text : await fileSystem.readText(path);
  return { ...request, policy: '/policy.yaml', fileSystem: { ...fileSystem, readText } };
};

const entries = { ...applicationEntries, ...otherEntries };
const cells = attacks.flatMap((attack) =>
  Object.keys(entries).map((entry) => {
    const made =
      attack.policy === undefined && isCommon(attack, entry)
        ? 'it has no finding without a policy'
        : entries[entry]!(attack);
    return { name: `${attack.name}: ${entry}`, entry, attack, made };
  }),
);
const closed = cells.flatMap(({ made, ...cell }) => (typeof made === 'string' ? [] : [{ ...cell, request: made }]));
const impossible = cells.flatMap(({ name, made }) => (typeof made === 'string' ? [`${name}: ${made}`] : []));

describe('every attack at every place where it could come in', () => {
  it.each(closed)('$name', async ({ attack, entry, request }) => {
    // Without a policy, the findings are warnings.
    const strict = attack.policy === undefined;
    const { ok, diagnostics, files, objects } = await build({ ...withPolicy(request, attack.policy), strict });
    const errors = diagnostics.flatMap(({ severity, code }) => (severity === 'error' ? [code] : []));
    const wanted = [...attack.codes, ...(otherCodes[entry] ?? [])];
    expect(
      errors.filter((code) => wanted.includes(code)),
      `found ${JSON.stringify(diagnostics.map(({ code, message }) => [code, message]))}`,
    ).not.toEqual([]);
    expect({ ok, files, objects }).toEqual({ ok: false, files: [], objects: [] });
  });

  it('passes when nothing is wrong', async () => {
    const ways = closed.filter(({ entry }) => ['passthrough', 'manifests', 'plain manifests'].includes(entry));
    for (const { attack, entry, name } of ways) {
      const request = entries[entry]!({ ...attack, evil: attack.benign });
      if (typeof request === 'string') continue;
      const { diagnostics } = await build(withPolicy(request, attack.policy));
      const found = diagnostics.filter(({ code, severity }) => code.startsWith('policy-') && severity === 'error');
      expect(found, name).toEqual([]);
    }
  });

  it('are more than 300, with a reason for each that is missing', async () => {
    expect(closed.length).toBeGreaterThan(300);
    await expect(`${impossible.join('\n')}\n`).toMatchFileSnapshot('data/policy-attacks-impossible.txt');
  });
});

describe('without a policy', () => {
  const warned = closed.filter(({ attack, entry }) => attack.policy === undefined && !(entry in otherCodes));

  it.each(warned)('$name', async ({ request }) => {
    const { ok, diagnostics } = await build(request);
    expect(ok).toBe(true);
    const found = diagnostics.filter(({ code }) => code.startsWith('policy-'));
    expect(found.map(({ code, severity }) => `${severity} ${code}`)).toEqual(
      found.map(() => 'warning policy-security-unsaid'),
    );
    expect(found).not.toEqual([]);
  });
});
