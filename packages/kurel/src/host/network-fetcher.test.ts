import { once } from 'node:events';
import { globalAgent } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answers, type LoopbackServer, startServer } from '../../test/loopback-server.ts';
import { selfSigned } from '../../test/self-signed.ts';
import { FetchError, type FetchRequest } from '../model/index.ts';
import { networkFetcher, type NetworkFetcherOptions } from './network-fetcher.ts';

const servers: LoopbackServer[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function serve(answers: Answers, secure?: Parameters<typeof startServer>[1]): Promise<LoopbackServer> {
  const server = await startServer(answers, secure);
  servers.push(server);
  return server;
}

function get(url: string, request: Partial<FetchRequest> = {}, options: NetworkFetcherOptions = {}) {
  const fetcher = networkFetcher({ allowPrivate: true, ...options });
  return fetcher.fetch({ url, allowHost: () => true, maxBytes: 1_000_000, ...request });
}

async function refusalOf(result: Promise<unknown>): Promise<FetchError> {
  const error: unknown = await result.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FetchError);
  return error as FetchError;
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function trickle(socket: Socket, start: string, drop: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(drop), 20);
  socket.on('close', () => clearInterval(timer));
}

function redirect(location: string, status = 302): Answers[string] {
  return (_, response) => response.writeHead(status, { location }).end('elsewhere');
}

describe('an answer', () => {
  it('is given with its URL and headers', async () => {
    const server = await serve({
      '/a': (_, response) => response.writeHead(200, { 'X-Thing': 'yes' }).end('hello'),
    });
    const fetched = await get(`${server.url}/a?b=c#d`, {
      headers: { Authorization: 'Bearer x', accept: 'text/plain' },
    });
    expect(text(fetched.bytes)).toBe('hello');
    expect(fetched.url).toBe(`${server.url}/a?b=c#d`);
    expect(fetched.headers).toMatchObject({ 'x-thing': 'yes' });
    expect(server.requests[0]).toMatchObject({
      method: 'GET',
      url: '/a?b=c',
      headers: {
        host: server.host,
        authorization: 'Bearer x',
        accept: 'text/plain',
        'accept-encoding': 'identity',
        'user-agent': 'kurel',
      },
    });
  });

  it.each([
    [
      'with a length',
      (length: number): Answers[string] =>
        (_, response) => {
          response.writeHead(200, { 'content-length': length }).end(new Uint8Array(length).fill(7));
        },
    ],
    [
      'in chunks',
      (length: number): Answers[string] =>
        (_, response) => {
          response.write(new Uint8Array(length - 1).fill(7));
          response.end(new Uint8Array([7]));
        },
    ],
    [
      'that ends with the connection',
      (length: number): Answers[string] =>
        (request) => {
          request.socket.write('HTTP/1.0 200 OK\r\n\r\n');
          request.socket.end(new Uint8Array(length).fill(7));
        },
    ],
  ] as const)('%s may be as large as the limit, and no byte larger', async (_, answer) => {
    const server = await serve({ '/fits': answer(100_000), '/large': answer(100_001) });
    expect((await get(`${server.url}/fits`, { maxBytes: 100_000 })).bytes).toEqual(new Uint8Array(100_000).fill(7));
    expect(await refusalOf(get(`${server.url}/large`, { maxBytes: 100_000 }))).toMatchObject({ failure: 'size' });
  });

  it('may be empty', async () => {
    const server = await serve({ '/a': (_, response) => response.writeHead(204).end() });
    expect((await get(`${server.url}/a`)).bytes).toEqual(new Uint8Array());
  });

  it('may come in very many pieces', async () => {
    const server = await serve({
      '/a': (request) => {
        request.socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        request.socket.end(`${'1\r\nx\r\n'.repeat(200_000)}0\r\n\r\n`);
      },
    });
    expect(text((await get(`${server.url}/a`)).bytes)).toBe('x'.repeat(200_000));
  });

  it('without end is cut at the limit', async () => {
    let sent = 0;
    let stopped: Promise<unknown> | undefined;
    const server = await serve({
      '/zeros': (_, response) => {
        const block = new Uint8Array(65_536);
        stopped = once(response, 'close');
        const more = (): void => {
          while (sent < 2 ** 30 && !response.destroyed) {
            sent += block.length;
            if (!response.write(block)) return void response.once('drain', more);
          }
          response.end();
        };
        more();
      },
    });
    const error = await refusalOf(get(`${server.url}/zeros`, { maxBytes: 5 * 2 ** 20 }));
    expect(error.failure).toBe('size');
    expect(error.message).toBe(`cannot fetch "${server.url}/zeros": it has more than the 5 MiB that are taken`);
    await stopped;
    expect(sent).toBeLessThan(2 ** 29);
  });

  it('that promises too much is not read', async () => {
    const server = await serve({
      '/a': (_, response) => void response.writeHead(200, { 'content-length': 2 ** 30 }).write('x'),
    });
    const error = await refusalOf(get(`${server.url}/a`, { maxBytes: 10 }));
    expect(error.message).toBe(
      `cannot fetch "${server.url}/a": it has 1024 MiB, more than the 10 bytes that are taken`,
    );
  });

  it.each(['gzip', 'br', 'GZIP, identity', 'x-unknown'])('encoded as %s is refused', async (encoding) => {
    const server = await serve({
      '/a': (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(gzipSync('x')),
    });
    expect(await refusalOf(get(`${server.url}/a`))).toMatchObject({ failure: 'encoding', status: 200 });
  });

  it.each([
    [404, 'the answer was 404 Not Found'],
    [401, 'the answer was 401 Unauthorized'],
    [500, 'the answer was 500 Internal Server Error'],
    [206, 'the answer was 206 Partial Content'],
    [304, 'the answer was 304 Not Modified'],
    [799, 'the answer was 799'],
  ])('of status %i is refused, with its headers', async (status, reason) => {
    const server = await serve({
      '/a': (_, response) =>
        response.writeHead(status, 'Fine, Really', { 'www-authenticate': 'Bearer realm="x"' }).end(),
    });
    const error = await refusalOf(get(`${server.url}/a`));
    expect(error).toMatchObject({ failure: 'status', status, url: `${server.url}/a` });
    expect(error.message).toBe(`cannot fetch "${server.url}/a": ${reason}`);
    expect(error.headers['www-authenticate']).toBe('Bearer realm="x"');
  });

  it.each([
    ['a body shorter than promised', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello'],
    ['chunks without their end', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n'],
    ['no answer', ''],
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 2\r\n\r\nhello'],
    ['endless headers', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`],
  ])('with %s is refused', async (_, answer) => {
    const server = await serve({ '/a': (request) => void request.socket.end(answer) });
    const error = await refusalOf(get(`${server.url}/a`));
    expect(error).toMatchObject({ failure: 'connection', url: `${server.url}/a` });
    expect(error.message).toContain(`cannot fetch "${server.url}/a": `);
  });

  it('that wants to speak something else is refused', async () => {
    const answer = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n';
    const server = await serve({ '/a': (request) => void request.socket.write(answer) });
    expect(await refusalOf(get(`${server.url}/a`))).toMatchObject({ failure: 'status', status: 101 });
  });
});

describe('time', () => {
  it.each([
    ['nothing comes', () => undefined],
    ['a head trickles', (request) => trickle(request.socket, 'HTTP/1.1 200 OK\r\n', 'x: y\r\n')],
    ['a body trickles', (request) => trickle(request.socket, 'HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n', 'x')],
  ] as readonly (readonly [string, Answers[string]])[])('ends when %s', async (_, answer) => {
    const server = await serve({ '/slow': answer });
    const error = await refusalOf(get(`${server.url}/slow`, {}, { timeoutMs: 150 }));
    expect(error).toMatchObject({ failure: 'timeout', url: `${server.url}/slow` });
    expect(error.message).toBe(`cannot fetch "${server.url}/slow": it did not come within 0.15 s`);
  });

  it('is one for all redirects', async () => {
    const server = await serve({
      '/again': (_, response) => void setTimeout(() => response.writeHead(302, { location: '/again' }).end(), 60),
    });
    const error = await refusalOf(get(`${server.url}/again`, {}, { timeoutMs: 200, maxRedirects: 1000 }));
    expect(error.failure).toBe('timeout');
  });

  it('ends when the caller says so, with what the caller says', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const server = await serve({ '/a': () => controller.abort(reason) });
    await expect(get(`${server.url}/a`, { signal: controller.signal })).rejects.toBe(reason);
    await expect(get(`${server.url}/a`, { signal: controller.signal })).rejects.toBe(reason);
    expect(server.requests).toHaveLength(1);
  });
});

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])('of status %i are followed', async (status) => {
    const server = await serve({
      '/a/b': redirect('c?d=e', status),
      '/a/c': (_, response) => response.end('here'),
    });
    const fetched = await get(`${server.url}/a/b`);
    expect(text(fetched.bytes)).toBe('here');
    expect(fetched.url).toBe(`${server.url}/a/c?d=e`);
  });

  it('are followed ten times', async () => {
    const chain = (length: number): Answers =>
      Object.fromEntries([
        ...Array.from({ length }, (_, index) => [`/${index}`, redirect(`/${index + 1}`)] as const),
        [`/${length}`, (_: unknown, response: Parameters<NonNullable<Answers[string]>>[1]) => response.end('end')],
      ]);
    const [ten, eleven] = [await serve(chain(10)), await serve(chain(11))];
    expect(text((await get(`${ten.url}/0`)).bytes)).toBe('end');
    const error = await refusalOf(get(`${eleven.url}/0`));
    expect(error.failure).toBe('redirects');
    expect(error.message).toBe(
      `cannot fetch "${eleven.url}/0": redirected to "${eleven.url}/10": it redirects once more after 10 redirects`,
    );
  });

  it('in a circle end', async () => {
    const server = await serve({ '/a': redirect('/b'), '/b': redirect('/a') });
    expect(await refusalOf(get(`${server.url}/a`))).toMatchObject({ failure: 'redirects' });
    expect(server.requests).toHaveLength(11);
  });

  it.each([
    ['http://169.254.169.254/latest/meta-data', 'address-refused'],
    ['http://[fe80::1]/', 'address-refused'],
    ['http://[::ffff:169.254.169.254]/', 'address-refused'],
    ['http://2852039166/', 'address-refused'],
    ['http://0xa9.0xfe.43518/', 'address-refused'],
    ['ftp://127.0.0.1/x', 'url'],
    ['file:///etc/passwd', 'url'],
    ['data:text/plain,x', 'url'],
    ['gopher://127.0.0.1:70/_x', 'url'],
    ['http://user:secret@127.0.0.1/', 'url'],
    ['http://', 'redirects'],
    ['http://exa mple/', 'redirects'],
  ])('to %s are refused', async (location, failure) => {
    const server = await serve({ '/a': redirect(location) });
    const error = await refusalOf(get(`${server.url}/a`));
    expect(error.failure).toBe(failure);
    expect(error.message).toContain(`cannot fetch "${server.url}/a": `);
    expect(`${error.message}${error.url}`).not.toContain('secret');
  });

  it('name the address that they are refused for', async () => {
    const server = await serve({ '/a': redirect('http://169.254.169.254/latest/meta-data?token=x') });
    const error = await refusalOf(get(`${server.url}/a`));
    expect(error.url).toBe('http://169.254.169.254/latest/meta-data?…');
    expect(error.message).toBe(
      `cannot fetch "${server.url}/a": redirected to "http://169.254.169.254/latest/meta-data?…": ` +
        'its host has the address 169.254.169.254, a link-local address',
    );
  });

  it('without a place are refused', async () => {
    const server = await serve({ '/a': (_, response) => response.writeHead(302).end() });
    expect(await refusalOf(get(`${server.url}/a`))).toMatchObject({ failure: 'redirects', status: 302 });
  });

  it('to a host that may not be asked are refused before it is asked', async () => {
    const other = await serve({ '/b': (_, response) => response.end('secret') });
    const server = await serve({ '/a': redirect(`${other.url}/b`) });
    const asked: string[] = [];
    const allowHost = (host: string): boolean => {
      asked.push(host);
      return host === server.host;
    };
    const error = await refusalOf(get(`${server.url}/a`, { allowHost }));
    expect(error).toMatchObject({ failure: 'host', url: `${other.url}/b` });
    expect(error.message).toBe(
      `cannot fetch "${server.url}/a": redirected to "${other.url}/b": the host "${other.host}" is not allowed`,
    );
    expect(asked).toEqual([server.host, other.host]);
    expect(other.requests).toEqual([]);
  });

  it('to another host take no secrets along, nor back', async () => {
    const headers = { authorization: 'Bearer x', cookie: 'a=b', 'x-api-key': 'y', accept: 'text/plain' };
    const home: LoopbackServer = await serve({
      '/a': redirect('/b'),
      '/b': (_, response) => response.writeHead(302, { location: `${other.url}/c` }).end(),
      '/d': (_, response) => response.end('back'),
    });
    const other: LoopbackServer = await serve({ '/c': redirect(`${home.url}/d`) });
    await get(`${home.url}/a`, { headers });
    const [first, second, last] = home.requests;
    expect([first?.headers, second?.headers]).toMatchObject([headers, headers]);
    for (const request of [other.requests[0], last]) {
      expect(request?.headers).toMatchObject({ accept: 'text/plain', host: expect.any(String) as unknown });
      expect(Object.keys(request?.headers ?? {})).not.toEqual(expect.arrayContaining(['authorization']));
      expect(Object.keys(request?.headers ?? {})).not.toEqual(expect.arrayContaining(['cookie']));
      expect(Object.keys(request?.headers ?? {})).not.toEqual(expect.arrayContaining(['x-api-key']));
    }
  });
});

describe('TLS', () => {
  const certificate = selfSigned();

  it('takes no certificate that nobody vouches for', async () => {
    const server = await serve({ '/a': (_, response) => response.end('x') }, certificate);
    const error = await refusalOf(get(`${server.url}/a`));
    expect(error.failure).toBe('connection');
    expect(error.message).toContain(`cannot fetch "${server.url}/a": its certificate is not trusted (`);
    expect(server.requests).toEqual([]);
  });

  it('is missed where there is none', async () => {
    const server = await serve({});
    const url = server.url.replace('http:', 'https:');
    expect((await refusalOf(get(url))).message).toBe(`cannot fetch "${url}": its host does not speak TLS there`);
  });

  describe('with a trusted certificate', () => {
    // Node reads the certificates that it trusts before a test can say anything.
    beforeEach(() => {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
      vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    });

    it('is not left by a redirect', async () => {
      const plain = await serve({ '/b': (_, response) => response.end('x') });
      const server = await serve(
        { '/a': redirect(`${plain.url}/b`), '/c': redirect('/d'), '/d': (_, response) => response.end('safe') },
        certificate,
      );
      expect(text((await get(`${server.url}/c`)).bytes)).toBe('safe');
      const error = await refusalOf(get(`${server.url}/a`));
      expect(error.failure).toBe('redirects');
      expect(error.message).toBe(
        `cannot fetch "${server.url}/a": redirected to "${plain.url}/b": a redirect may not lead from https to http`,
      );
      expect(plain.requests).toEqual([]);
    });

    it('may be entered by a redirect', async () => {
      const secure = await serve({ '/b': (_, response) => response.end('safe') }, certificate);
      const server = await serve({ '/a': redirect(`${secure.url}/b`) });
      expect(text((await get(`${server.url}/a`)).bytes)).toBe('safe');
    });
  });
});

describe('addresses', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '①②⑦.0.0.1',
    '0',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '224.0.0.1',
    '255.255.255.255',
    'localhost',
    'LOCALHOST',
  ])('%s is not asked', async (host) => {
    const server = await serve({ '/': (_, response) => response.end('secret') });
    const { port } = new URL(server.url);
    const error = await refusalOf(get(`http://${host}:${port}/`, {}, { allowPrivate: false }));
    expect(['address', 'address-refused']).toContain(error.failure);
    expect(error.message).toMatch(/^cannot fetch "http:\/\/.*": its host has the address \S+, an? [-a-z]+ address$/);
    expect(server.requests).toEqual([]);
  });

  it.each([
    '169.254.169.254',
    '169.254.1.1',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '0xa9.0376.43518',
    '169.254.169.254.',
    '[fe80::1]',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[::169.254.169.254]',
    '[64:ff9b::169.254.169.254]',
    '[64:ff9b:1::a9fe:a9fe]',
    '[2002:a9fe:a9fe::]',
    '[2001:0:a9fe:a9fe::]',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '0.0.0.0',
    '0',
    '[::]',
    '224.0.0.1',
    '[ff02::1]',
    '255.255.255.255',
    '240.0.0.1',
    '198.18.0.1',
  ])('%s is never asked', async (host) => {
    const error = await refusalOf(get(`http://${host}/`, {}, { allowPrivate: true }));
    expect(error.failure).toBe('address-refused');
  });

  it('that are private are asked of hosts that the user names, and of no other', async () => {
    const server = await serve({ '/': (_, response) => response.end('mine') });
    const { port } = new URL(server.url);
    const here = await serve({ '/a': redirect(`http://localhost:${port}/`) });
    const error = await refusalOf(get(`${here.url}/a`));
    expect(error.failure).toBe('address-refused');
    expect(error.message).toMatch(/a loopback address, and only hosts that the package names may have one$/);
    expect(server.requests).toEqual([]);
    const isNamedHost = (host: string): boolean => host === `localhost:${port}` || host === here.host;
    expect(text((await get(`${here.url}/a`, { isNamedHost })).bytes)).toBe('mine');
  });

  it.each(['127.0.0.1', '127.1', '2130706433', 'localhost'])('%s is asked where that is allowed', async (host) => {
    const server = await serve({ '/': (_, response) => response.end('mine') });
    expect(text((await get(`http://${host}:${new URL(server.url).port}/`)).bytes)).toBe('mine');
  });

  it.each([
    '',
    'example.com',
    '//example.com/x',
    'ftp://example.com',
    'file:///etc/passwd',
    'oci://example.com/x',
    'https:example.com',
    'https:///example.com',
    'http:\\\\example.com',
    ' https://example.com',
    'https://exa mple.com',
    'https://example.com/\n',
    'https://[::1',
    'https://1.2.3.256/',
    'https://example.com:99999/',
    'https://user:secret@example.com/',
    'https://user@example.com/',
    'https://user:sec ret@example.com/',
  ])('%j is no URL that is taken', async (url) => {
    const error = await refusalOf(get(url));
    expect(error.failure).toBe('url');
    expect(`${error.message}${error.url}`).not.toMatch(/sec ?ret/);
  });

  it('are asked only of hosts that may be asked', async () => {
    const error = await refusalOf(
      get('https://example.com:8443/x', { allowHost: (host) => host !== 'example.com:8443' }),
    );
    expect(error.failure).toBe('host');
    expect(error.message).toBe('cannot fetch "https://example.com:8443/x": the host "example.com:8443" is not allowed');
  });

  it('where nobody listens are refused', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const error = await refusalOf(get(`http://127.0.0.1:${port}/`));
    expect(error.message).toBe(`cannot fetch "http://127.0.0.1:${port}/": nobody answers at its host and port`);
  });

  it('are asked by no agent that others set up, such as one for a proxy', async () => {
    vi.spyOn(globalAgent, 'createConnection').mockImplementation(() => {
      throw new Error('asked by way of a proxy');
    });
    const server = await serve({ '/': (_, response) => response.end('direct') });
    expect(text((await get(server.url)).bytes)).toBe('direct');
  });

  it('cannot be smuggled in by a header', async () => {
    const server = await serve({ '/': (_, response) => response.end() });
    const error = await refusalOf(get(server.url, { headers: { accept: 'a\r\nhost: b' } }));
    expect(error.failure).toBe('connection');
    await get(server.url, { headers: { Host: 'other', 'Accept-Encoding': 'gzip' } });
    expect(server.requests.map(({ headers }) => headers)).toMatchObject([
      { host: server.host, 'accept-encoding': 'identity' },
    ]);
  });
});
