import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FetchError } from '../model/index.ts';
import type { Fetched, FetchRequest } from '../model/index.ts';
import type { FetchAccess } from './fetch-access.ts';
import { openRegistry } from './registry-session.ts';
import { isMissing, openRepository } from './repository.ts';
import { readRange, uploadBlob } from './upload-blob.ts';
import { refusalOf } from '../../test/refusal-of.ts';

const kibibyte = 1024;
const repository = { host: 'registry.example', path: 'team/app' };
const root = 'https://registry.example/v2/team/app/';
const small = new TextEncoder().encode('a small blob');
const large = new Uint8Array(20 * kibibyte).map((_, index) => (index * 31 + (index >> 8)) & 0xff);

function digest(content: Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Answers instead of the registry; `usual` does what it would have done. */
type Trick = (request: FetchRequest, usual: () => Reply) => Reply | undefined;

/** A registry in memory that follows the specification, except for what its tricks do. */
function createRegistry(...tricks: readonly Trick[]) {
  const blobs = new Map<string, Uint8Array>();
  const manifests = new Map<string, Uint8Array>();
  const uploads = new Map<string, Uint8Array>();
  const asked: string[] = [];
  const requests: FetchRequest[] = [];
  let count = 0;

  function answer({ url, method = 'GET', body = new Uint8Array(), headers = {} }: FetchRequest): Reply {
    const { pathname, searchParams } = new URL(url);
    const [kind = '', name = '', id = ''] = pathname.slice('/v2/team/app/'.length).split('/');
    if (kind === 'manifests') {
      if (method === 'PUT') manifests.set(name, body).set(digest(body), body);
      const found = manifests.get(name);
      if (found === undefined) return { status: 404 };
      return { headers: { 'docker-content-digest': digest(found) }, body: new TextDecoder().decode(found) };
    }
    if (name !== 'uploads') return { status: blobs.has(name) ? 200 : 404 };
    if (method === 'POST') {
      uploads.set(String(++count), new Uint8Array());
      return { status: 202, headers: { location: `/v2/team/app/blobs/uploads/${count}?state=0` } };
    }
    const before = uploads.get(id);
    if (before === undefined) return { status: 404 };
    const range = (size: number): Readonly<Record<string, string>> => ({
      location: `/v2/team/app/blobs/uploads/${id}?state=${size}`,
      range: `0-${Math.max(0, size - 1)}`,
    });
    if (method === 'GET') return { status: 204, headers: range(before.length) };
    if (method === 'PATCH' && headers['content-range'] !== `${before.length}-${before.length + body.length - 1}`) {
      return { status: 416 };
    }
    const after = Buffer.concat([before, body]);
    uploads.set(id, after);
    if (method === 'PATCH') return { status: 202, headers: range(after.length) };
    if (searchParams.get('digest') !== digest(after)) return { status: 400 };
    uploads.delete(id);
    blobs.set(digest(after), after);
    return { status: 201, headers: { 'docker-content-digest': digest(after) } };
  }

  async function fetch(request: FetchRequest): Promise<Fetched> {
    const { url, method = 'GET', headers = {}, body } = request;
    const place = url.startsWith(root) ? url.slice(root.length) : url;
    const part = headers['content-range'];
    asked.push([method, place, ...(part === undefined ? [] : [part])].join(' ').replaceAll(/sha256:\w+/g, '<digest>'));
    requests.push({ ...request, body: body && Uint8Array.from(body) });
    let done: Reply | undefined;
    const usual = (): Reply => (done ??= answer(request));
    const tricked = tricks.map((trick) => trick(request, usual)).find((reply) => reply !== undefined);
    const { status = 200, headers: found = {}, body: text = '' } = tricked ?? usual();
    if (status === 0) throw new FetchError('connection', `cannot push to "${url}": it broke`, { url });
    if (status > 299)
      throw new FetchError('status', `cannot push to "${url}": ${status}`, { url, status, headers: found });
    return { url, status, headers: found, bytes: new TextEncoder().encode(text) };
  }
  return { blobs, manifests, asked, requests, fetcher: { fetch } };
}

/** Applies a trick to the given request of a method, counted from 1. */
function nth(method: string, number: number, trick: Trick): Trick {
  let count = 0;
  return (request, usual) =>
    (request.method ?? 'GET') === method && ++count === number ? trick(request, usual) : undefined;
}

const every =
  (method: string, trick: Trick): Trick =>
  (request, usual) =>
    (request.method ?? 'GET') === method ? trick(request, usual) : undefined;

/** The connection breaks before or after the registry has done its work. */
const lost: Trick = () => ({ status: 0 });
const unanswered: Trick = (_, usual) => {
  usual();
  return { status: 0 };
};
const says =
  (reply: Reply): Trick =>
  () =>
    reply;

type TestRegistry = ReturnType<typeof createRegistry>;

function accessOf({ fetcher }: TestRegistry): FetchAccess {
  return { fetcher, allowHost: () => true };
}

function open(registry: TestRegistry, access: Partial<FetchAccess> = {}) {
  return openRepository(repository, { ...accessOf(registry), ...access }, 'pull,push');
}

/** With chunks of 8 KiB. */
async function push(registry: TestRegistry, bytes: Uint8Array, access: Partial<FetchAccess> = {}): Promise<void> {
  const session = openRegistry(repository, { ...accessOf(registry), ...access }, 'pull,push');
  const isStored = async (): Promise<boolean> => {
    try {
      await session.send(`blobs/${digest(bytes)}`, { method: 'HEAD', maxBytes: 0 });
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  };
  const url = 'oci://registry.example/team/app';
  const upload = { bytes, digest: digest(bytes), url, isStored, largestChunk: 8 * kibibyte, wait: access.wait };
  if (!(await isStored())) await uploadBlob(session, upload);
}

const upload = (id: number, state: number): string => `blobs/uploads/${id}?state=${state}`;
const exists = 'HEAD blobs/<digest>';
const start = 'POST blobs/uploads/';
const put = (id: number, state: number): string => `PUT ${upload(id, state)}&digest=<digest>`;
const patches = [
  `PATCH ${upload(1, 0)} 0-${8 * kibibyte - 1}`,
  `PATCH ${upload(1, 8 * kibibyte)} ${8 * kibibyte}-${16 * kibibyte - 1}`,
  `PATCH ${upload(1, 16 * kibibyte)} ${16 * kibibyte}-${20 * kibibyte - 1}`,
] as const;
const [first, second, third] = patches;
const last = put(1, 20 * kibibyte);

describe('pushBlob', () => {
  it('sends a small blob at once', async () => {
    const registry = createRegistry();
    await open(registry).pushBlob(small);
    await open(registry).pushBlob(new Uint8Array());
    expect([...registry.blobs.values()].map((bytes) => bytes.length)).toEqual([12, 0]);
    expect(registry.asked).toEqual([exists, start, put(1, 0), exists, start, put(2, 0)]);
  });

  it('sends a large blob in chunks', async () => {
    const registry = createRegistry();
    await push(registry, large);
    expect([...registry.blobs.keys()]).toEqual([digest(large)]);
    expect(registry.asked).toEqual([exists, start, first, second, third, last]);
  });

  it('sends larger chunks if the registry requires it', async () => {
    const headers = { location: '/v2/team/app/blobs/uploads/1?state=0', 'oci-chunk-min-length': `${15 * kibibyte}` };
    const registry = createRegistry(nth('POST', 1, (_, usual) => ({ ...usual(), headers })));
    await push(registry, large);
    expect(registry.asked.filter((line) => line.startsWith('PATCH'))).toHaveLength(2);
    expect([...registry.blobs.keys()]).toEqual([digest(large)]);
  });

  it('sends chunks of 8 MiB', async () => {
    const registry = createRegistry();
    await open(registry).pushBlob(new Uint8Array(9 * 1_048_576));
    expect(registry.asked.slice(2, 4)).toEqual([
      'PATCH blobs/uploads/1?state=0 0-8388607',
      'PATCH blobs/uploads/1?state=8388608 8388608-9437183',
    ]);
  });

  it('sends nothing that the registry has', async () => {
    const registry = createRegistry();
    await open(registry).pushBlob(small);
    registry.asked.splice(0);
    await open(registry).pushBlob(small);
    expect(registry.asked).toEqual([exists]);
  });

  it.each<[string, Uint8Array, readonly Trick[], readonly string[]]>([
    [
      'starts again with a small blob',
      small,
      [nth('PUT', 1, lost)],
      [exists, start, put(1, 0), exists, start, put(2, 0)],
    ],
    ['notices that a small blob has arrived', small, [nth('PUT', 1, unanswered)], [exists, start, put(1, 0), exists]],
    ['starts again if it could not start', small, [nth('POST', 1, lost)], [exists, start, exists, start, put(1, 0)]],
    [
      'sends a lost chunk again',
      large,
      [nth('PATCH', 2, lost)],
      [exists, start, first, second, exists, `GET ${upload(1, 8 * kibibyte)}`, second, third, last],
    ],
    [
      'does not send a chunk again that has arrived',
      large,
      [nth('PATCH', 2, unanswered)],
      [exists, start, first, second, exists, `GET ${upload(1, 8 * kibibyte)}`, third, last],
    ],
    [
      'asks again if the registry is still away',
      large,
      [nth('PATCH', 2, unanswered), nth('GET', 1, lost), nth('HEAD', 2, lost)],
      [exists, start, first, second, exists, exists, `GET ${upload(1, 8 * kibibyte)}`, exists].concat(
        `GET ${upload(1, 8 * kibibyte)}`,
        third,
        last,
      ),
    ],
    [
      'finishes a complete upload',
      large,
      [nth('PUT', 1, lost)],
      [exists, start, ...patches, last, exists, `GET ${upload(1, 20 * kibibyte)}`, last],
    ],
    [
      'starts again if the registry has forgotten the upload',
      large,
      [nth('PATCH', 2, lost), nth('GET', 1, says({ status: 404 }))],
      [exists, start, first, second, exists, `GET ${upload(1, 8 * kibibyte)}`, start]
        .concat(patches, last)
        .map((line, index) => (index > 6 ? line.replace('uploads/1', 'uploads/2') : line)),
    ],
    [
      'starts again if the registry refuses the range',
      large,
      [nth('PATCH', 2, says({ status: 416 }))],
      [exists, start, first, second, start]
        .concat(patches, last)
        .map((line, index) => (index > 4 ? line.replace('uploads/1', 'uploads/2') : line)),
    ],
    [
      'goes on where the registry is if it takes a part of a chunk',
      large,
      [
        nth('PATCH', 1, (request, usual) => {
          const part = { ...request, body: request.body!.subarray(0, 5 * kibibyte) };
          const headers = { 'content-range': `0-${5 * kibibyte - 1}` };
          Object.assign(request, { body: part.body, headers });
          return usual();
        }),
      ],
      [
        exists,
        start,
        first,
        `PATCH ${upload(1, 5 * kibibyte)} ${5 * kibibyte}-${13 * kibibyte - 1}`,
        `PATCH ${upload(1, 13 * kibibyte)} ${13 * kibibyte}-${20 * kibibyte - 1}`,
        last,
      ],
    ],
    [
      'tries again if the registry is busy',
      small,
      [nth('PUT', 1, says({ status: 503 }))],
      [exists, start, put(1, 0), exists, start, put(2, 0)],
    ],
  ])('%s', async (_, bytes, tricks, expected) => {
    const registry = createRegistry(...tricks);
    await push(registry, bytes);
    expect([...registry.blobs.keys()]).toEqual([digest(bytes)]);
    expect(registry.asked).toEqual(expected);
  });

  it('waits longer each time, and gives up after five failures', async () => {
    const registry = createRegistry(every('PUT', lost));
    const waits: number[] = [];
    const wait = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
    const error = await refusalOf(open(registry, { wait }).pushBlob(small));
    expect(error.failure).toBe('connection');
    expect(waits).toEqual([500, 1000, 2000, 4000]);
    expect(registry.asked.filter((line) => line.startsWith('PUT'))).toHaveLength(5);
  });

  it.each<[string, Trick, RegExp]>([
    ['forgets every upload', every('PATCH', says({ status: 404 })), /404$/],
    [
      'takes a byte at a time',
      every('PATCH', ({ headers }) => ({
        headers: { range: `0-${Number(headers!['content-range']!.split('-')[0]) + 1}` },
      })),
      /it does not accept all of an upload$/,
    ],
    [
      'has more than was sent',
      every('PATCH', says({ headers: { range: `0-${large.length}` } })),
      /it has received 8192 bytes of an upload, but reports 20481$/,
    ],
    ['has less than before', nth('PATCH', 2, says({ headers: { range: '0-0' } })), /, but reports 0$/],
    [
      'sends a range that is none',
      every('PATCH', says({ headers: { range: 'all' } })),
      /does not say how much of an upload it has$/,
    ],
    [
      'starts elsewhere',
      every('PATCH', says({ headers: { range: '5-8191' } })),
      /does not say how much of an upload it has$/,
    ],
  ])('gives up if the registry %s', async (_, trick, message) => {
    const registry = createRegistry(trick);
    const error = await refusalOf(push(registry, large));
    expect(error.message).toMatch(/^cannot push to "/);
    expect(error.message).toMatch(message);
    expect(registry.asked.length).toBeLessThan(40);
    expect(registry.blobs.size).toBe(0);
  });

  it.each<[string, Reply]>([
    ['more than there is', { headers: { range: `0-${large.length}` } }],
    ['nothing', {}],
    ['a web page', { body: '<html>', headers: { 'content-type': 'text/html' } }],
  ])('gives up if the registry answers %s when it is asked what it has', async (_, reply) => {
    const registry = createRegistry(nth('PATCH', 1, lost), nth('GET', 1, says(reply)));
    expect((await refusalOf(push(registry, large))).failure).toBe('content');
  });

  it.each<[string, Reply, string, string]>([
    ['no location', {}, 'content', 'its answer does not say where to upload'],
    ['a web page', { body: '<html>' }, 'content', 'its answer does not say where to upload'],
    [
      'a location that is none',
      { headers: { location: 'http://' } },
      'content',
      'its answer does not say where to upload',
    ],
    [
      'an http:// location',
      { headers: { location: 'http://registry.example/v2/upload?secret=x' } },
      'content',
      'it refers to "http://registry.example/v2/upload?…", which is neither on this registry nor https://',
    ],
    [
      'a file',
      { headers: { location: 'file:///etc/passwd' } },
      'content',
      'it refers to "file:///etc/passwd?…", which is neither on this registry nor https://',
    ],
  ])('does not upload to %s', async (_, reply, failure, reason) => {
    const registry = createRegistry(every('POST', says(reply)));
    const error = await refusalOf(open(registry).pushBlob(small));
    expect(error.failure).toBe(failure);
    expect(error.message).toMatch(/^cannot push to "(?:oci|https):\/\/registry\.example/);
    expect(error.message).toContain(`: ${reason}`);
    expect(registry.asked).toEqual([exists, start]);
  });

  it('sends no credentials to a location on another host', async () => {
    const elsewhere = 'https://store.example/upload?signature=x';
    const registry = createRegistry(
      every('HEAD', ({ headers }) =>
        headers!['authorization'] === undefined
          ? { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } }
          : { status: 404 },
      ),
      every('POST', says({ headers: { location: elsewhere } })),
      every('PUT', says({ status: 201 })),
    );
    const credentialsFor = async () => ({ username: 'ann', password: 'secret' });
    await open(registry, { credentialsFor }).pushBlob(small);
    expect(registry.asked).toEqual([exists, exists, start, `PUT ${elsewhere}&digest=<digest>`]);
    expect(registry.requests.map(({ headers }) => headers?.['authorization'])).toEqual([
      undefined,
      `Basic ${btoa('ann:secret')}`,
      `Basic ${btoa('ann:secret')}`,
      undefined,
    ]);
  });

  it('refuses another digest than that of the blob', async () => {
    const reply = { status: 201, headers: { 'docker-content-digest': digest(large) } };
    const error = await refusalOf(open(createRegistry(every('PUT', says(reply)))).pushBlob(small));
    expect(error.failure).toBe('digest');
    expect(error.message).toBe(
      `cannot push to "oci://registry.example/team/app": it was sent ${digest(small)}, but reports ${digest(large)}`,
    );
  });

  it.each([400, 403, 413])('does not try again after status %i', async (status) => {
    const registry = createRegistry(every('PUT', says({ status })));
    expect(await refusalOf(open(registry).pushBlob(small))).toMatchObject({ status });
    expect(registry.asked).toEqual([exists, start, put(1, 0)]);
  });
});

describe('a token', () => {
  const challenge = { status: 401, headers: { 'www-authenticate': 'Bearer realm="https://auth.example/token"' } };

  /** Issues the tokens `1`, `2`, … and accepts each of them for some requests. */
  function guard(uses: number): Trick {
    let [issued, left] = [0, 0];
    return ({ url, headers = {} }) => {
      if (url.startsWith('https://auth.example/')) {
        left = uses;
        return { body: JSON.stringify({ token: String(++issued) }) };
      }
      if (headers['authorization'] !== `Bearer ${issued}` || left === 0) return challenge;
      left -= 1;
      return undefined;
    };
  }

  it('is renewed when it expires in the middle of a push', async () => {
    const registry = createRegistry(guard(2));
    await push(registry, large);
    expect([...registry.blobs.keys()]).toEqual([digest(large)]);
    const token = 'GET https://auth.example/token?scope=repository%3Ateam%2Fapp%3Apull%2Cpush';
    expect(registry.asked).toEqual([
      exists,
      token,
      exists,
      start,
      first,
      token,
      first,
      second,
      third,
      token,
      third,
      last,
    ]);
    expect(registry.requests.filter(({ url }) => url.includes('/token')).map(({ isFresh }) => isFresh)).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('that is never accepted is not renewed', async () => {
    const registry = createRegistry(guard(0));
    expect(await refusalOf(open(registry).pushBlob(small))).toMatchObject({ status: 401 });
    expect(registry.asked).toHaveLength(3);
  });

  it('is requested once by requests at the same time', async () => {
    const registry = createRegistry(guard(Infinity));
    const opened = open(registry);
    await Promise.all([opened.pushBlob(small), opened.pushBlob(new Uint8Array()), opened.pushBlob(new Uint8Array(1))]);
    expect(registry.asked.filter((line) => line.includes('/token'))).toHaveLength(1);
    expect(registry.blobs.size).toBe(3);
  });

  it('is for the whole push, and for what else the registry asks', async () => {
    const header = 'Bearer realm="https://auth.example/token",scope="repository:team/app:pull registry:catalog:*"';
    const registry = createRegistry((request) => {
      if (request.url.startsWith('https://auth.example/')) return { body: '{"token":"1"}' };
      return request.headers?.['authorization'] === undefined
        ? { status: 401, headers: { 'www-authenticate': header } }
        : undefined;
    });
    await open(registry).pushBlob(small);
    const url = new URL(registry.requests[1]!.url);
    expect(url.searchParams.getAll('scope')).toEqual(['repository:team/app:pull,push', 'registry:catalog:*']);
    await push(registry, large, { credentialsFor: async () => ({ identityToken: 'secret' }) });
    const form = registry.requests.find(({ url: one, method }) => method === 'POST' && one.includes('/token'))!;
    expect(Object.fromEntries(new URLSearchParams(new TextDecoder().decode(form.body)))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'secret',
      client_id: 'kurel',
      scope: 'repository:team/app:pull,push registry:catalog:*',
    });
  });
});

describe('pushManifest', () => {
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = new TextEncoder().encode('{"schemaVersion":2}');

  it('stores the manifest by its digest, then by its tag', async () => {
    const registry = createRegistry();
    await open(registry).pushManifest(manifest, { mediaType });
    await open(registry).pushManifest(manifest, { mediaType, tags: ['1.0'] });
    expect(registry.asked).toEqual(['PUT manifests/<digest>', 'PUT manifests/<digest>', 'PUT manifests/1.0']);
    expect([...registry.manifests.keys()]).toEqual([digest(manifest), '1.0']);
    expect(registry.requests[2]?.headers).toMatchObject({ 'content-type': mediaType });
  });

  it.each<[string, Trick]>([
    ['fails', nth('PUT', 1, says({ status: 500 }))],
    ['reports another digest', nth('PUT', 1, says({ headers: { 'docker-content-digest': digest(small) } }))],
    ['loses the manifest', nth('PUT', 1, says({ status: 201 }))],
    [
      'stores something else',
      (request, usual) => {
        if (request.method === 'PUT')
          Object.assign(request, { body: new TextEncoder().encode('{"schemaVersion":2 }') });
        return request.method === 'PUT' ? (usual(), { status: 201 }) : undefined;
      },
    ],
  ])('leaves no tag if the registry %s', async (_, trick) => {
    const registry = createRegistry(trick);
    const error = await refusalOf(open(registry).pushManifest(manifest, { mediaType, tags: ['1.0'] }));
    expect(error.message).toMatch(/^cannot (?:push to|use) "/);
    expect(registry.manifests.has('1.0')).toBe(false);
  });

  it('fetches the manifest if the registry does not report a digest', async () => {
    const registry = createRegistry(every('PUT', (_, usual) => (usual(), { status: 201 })));
    await open(registry).pushManifest(manifest, { mediaType, tags: ['1.0'] });
    expect(registry.asked).toEqual([
      'PUT manifests/<digest>',
      'GET manifests/<digest>',
      'PUT manifests/1.0',
      'GET manifests/1.0',
    ]);
  });

  it('reports a tag that refers to something else', async () => {
    const reply = { headers: { 'docker-content-digest': digest(small) } };
    const registry = createRegistry(nth('PUT', 2, says(reply)));
    const error = await refusalOf(open(registry).pushManifest(manifest, { mediaType, tags: ['1.0'] }));
    expect(error.message).toBe(
      `cannot push to "oci://registry.example/team/app": it was sent the manifest ${digest(manifest)}, but reports ${digest(small)}`,
    );
  });
});

describe('readRange', () => {
  it.each([
    ['0-0', 0],
    ['0-1', 2],
    ['0-1023', 1024],
    ['bytes=0-1023', 1024],
    [' 0-7 ', 8],
    ['', undefined],
    ['1-2', undefined],
    ['0-', undefined],
    ['0--1', undefined],
    ['0-1e3', undefined],
    ['0-99999999999999999999', undefined],
    ['0-1, 5-7', undefined],
  ])('%j', (header, expected) => expect(readRange(header)).toBe(expected));
});
