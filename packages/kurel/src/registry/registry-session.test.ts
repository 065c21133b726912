import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { networkFetcher } from '../host/index.ts';
import { FetchError } from '../model/index.ts';
import { type Answers, type LoopbackServer, startServer } from '../../test/loopback-server.ts';
import { fetchOciArtifact } from './repository.ts';
import type { FetchAccess } from './fetch-access.ts';
import { refusalOf } from '../../test/refusal-of.ts';

const chartType = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';
const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const blob = new TextEncoder().encode('a chart');
const blobDigest = digest(blob);

const servers: LoopbackServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function serve(answers: Answers): Promise<LoopbackServer> {
  const server = await startServer(answers);
  servers.push(server);
  return server;
}

function digest(content: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

function layer(content: Uint8Array, mediaType = chartType) {
  return { mediaType, digest: digest(content), size: content.length };
}

function manifestOf(...layers: readonly unknown[]): string {
  return JSON.stringify({ schemaVersion: 2, mediaType: manifestType, config: {}, layers });
}

const manifest = manifestOf(layer(blob));

function send(body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): NonNullable<Answers[string]> {
  return (_, response) => response.writeHead(200, headers).end(body);
}

/** A registry with one manifest under the tag `1.0` and under its digest, and one blob. */
function registry(text = manifest, content: Uint8Array = blob): Answers {
  return {
    '/v2/charts/web/manifests/1.0': send(text, { 'docker-content-digest': digest(text) }),
    [`/v2/charts/web/manifests/${digest(manifest)}`]: send(text),
    [`/v2/charts/web/blobs/${blobDigest}`]: send(content),
  };
}

function get(
  server: LoopbackServer,
  { version = ':1.0', maxBytes = 1000, ...access }: Partial<FetchAccess> & { version?: string; maxBytes?: number } = {},
) {
  return fetchOciArtifact(
    { reference: `oci://${server.host}/charts/web${version}`, maxBytes },
    { fetcher: networkFetcher({ allowPrivate: true }), allowHost: () => true, plainHttp: true, ...access },
  );
}

describe('fetchOciArtifact', () => {
  it.each([':1.0', `@${digest(manifest)}`, `:0.9@${digest(manifest)}`])('gets what %s names', async (version) => {
    const server = await serve(registry());
    expect(await get(server, { version })).toEqual({
      bytes: blob,
      mediaType: chartType,
      digest: blobDigest,
      manifestDigest: digest(manifest),
    });
    expect(server.requests.map(({ headers }) => headers.accept)).toEqual([
      `${manifestType}, application/vnd.oci.image.index.v1+json`,
      '*/*',
    ]);
  });

  it('takes the layer of the chart, or the first', async () => {
    const other = new TextEncoder().encode('signature');
    const plain = 'application/vnd.example';
    const charted = await serve(registry(manifestOf(layer(other, plain), layer(blob))));
    expect((await get(charted)).bytes).toEqual(blob);
    const uncharted = await serve(registry(manifestOf(layer(blob, plain), layer(other, plain))));
    expect(await get(uncharted)).toMatchObject({ bytes: blob, mediaType: plain });
  });

  it('uses plain HTTP only if it is enabled, and only on this machine', async () => {
    const server = await serve(registry());
    const error = await refusalOf(get(server, { plainHttp: false }));
    expect(error.url).toBe(`https://${server.host}/v2/charts/web/manifests/1.0`);
    const asked: string[] = [];
    const fetcher = {
      fetch: (request: { readonly url: string }) => {
        asked.push(request.url);
        return Promise.reject(new Error('enough'));
      },
    };
    const access: FetchAccess = { fetcher, allowHost: () => true, plainHttp: true };
    for (const host of ['example.com', '127.0.0.1.example.com', 'localhost.example.com', '[::1]:5000', 'localhost']) {
      await expect(fetchOciArtifact({ reference: `oci://${host}/a:1`, maxBytes: 1 }, access)).rejects.toThrow('enough');
    }
    expect(asked).toEqual([
      'https://example.com/v2/a/manifests/1',
      'https://127.0.0.1.example.com/v2/a/manifests/1',
      'https://localhost.example.com/v2/a/manifests/1',
      'http://[::1]:5000/v2/a/manifests/1',
      'http://localhost/v2/a/manifests/1',
    ]);
  });

  it.each<[string, Answers, string, string]>([
    ['another blob', registry(manifest, new TextEncoder().encode('another')), ':1.0', 'digest'],
    ['another manifest', registry(manifestOf(layer(blob, 'x'))), `@${digest(manifest)}`, 'digest'],
    [
      'another manifest than it says',
      { ...registry(), '/v2/charts/web/manifests/1.0': send(manifest, { 'docker-content-digest': digest('x') }) },
      ':1.0',
      'digest',
    ],
    ['no such tag', registry(), ':2.0', 'status'],
    ['no JSON', registry('hello'), ':1.0', 'content'],
    ['no object', registry('[]'), ':1.0', 'content'],
    ['an old manifest', registry(JSON.stringify({ schemaVersion: 1 })), ':1.0', 'content'],
    [
      'a list of manifests',
      registry(
        JSON.stringify({ schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests: [] }),
      ),
      ':1.0',
      'content',
    ],
    ['no layers', registry(manifestOf()), ':1.0', 'content'],
    ['layers that are none', registry(manifestOf(null, 'x', [])), ':1.0', 'content'],
    ['a layer without digest', registry(manifestOf({ mediaType: chartType, size: 1 })), ':1.0', 'content'],
    ['a layer elsewhere', registry(manifestOf({ ...layer(blob), digest: '../../../../secrets' })), ':1.0', 'content'],
    [
      'a layer of another hash',
      registry(manifestOf({ ...layer(blob), digest: `sha512:${'0'.repeat(128)}` })),
      ':1.0',
      'content',
    ],
    ['a large layer', registry(manifestOf({ ...layer(blob), size: 2 ** 40 })), ':1.0', 'size'],
    ['a layer larger than it says', registry(manifest, new Uint8Array(5000)), ':1.0', 'size'],
    [
      'a truncated layer',
      {
        ...registry(),
        [`/v2/charts/web/blobs/${blobDigest}`]: (_, response) => {
          response.writeHead(200, { 'content-length': blob.length });
          response.write(blob.subarray(0, 3), () => response.destroy());
        },
      },
      ':1.0',
      'connection',
    ],
    [
      'redirects without end',
      {
        '/v2/charts/web/manifests/1.0': (_, response) =>
          response.writeHead(307, { location: '/v2/charts/web/manifests/1.0?again' }).end(),
      },
      ':1.0',
      'redirects',
    ],
    ['a web page', registry('<!doctype html><title>Log in</title>'), ':1.0', 'content'],
    ['a large manifest', registry(' '.repeat(5 * 2 ** 20)), ':1.0', 'size'],
  ])('refuses %s', async (_, answers, version, failure) => {
    const server = await serve(answers);
    const error = await refusalOf(get(server, { version }));
    expect(error.failure).toBe(failure);
    expect(error.message).toContain(server.host);
  });
});

describe('a registry that requires a token', () => {
  /** Serves the manifest and the blob only with the token. */
  function guarded(
    challenge: (server: () => LoopbackServer) => string,
    token: () => string | Uint8Array,
  ): Promise<LoopbackServer> {
    let server: LoopbackServer | undefined;
    const guard =
      (answer: NonNullable<Answers[string]>): NonNullable<Answers[string]> =>
      (request, response) => {
        if (request.headers.authorization === 'Bearer abc') answer(request, response);
        else response.writeHead(401, { 'www-authenticate': challenge(() => server!) }).end();
      };
    const answers = Object.entries(registry()).map(([path, answer]) => [path, guard(answer)] as const);
    return serve({ ...Object.fromEntries(answers), '/token': (_, response) => response.end(token()) }).then(
      (started) => (server = started),
    );
  }

  it.each(['token', 'access_token'])('issues an anonymous token (%s), which is requested once', async (key) => {
    const server = await guarded(
      (self) => `Bearer realm="${self().url}/token?x=y",service="a b",scope="repository:charts/web:pull"`,
      () => JSON.stringify({ [key]: 'abc' }),
    );
    expect((await get(server)).bytes).toEqual(blob);
    expect(server.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/v2/charts/web/manifests/1.0', undefined],
      ['/token?x=y&service=a+b&scope=repository%3Acharts%2Fweb%3Apull', undefined],
      ['/v2/charts/web/manifests/1.0', 'Bearer abc'],
      [`/v2/charts/web/blobs/${blobDigest}`, 'Bearer abc'],
    ]);
  });

  it('does not have to set a scope', async () => {
    const server = await guarded(
      (self) => `Bearer realm="${self().url}/token"`,
      () => '{"token":"abc"}',
    );
    await get(server);
    expect(server.requests[1]?.url).toBe('/token?scope=repository%3Acharts%2Fweb%3Apull');
  });

  it('cannot use a token service on a host that is not allowed', async () => {
    const other = await serve({ '/token': send('{"token":"abc"}') });
    const server = await guarded(
      () => `Bearer realm="${other.url}/token"`,
      () => '',
    );
    const error = await refusalOf(get(server, { allowHost: (host) => host === server.host }));
    expect(error.failure).toBe('host');
    expect(error.message).toContain(`host "${other.host}" is not allowed`);
    expect(other.requests).toEqual([]);
  });

  it.each([
    ['another token', '{"token":"wrong"}', 'status'],
    ['no token', '{}', 'content'],
    ['a token that is none', '{"token":5}', 'content'],
    ['a token that would break out of its header', '{"token":"abc\\r\\nhost: x"}', 'content'],
    ['no JSON', 'abc', 'content'],
  ])('is rejected if it returns %s', async (_, token, failure) => {
    const server = await guarded(
      (self) => `Bearer realm="${self().url}/token"`,
      () => token,
    );
    expect((await refusalOf(get(server))).failure).toBe(failure);
    expect(server.requests.length).toBeLessThan(4);
  });

  it.each(['ftp://example.com/token', 'token', 'file:///etc/passwd', ''])(
    'cannot use the token service %j',
    async (realm) => {
      const server = await guarded(
        () => `Bearer realm="${realm}"`,
        () => '',
      );
      const error = await refusalOf(get(server));
      expect(error.failure).toBe('content');
      expect(error.message).toContain('is not an https:// URL');
    },
  );

  it.each(['http://169.254.169.254/token', 'http://localhost/token', 'http://[fd00:ec2::254]/token'])(
    'cannot use a token service at %s, which the package does not name',
    async (realm) => {
      const server = await guarded(
        () => `Bearer realm="${realm}"`,
        () => '',
      );
      expect((await refusalOf(get(server))).failure).toBe('address-refused');
    },
  );

  it('cannot redirect to a private host for a blob', async () => {
    const server = await serve({
      ...registry(),
      [`/v2/charts/web/blobs/${blobDigest}`]: (_, response) =>
        response.writeHead(307, { location: 'http://localhost/blob' }).end(),
    });
    expect((await refusalOf(get(server))).failure).toBe('address-refused');
  });

  it('is rejected if it requires a user', async () => {
    const server = await guarded(
      () => 'Basic realm="registry"',
      () => '',
    );
    const error = await refusalOf(get(server));
    expect(error).toMatchObject({ failure: 'status', status: 401 });
    expect(error.message).toContain(`cannot fetch "${server.url}/v2/charts/web/manifests/1.0"`);
    expect(error.message).toMatch(/401 Unauthorized; it requires a login$/);
  });

  it('does not send the token to the host that stores a blob', async () => {
    const store = await serve({ '/blob': send(blob) });
    const server = await serve({
      '/token': send('{"token":"abc"}'),
      '/v2/charts/web/manifests/1.0': (request, response) => {
        if (request.headers.authorization !== undefined) response.end(manifest);
        else
          response.writeHead(401, { 'www-authenticate': `Bearer realm="http://${request.headers.host}/token"` }).end();
      },
      [`/v2/charts/web/blobs/${blobDigest}`]: (_, response) =>
        response.writeHead(307, { location: `${store.url}/blob?signature=x` }).end(),
    });
    expect((await get(server)).bytes).toEqual(blob);
    expect(store.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it('receives one more token request if it rejects the token later', async () => {
    const server = await serve({
      '/token': send('{"token":"abc"}'),
      '/v2/charts/web/manifests/1.0': (request, response) => {
        if (request.headers.authorization !== undefined) response.end(manifest);
        else
          response.writeHead(401, { 'www-authenticate': `Bearer realm="http://${request.headers.host}/token"` }).end();
      },
      [`/v2/charts/web/blobs/${blobDigest}`]: (request, response) =>
        response.writeHead(401, { 'www-authenticate': `Bearer realm="http://${request.headers.host}/token"` }).end(),
    });
    expect(await refusalOf(get(server))).toMatchObject({ failure: 'status', status: 401 });
    expect(server.requests.filter(({ url }) => url?.startsWith('/token'))).toHaveLength(2);
  });

  it('chooses its token service itself, not a host that it redirects to', async () => {
    const store = await serve({
      '/blob': (request, response) =>
        response.writeHead(401, { 'www-authenticate': `Bearer realm="http://${request.headers.host}/token"` }).end(),
    });
    const server = await serve({
      ...registry(),
      [`/v2/charts/web/blobs/${blobDigest}`]: (_, response) =>
        response.writeHead(307, { location: `${store.url}/blob` }).end(),
    });
    expect(await refusalOf(get(server))).toMatchObject({ failure: 'status', status: 401, url: `${store.url}/blob` });
    expect(store.requests.map(({ url }) => url)).toEqual(['/blob']);
  });

  it('cannot use an http:// token service over https://', async () => {
    const asked: string[] = [];
    const fetcher = {
      fetch: ({ url }: { readonly url: string }) => {
        asked.push(url);
        const headers = { 'www-authenticate': 'Bearer realm="http://auth.example.com/token"' };
        return Promise.reject(new FetchError('status', 'no', { url, status: 401, headers }));
      },
    };
    const access: FetchAccess = { fetcher, allowHost: () => true, plainHttp: true };
    const error = await refusalOf(fetchOciArtifact({ reference: 'oci://example.com/a:1', maxBytes: 1 }, access));
    expect(error.failure).toBe('content');
    expect(asked).toEqual(['https://example.com/v2/a/manifests/1']);
  });
});
