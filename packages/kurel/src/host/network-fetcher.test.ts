import { once } from 'node:events';
import { globalAgent } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answers, type LoopbackServer, startServer } from '../../test/loopback-server.ts';
import { selfSigned } from '../../test/self-signed.ts';
import type { FetchRequest } from '../model/index.ts';
import { networkFetcher, type NetworkFetcherOptions } from './network-fetcher.ts';
import { refusalOf } from '../../test/refusal-of.ts';

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

describe('a response', () => {
  it('has its URL and headers', async () => {
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
    const { bytes } = await get(`${server.url}/fits`, { maxBytes: 100_000 });
    expect(Buffer.alloc(100_000, 7).equals(bytes)).toBe(true);
    expect(await refusalOf(get(`${server.url}/large`, { maxBytes: 100_000 }))).toMatchObject({ failure: 'size' });
  });

  it('may be empty', async () => {
    const server = await serve({ '/a': (_, response) => response.writeHead(204).end() });
    expect((await get(`${server.url}/a`)).bytes).toEqual(new Uint8Array());
  });

  it('may have very many chunks', { tags: 'slow' }, async () => {
    const server = await serve({
      '/a': (request) => {
        request.socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        request.socket.end(`${'1\r\nx\r\n'.repeat(200_000)}0\r\n\r\n`);
      },
    });
    expect(text((await get(`${server.url}/a`)).bytes)).toBe('x'.repeat(200_000));
  });

  it('without an end is cut at the limit', async () => {
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
    expect(error.message).toBe(`cannot fetch "${server.url}/zeros": it has more than the limit of 5 MiB`);
    await stopped;
    expect(sent).toBeLessThan(2 ** 29);
  });

  it('with a content-length above the limit is not read', async () => {
    const server = await serve({
      '/a': (_, response) => void response.writeHead(200, { 'content-length': 2 ** 30 }).write('x'),
    });
    const error = await refusalOf(get(`${server.url}/a`, { maxBytes: 10 }));
    expect(error.message).toBe(`cannot fetch "${server.url}/a": it has 1024 MiB, more than the limit of 10 bytes`);
  });

  it.each(['gzip', 'br', 'GZIP, identity', 'x-unknown'])('with content-encoding %s is an error', async (encoding) => {
    const server = await serve({
      '/a': (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(gzipSync('x')),
    });
    expect(await refusalOf(get(`${server.url}/a`))).toMatchObject({ failure: 'encoding', status: 200 });
  });

  it.each([
    [404, 'the server answered 404 Not Found'],
    [401, 'the server answered 401 Unauthorized'],
    [500, 'the server answered 500 Internal Server Error'],
    [206, 'the server answered 206 Partial Content'],
    [304, 'the server answered 304 Not Modified'],
    [799, 'the server answered 799'],
  ])('with status %i is an error that has its headers', async (status, reason) => {
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
    ['no content', ''],
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 2\r\n\r\nhello'],
    ['endless headers', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`],
  ])('with %s is an error', async (_, answer) => {
    const server = await serve({ '/a': (request) => void request.socket.end(answer) });
    const error = await refusalOf(get(`${server.url}/a`));
    expect(error).toMatchObject({ failure: 'connection', url: `${server.url}/a` });
    expect(error.message).toContain(`cannot fetch "${server.url}/a": `);
  });

  it('that switches protocols is an error', async () => {
    const answer = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n';
    const server = await serve({ '/a': (request) => void request.socket.write(answer) });
    expect(await refusalOf(get(`${server.url}/a`))).toMatchObject({ failure: 'status', status: 101 });
  });
});

describe('the timeout', { tags: 'slow' }, () => {
  it.each([
    ['there is no response', () => undefined],
    ['a head trickles', (request) => trickle(request.socket, 'HTTP/1.1 200 OK\r\n', 'x: y\r\n')],
    ['a body trickles', (request) => trickle(request.socket, 'HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n', 'x')],
  ] as readonly (readonly [string, Answers[string]])[])('applies when %s', async (_, answer) => {
    const server = await serve({ '/slow': answer });
    const error = await refusalOf(get(`${server.url}/slow`, {}, { timeoutMs: 150 }));
    expect(error).toMatchObject({ failure: 'timeout', url: `${server.url}/slow` });
    expect(error.message).toBe(`cannot fetch "${server.url}/slow": no complete response within 0.15 s`);
  });

  it('includes all redirects', async () => {
    const server = await serve({
      '/again': (_, response) => void setTimeout(() => response.writeHead(302, { location: '/again' }).end(), 60),
    });
    const error = await refusalOf(get(`${server.url}/again`, {}, { timeoutMs: 200, maxRedirects: 1000 }));
    expect(error.failure).toBe('timeout');
  });

  it('is cut short by an abort, with its reason', async () => {
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
      `cannot fetch "${eleven.url}/0": redirected to "${eleven.url}/10": more than 10 redirects`,
    );
  });

  it('in a cycle end', async () => {
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
  ])('to %s are an error', async (location, failure) => {
    const server = await serve({ '/a': redirect(location) });
    const error = await refusalOf(get(`${server.url}/a`));
    expect(error.failure).toBe(failure);
    expect(error.message).toContain(`cannot fetch "${server.url}/a": `);
    expect(`${error.message}${error.url}`).not.toContain('secret');
  });

  it('name the address that is not allowed', async () => {
    const server = await serve({ '/a': redirect('http://169.254.169.254/latest/meta-data?token=x') });
    const error = await refusalOf(get(`${server.url}/a`));
    expect(error.url).toBe('http://169.254.169.254/latest/meta-data?…');
    expect(error.message).toBe(
      `cannot fetch "${server.url}/a": redirected to "http://169.254.169.254/latest/meta-data?…": ` +
        'its host has address 169.254.169.254, a link-local address',
    );
  });

  it('without a location are an error', async () => {
    const server = await serve({ '/a': (_, response) => response.writeHead(302).end() });
    expect(await refusalOf(get(`${server.url}/a`))).toMatchObject({ failure: 'redirects', status: 302 });
  });

  it('to a host that is not allowed are not followed', async () => {
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
      `cannot fetch "${server.url}/a": redirected to "${other.url}/b": host "${other.host}" is not allowed`,
    );
    expect(asked).toEqual([server.host, other.host]);
    expect(other.requests).toEqual([]);
  });

  it('to another host drop secret headers, even on the way back', async () => {
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

describe('a busy server', () => {
  const waits: number[] = [];
  beforeEach(() => void waits.splice(0));

  async function ask(answers: readonly (readonly [status: number, retryAfter?: string])[], request = {}) {
    const left = [...answers];
    const bodies: string[] = [];
    const server = await serve({
      '/a': (incoming, response) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          bodies.push(Buffer.concat(chunks).toString());
          const [status, retryAfter] = left.shift() ?? [200];
          response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end('hello');
        });
      },
    });
    const wait = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
    const fetcher = networkFetcher({ allowPrivate: true }, wait);
    const result = fetcher.fetch({ url: `${server.url}/a`, allowHost: () => true, maxBytes: 100, ...request });
    return { result, bodies };
  }

  it('is asked again when it says so', async () => {
    const body = new TextEncoder().encode('twice');
    const { result, bodies } = await ask(
      [
        [503, '1'],
        [429, ' 20 '],
      ],
      { method: 'PUT', body },
    );
    expect(text((await result).bytes)).toBe('hello');
    expect(waits).toEqual([1000, 20_000]);
    expect(bodies).toEqual(['twice', 'twice', 'twice']);
  });

  it.each<[string, readonly (readonly [number, string?])[], number]>([
    ['too often', Array.from({ length: 9 }, () => [429, '0'] as const), 4],
    ['too late', [[429, '21']], 1],
    ['much too late', [[503, '99999999999999999999']], 1],
    ['never', [[503]], 1],
    ['on a day', [[503, 'Fri, 31 Dec 1999 23:59:59 GMT']], 1],
    ['in the past', [[503, '-1']], 1],
    ['in its own way', [[503, 'soon']], 1],
    ['and is not busy', [[500, '1']], 1],
  ])('is not asked again when it says %s', async (_, answers, count) => {
    const { result, bodies } = await ask(answers);
    expect(await refusalOf(result)).toMatchObject({ failure: 'status', status: answers[0]![0] });
    expect(bodies).toHaveLength(count);
  });

  it('is not waited for when the program ends', async () => {
    const ending = new AbortController();
    const server = await serve({ '/a': (_, response) => response.writeHead(429, { 'retry-after': '20' }).end() });
    const result = get(`${server.url}/a`, { signal: ending.signal });
    await vi.waitFor(() => expect(server.requests).toHaveLength(1));
    setTimeout(() => ending.abort(new Error('the end')), 20);
    await expect(result).rejects.toThrow();
  });
});

describe('a request to write', () => {
  it('is reported as such, without the query of its URL', async () => {
    const server = await serve({ '/upload': (_, response) => response.writeHead(403).end() });
    const url = `${server.url}/upload?signature=secret`;
    const body = new TextEncoder().encode('x');
    const error = await refusalOf(get(url, { method: 'PUT', body, intent: 'push' }));
    expect(error.message).toBe(`cannot push to "${server.url}/upload?…": the server answered 403 Forbidden`);
    expect(error.url).toBe(url);
  });

  it('is not redirected', async () => {
    const server = await serve({ '/a': redirect('/b', 307) });
    const error = await refusalOf(get(`${server.url}/a`, { method: 'PUT', body: new Uint8Array(1), intent: 'push' }));
    expect(error.message).toBe(`cannot push to "${server.url}/a": it redirects PUT, which is not allowed`);
    expect(server.requests).toHaveLength(1);
  });

  it('has more time if it is large', { tags: 'slow' }, async () => {
    const server = await serve({
      '/a': (request, response) => {
        request.resume();
        // Longer than the limit for one response, and shorter than that for this request.
        request.on('end', () => setTimeout(() => response.end('stored'), 300));
      },
    });
    const put = (size: number) =>
      get(`${server.url}/a`, { method: 'PUT', body: new Uint8Array(size) }, { timeoutMs: 150 });
    expect(text((await put(20 * 1_048_576)).bytes)).toBe('stored');
    expect((await refusalOf(put(1000))).message).toMatch(/no complete response within 0\.15 s$/);
  });
});

describe('TLS', () => {
  const certificate = selfSigned();

  it('rejects an untrusted certificate', async () => {
    const server = await serve({ '/a': (_, response) => response.end('x') }, certificate);
    const error = await refusalOf(get(`${server.url}/a`));
    expect(error.failure).toBe('connection');
    expect(error.message).toContain(`cannot fetch "${server.url}/a": its certificate is not trusted (`);
    expect(server.requests).toEqual([]);
  });

  it('is required for https', async () => {
    const server = await serve({});
    const url = server.url.replace('http:', 'https:');
    expect((await refusalOf(get(url))).message).toBe(
      `cannot fetch "${url}": its host does not support TLS on this port`,
    );
  });

  describe('with a trusted certificate', () => {
    // A test cannot add a trusted certificate, because Node reads them at start.
    beforeEach(() => {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
      vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    });

    it('rejects a redirect to http', async () => {
      const plain = await serve({ '/b': (_, response) => response.end('x') });
      const server = await serve(
        { '/a': redirect(`${plain.url}/b`), '/c': redirect('/d'), '/d': (_, response) => response.end('safe') },
        certificate,
      );
      expect(text((await get(`${server.url}/c`)).bytes)).toBe('safe');
      const error = await refusalOf(get(`${server.url}/a`));
      expect(error.failure).toBe('redirects');
      expect(error.message).toBe(
        `cannot fetch "${server.url}/a": redirected to "${plain.url}/b": a redirect from https to http is not allowed`,
      );
      expect(plain.requests).toEqual([]);
    });

    it('allows a redirect from http', async () => {
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
  ])('%s is not contacted', async (host) => {
    const server = await serve({ '/': (_, response) => response.end('secret') });
    const { port } = new URL(server.url);
    const error = await refusalOf(get(`http://${host}:${port}/`, {}, { allowPrivate: false }));
    expect(['address', 'address-refused']).toContain(error.failure);
    expect(error.message).toMatch(/^cannot fetch "http:\/\/.*": its host has address \S+, an? [-a-z]+ address$/);
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
  ])('%s is never contacted', async (host) => {
    const error = await refusalOf(get(`http://${host}/`, {}, { allowPrivate: true }));
    expect(error.failure).toBe('address-refused');
  });

  it('that are private are allowed only for hosts that the user names', async () => {
    const server = await serve({ '/': (_, response) => response.end('mine') });
    const { port } = new URL(server.url);
    const here = await serve({ '/a': redirect(`http://localhost:${port}/`) });
    const error = await refusalOf(get(`${here.url}/a`));
    expect(error.failure).toBe('address-refused');
    expect(error.message).toMatch(/a loopback address, which is allowed only for hosts that the package names$/);
    expect(server.requests).toEqual([]);
    const isNamedHost = (host: string): boolean => host === `localhost:${port}` || host === here.host;
    expect(text((await get(`${here.url}/a`, { isNamedHost })).bytes)).toBe('mine');
  });

  it.each(['127.0.0.1', '127.1', '2130706433', 'localhost'])(
    '%s is contacted if private addresses are allowed',
    async (host) => {
      const server = await serve({ '/': (_, response) => response.end('mine') });
      expect(text((await get(`http://${host}:${new URL(server.url).port}/`)).bytes)).toBe('mine');
    },
  );

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
  ])('%j is not a valid URL', async (url) => {
    const error = await refusalOf(get(url));
    expect(error.failure).toBe('url');
    expect(`${error.message}${error.url}`).not.toMatch(/sec ?ret/);
  });

  it('of hosts that are not allowed are not contacted', async () => {
    const error = await refusalOf(
      get('https://example.com:8443/x', { allowHost: (host) => host !== 'example.com:8443' }),
    );
    expect(error.failure).toBe('host');
    expect(error.message).toBe('cannot fetch "https://example.com:8443/x": host "example.com:8443" is not allowed');
  });

  it('without a server are an error', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const error = await refusalOf(get(`http://127.0.0.1:${port}/`));
    expect(error.message).toBe(`cannot fetch "http://127.0.0.1:${port}/": the connection was refused`);
  });

  it('are contacted without the global agent, which may use a proxy', async () => {
    vi.spyOn(globalAgent, 'createConnection').mockImplementation(() => {
      throw new Error('used a proxy');
    });
    const server = await serve({ '/': (_, response) => response.end('direct') });
    expect(text((await get(server.url)).bytes)).toBe('direct');
  });

  it('cannot be changed by a header', async () => {
    const server = await serve({ '/': (_, response) => response.end() });
    const error = await refusalOf(get(server.url, { headers: { accept: 'a\r\nhost: b' } }));
    expect(error.failure).toBe('connection');
    await get(server.url, { headers: { Host: 'other', 'Accept-Encoding': 'gzip' } });
    expect(server.requests.map(({ headers }) => headers)).toMatchObject([
      { host: server.host, 'accept-encoding': 'identity' },
    ]);
  });
});
