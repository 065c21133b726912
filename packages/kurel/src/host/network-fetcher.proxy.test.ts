import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../test/loopback-server.ts';
import type { Answers, LoopbackServer } from '../../test/loopback-server.ts';
import { selfSigned } from '../../test/self-signed.ts';
import { startProxy } from '../../test/start-proxy.ts';
import type { ProxyOptions, TestProxy } from '../../test/start-proxy.ts';
import type { FetchRequest } from '../model/index.ts';
import { networkFetcher } from './network-fetcher.ts';
import type { NetworkFetcherOptions } from './network-fetcher.ts';
import { refusalOf } from '../../test/refusal-of.ts';

const certificate = selfSigned('server.example');
const proxyCertificate = selfSigned();
let place = '';
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'kurel-proxy-'));
  writeFileSync(join(place, 'ca.pem'), `${certificate.cert}# and\n${proxyCertificate.cert}`);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const running: { readonly stop: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
});

async function serve(answers: Answers, secure?: Parameters<typeof startServer>[1]): Promise<LoopbackServer> {
  const server = await startServer(answers, secure);
  running.push(server);
  return server;
}

async function open(options: ProxyOptions = {}): Promise<TestProxy> {
  const proxy = await startProxy(options);
  running.push(proxy);
  return proxy;
}

const trusted = (): Readonly<Record<string, string>> => ({ SSL_CERT_FILE: join(place, 'ca.pem') });

function get(
  url: string,
  environment: Readonly<Record<string, string>>,
  { request = {}, ...options }: NetworkFetcherOptions & { readonly request?: Partial<FetchRequest> } = {},
) {
  const fetcher = networkFetcher({ environment: { ...trusted(), ...environment }, ...options });
  return fetcher.fetch({ url, allowHost: () => true, maxBytes: 1000, ...request });
}

const portOf = (server: LoopbackServer): string => new URL(server.url).port;
const hello: Answers = { '/a': (_, response) => response.end('hello') };
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('through a proxy', { tags: 'slow' }, () => {
  it('an https:// server is asked in a tunnel', async () => {
    const server = await serve(hello, certificate);
    const proxy = await open();
    const url = `https://server.example:${portOf(server)}/a?b=c`;
    const headers = { authorization: 'Bearer secret' };
    const fetched = await get(url, { HTTPS_PROXY: `http://${proxy.host}` }, { request: { headers } });
    expect([text(fetched.bytes), fetched.url]).toEqual(['hello', url]);
    // The proxy sees where the tunnel leads to, and nothing else.
    expect(proxy.lines).toEqual([`CONNECT server.example:${portOf(server)}`]);
    expect(server.requests[0]).toMatchObject({
      url: '/a?b=c',
      headers: { host: `server.example:${portOf(server)}`, authorization: 'Bearer secret' },
    });
  });

  it('an http:// server is asked with its whole URL', async () => {
    const server = await serve(hello);
    const proxy = await open();
    const url = `http://server.example:${portOf(server)}/a?b=c#d`;
    expect(text((await get(url, { HTTP_PROXY: proxy.host })).bytes)).toBe('hello');
    expect(proxy.lines).toEqual([`GET http://server.example:${portOf(server)}/a?b=c`]);
    expect(server.requests[0]?.headers).toMatchObject({ host: `server.example:${portOf(server)}` });
  });

  it.each(['http', 'https'])('an %s:// server never gets the password of the proxy', async (scheme) => {
    const server = await serve(hello, scheme === 'https' ? certificate : undefined);
    const proxy = await open();
    const environment = { [`${scheme.toUpperCase()}_PROXY`]: `http://ann:s%40cret@${proxy.host}` };
    await get(`${scheme}://server.example:${portOf(server)}/a`, environment);
    expect(proxy.lines[0]).toMatch(new RegExp(` Basic ${btoa('ann:s@cret')}$`));
    expect(JSON.stringify(server.requests[0]?.headers)).not.toMatch(/proxy-auth|Basic/);
  });

  it('redirects and bodies work, also through a proxy with TLS', async () => {
    const server: LoopbackServer = await serve(
      {
        '/a': (_, response) => response.writeHead(302, { location: '/b' }).end(),
        '/b': (_, response) => response.end('moved'),
        '/put': (request, response) => request.pipe(response),
      },
      certificate,
    );
    const proxy = await open({ secure: proxyCertificate });
    const environment = { HTTPS_PROXY: `https://${proxy.host}` };
    const root = `https://server.example:${portOf(server)}`;
    expect(text((await get(`${root}/a`, environment)).bytes)).toBe('moved');
    const body = new TextEncoder().encode('sent');
    expect(text((await get(`${root}/put`, environment, { request: { method: 'PUT', body } })).bytes)).toBe('sent');
    expect(proxy.lines).toHaveLength(3);
    const plain = await serve(hello);
    const url = `http://server.example:${portOf(plain)}/a`;
    expect(text((await get(url, { HTTP_PROXY: `https://${proxy.host}` })).bytes)).toBe('hello');
  });

  it('hosts in NO_PROXY, and this machine, are asked directly', async () => {
    const proxy = await open();
    const server = await serve(hello);
    const environment = { HTTP_PROXY: proxy.host, NO_PROXY: '.invalid' };
    expect(text((await get(`${server.url}/a`, environment, { allowPrivate: true })).bytes)).toBe('hello');
    expect((await refusalOf(get('http://a.invalid/', environment))).message).toMatch(
      /its host (?:does not exist|cannot be resolved now)$/,
    );
    expect(proxy.lines).toEqual([]);
  });

  it.each([
    ['127.0.0.1', 'address'],
    ['localhost', 'address'],
    ['[::1]', 'address'],
    ['10.0.0.1', 'address'],
    ['2130706433', 'address'],
    ['169.254.169.254', 'address-refused'],
    ['[::ffff:169.254.169.254]', 'address-refused'],
    ['metadata.google.internal', 'address-refused'],
    ['Metadata.Google.Internal.', 'address-refused'],
  ])('%s is not asked', async (host, failure) => {
    const proxy = await open();
    const environment = { HTTP_PROXY: proxy.host, HTTPS_PROXY: proxy.host };
    for (const scheme of ['http', 'https']) {
      expect((await refusalOf(get(`${scheme}://${host}/`, environment))).failure).toBe(failure);
    }
    expect(proxy.lines).toEqual([]);
  });

  it('private addresses are asked only if that is allowed, for hosts that the user names', async () => {
    const server = await serve(hello);
    const proxy = await open();
    const environment = { HTTP_PROXY: proxy.host };
    const url = `http://10.1.2.3:${portOf(server)}/a`;
    expect(text((await get(url, environment, { allowPrivate: true })).bytes)).toBe('hello');
    const request = { isNamedHost: () => false };
    const error = await refusalOf(get(url, environment, { allowPrivate: true, request }));
    expect(error.failure).toBe('address-refused');
    expect(proxy.lines).toHaveLength(1);
  });

  it('hosts that are not allowed are not asked, not even after a redirect', async () => {
    const proxy = await open();
    const server = await serve({
      '/a': (_, response) => response.writeHead(302, { location: 'http://b.example/' }).end(),
    });
    const allowHost = (host: string): boolean => host === `server.example:${portOf(server)}`;
    const url = `http://server.example:${portOf(server)}/a`;
    const error = await refusalOf(get(url, { HTTP_PROXY: proxy.host }, { request: { allowHost } }));
    expect(error).toMatchObject({ failure: 'host', url: 'http://b.example/' });
    expect(proxy.lines).toHaveLength(1);
  });
});

describe('a proxy', () => {
  it('whose URL is not valid is an error that does not show it', async () => {
    const error = await refusalOf(get('https://server.example/', { HTTPS_PROXY: 'socks5://ann:secret@proxy:1080' }));
    expect(error.message).toBe(
      'cannot fetch "https://server.example/": HTTPS_PROXY must be the URL of an http:// or https:// proxy',
    );
  });

  it('that does not exist is an error', async () => {
    const proxy = await startProxy();
    await proxy.stop();
    for (const scheme of ['http', 'https']) {
      const environment = { [`${scheme.toUpperCase()}_PROXY`]: `http://ann:secret@${proxy.host}` };
      expect((await refusalOf(get(`${scheme}://server.example/`, environment))).message).toBe(
        `cannot fetch "${scheme}://server.example/": the proxy "${proxy.host}" cannot be used: the connection was refused`,
      );
    }
  });

  it.each<[string, NonNullable<ProxyOptions['onConnect']>, RegExp]>([
    [
      'requires a password',
      (_, socket) => void socket.end('HTTP/1.1 407 x\r\n\r\n'),
      /it answered 407 Proxy Authentication Required$/,
    ],
    ['forbids it', (_, socket) => void socket.end('HTTP/1.1 403 \x1b[2J\r\n\r\n'), /it answered 403 Forbidden$/],
    [
      'redirects it',
      (_, socket) => void socket.end('HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\n\r\n'),
      /it answered 302 Found$/,
    ],
    [
      'answers itself',
      (_, socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\nfake'),
      /it does not forward the connection$/,
    ],
    ['does not speak HTTP', (_, socket) => void socket.end('220 smtp\r\n\r\n'), /the response is not HTTP \(/],
    ['hangs up', (_, socket) => socket.destroy(), /the connection was closed early$/],
  ])('that %s is an error', async (_, onConnect, reason) => {
    const proxy = await open({ onConnect });
    const error = await refusalOf(get('https://server.example/', { HTTPS_PROXY: proxy.host }));
    expect(error.failure).toBe('connection');
    expect(error.message).toMatch(
      /^cannot fetch "https:\/\/server\.example\/": the proxy "127\.0\.0\.1:\d+" cannot be used: /,
    );
    expect(error.message).toMatch(reason);
  });

  it('that opens a tunnel and hangs up is an error', async () => {
    const proxy = await open({ onConnect: (_, socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n') });
    const error = await refusalOf(get('https://server.example/', { HTTPS_PROXY: proxy.host }));
    expect(error.failure).toBe('connection');
  });

  it('cannot pretend to be the server', async () => {
    const server = await serve(hello, selfSigned('other.example'));
    const proxy = await open();
    const url = `https://server.example:${portOf(server)}/a`;
    const error = await refusalOf(get(url, { HTTPS_PROXY: proxy.host }));
    expect(error.message).toMatch(/: its certificate is not trusted \(/);
    expect(server.requests).toEqual([]);
    // A certificate that is trusted, but for another name.
    const trustedServer = await serve(hello, certificate);
    const other = `https://other.example:${portOf(trustedServer)}/a`;
    expect((await refusalOf(get(other, { HTTPS_PROXY: proxy.host }))).message).toMatch(
      /: its certificate is not trusted \(/,
    );
    expect(trustedServer.requests).toEqual([]);
  });

  it('that never answers is given up', async () => {
    const proxy = await open({ onConnect: () => undefined });
    const error = await refusalOf(get('https://server.example/', { HTTPS_PROXY: proxy.host }, { timeoutMs: 100 }));
    expect(error.message).toBe('cannot fetch "https://server.example/": no complete response within 0.1 s');
  });

  it('that opens a tunnel to nowhere is given up', async () => {
    const proxy = await open({ onConnect: (_, socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n') });
    const error = await refusalOf(get('https://server.example/', { HTTPS_PROXY: proxy.host }, { timeoutMs: 100 }));
    expect(error.failure).toBe('timeout');
  });

  it('with a certificate that is not trusted is an error', async () => {
    const proxy = await open({ secure: selfSigned() });
    const error = await refusalOf(get('https://server.example/', { HTTPS_PROXY: `https://${proxy.host}` }));
    expect(error.message).toMatch(/the proxy "127\.0\.0\.1:\d+" cannot be used: its certificate is not trusted \(/);
    expect(proxy.lines).toEqual([]);
  });
});

describe('certificates in SSL_CERT_FILE', () => {
  it('are trusted in addition to others', async () => {
    const server = await serve(hello, proxyCertificate);
    expect(text((await get(`${server.url}/a`, {}, { allowPrivate: true })).bytes)).toBe('hello');
    const error = await refusalOf(get(`${server.url}/a`, { SSL_CERT_FILE: '' }, { allowPrivate: true }));
    expect(error.message).toMatch(/: its certificate is not trusted \(/);
  });

  it('do not replace those in NODE_EXTRA_CA_CERTS', async () => {
    const extra = selfSigned();
    writeFileSync(join(place, 'extra.pem'), extra.cert);
    const server = await serve(hello, extra);
    const environment = { NODE_EXTRA_CA_CERTS: join(place, 'extra.pem') };
    expect(text((await get(`${server.url}/a`, environment, { allowPrivate: true })).bytes)).toBe('hello');
    const missing = { NODE_EXTRA_CA_CERTS: join(place, 'missing.pem') };
    const error = await refusalOf(get(`${server.url}/a`, missing, { allowPrivate: true }));
    expect(error.message).toMatch(/: its certificate is not trusted \(/);
  });

  it.each([
    ['missing.pem', 'which cannot be used: not found'],
    ['.', 'which cannot be used: is a directory'],
    ['empty.pem', 'which has no certificates'],
  ])('in %s are an error', async (file, reason) => {
    writeFileSync(join(place, 'empty.pem'), 'nothing');
    const path = join(place, file);
    const error = await refusalOf(get('https://server.example/', { SSL_CERT_FILE: path }));
    expect(error.message).toBe(`cannot fetch "https://server.example/": SSL_CERT_FILE names "${path}", ${reason}`);
  });

  it('do not matter without TLS', async () => {
    const server = await serve(hello);
    const environment = { SSL_CERT_FILE: join(place, 'missing.pem') };
    expect(text((await get(`${server.url}/a`, environment, { allowPrivate: true })).bytes)).toBe('hello');
  });
});
