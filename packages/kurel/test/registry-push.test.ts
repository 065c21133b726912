import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as sendRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { networkFetcher, registryCredentials } from '../src/host/index.ts';
import { digestOf, fetchOciArtifact, indexType, manifestType, openRepository } from '../src/registry/index.ts';
import type { FetchAccess } from '../src/registry/index.ts';
import { startServer } from './loopback-server.ts';
import { describeWithProgram } from './render-case.ts';
import { startRegistry } from './start-registry.ts';
import type { Registry } from './start-registry.ts';
import { refusalOf } from './refusal-of.ts';

const small = new TextEncoder().encode('{}');
const large = Uint8Array.from({ length: 9 * 1_048_576 }, (_, index) => (index * 7 + (index >> 9)) & 0xff);

function describeBlob(bytes: Uint8Array, mediaType: string) {
  return { mediaType, digest: digestOf(bytes), size: bytes.length };
}

const manifest = new TextEncoder().encode(
  JSON.stringify({
    schemaVersion: 2,
    mediaType: manifestType,
    config: describeBlob(small, 'application/vnd.oci.empty.v1+json'),
    layers: [describeBlob(large, 'application/octet-stream')],
  }),
);

function open(host: string, access: Partial<FetchAccess> = {}) {
  const fetcher = networkFetcher({ allowPrivate: true });
  const whole: FetchAccess = { fetcher, allowHost: () => true, plainHttp: true, ...access };
  return openRepository({ host, path: 'team/app' }, whole, 'pull,push');
}

async function pushAll(repository: ReturnType<typeof open>, tag = '1.0'): Promise<void> {
  await repository.pushBlob(small);
  await repository.pushBlob(large);
  await repository.pushManifest(manifest, { mediaType: manifestType, tags: [tag] });
}

describeWithProgram('registry', 'a push to a real registry', () => {
  let directory = '';
  let registry: Registry;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'kurel-push-'));
    registry = await startRegistry(directory);
  });
  afterAll(async () => {
    await registry?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('can be fetched, by tag and by digest', async () => {
    const repository = open(registry.host);
    await pushAll(repository);
    expect(await repository.fetchManifest('1.0')).toMatchObject({
      bytes: manifest,
      digest: digestOf(manifest),
      mediaType: manifestType,
    });
    expect(await repository.listTags()).toEqual(['1.0']);
    const fetcher = networkFetcher({ allowPrivate: true });
    const reference = `oci://${registry.host}/team/app@${digestOf(manifest)}`;
    const access = { fetcher, allowHost: () => true, plainHttp: true };
    const { bytes } = await fetchOciArtifact({ reference, maxBytes: large.length }, access);
    expect(digestOf(bytes)).toBe(digestOf(large));
  });

  it('is refused without the blobs, and leaves no tag', async () => {
    const repository = openRepository(
      { host: registry.host, path: 'other/app' },
      { fetcher: networkFetcher({ allowPrivate: true }), allowHost: () => true, plainHttp: true },
      'pull,push',
    );
    const error = await refusalOf(repository.pushManifest(manifest, { mediaType: manifestType, tags: ['1.0'] }));
    expect(error.message).toBe(
      `cannot push to "http://${registry.host}/v2/other/app/manifests/${digestOf(manifest)}": the server answered 400 Bad Request`,
    );
    expect(await refusalOf(repository.fetchManifest('1.0'))).toMatchObject({ status: 404 });
  });

  it('lists many tags in pages', async () => {
    const repository = open(registry.host);
    const index = new TextEncoder().encode(JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests: [] }));
    const tags = Array.from({ length: 1005 }, (_, count) => `t${1000 + count}`);
    await repository.pushManifest(index, { mediaType: indexType });
    // The storage of the registry, which is faster than a thousand requests.
    const storage = join(directory, 'storage/docker/registry/v2/repositories/team/app/_manifests/tags');
    for (const tag of tags) {
      mkdirSync(join(storage, tag, 'current'), { recursive: true });
      writeFileSync(join(storage, tag, 'current', 'link'), digestOf(index));
    }
    expect((await repository.listTags()).filter((tag) => tag.startsWith('t'))).toEqual(tags);
  });

  describe('through a connection that breaks', () => {
    const relays: (() => void)[] = [];
    afterEach(() => relays.splice(0).forEach((stop) => stop()));

    /** Passes requests on to the registry, except that some break. */
    async function startRelay(choose: (line: string, count: number) => Break | undefined) {
      const lines: string[] = [];
      const counts = new Map<string, number>();
      const server = createServer((incoming, outgoing) => {
        const line = `${incoming.method} ${incoming.url!.replace(/\?.*$/, '').split('/').slice(4).join('/')}`
          .replace(/uploads\/.+/, 'uploads/<id>')
          .replaceAll(/sha256:\w+/g, '<digest>');
        lines.push(line);
        counts.set(line, (counts.get(line) ?? 0) + 1);
        relay(incoming, outgoing, { to: registry.host, breaks: choose(line, counts.get(line)!) });
      });
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      relays.push(() => (server.close(), server.closeAllConnections()));
      return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, lines };
    }

    it.each<[string, Break]>([
      ['goes on if an answer is lost', 'answer'],
      ['goes on if a chunk is cut', 'request'],
    ])('%s', async (_, breaks) => {
      const content = Uint8Array.from(large, (byte) => byte ^ (breaks === 'answer' ? 1 : 2));
      const relayed = await startRelay((line, count) =>
        line === 'PATCH blobs/uploads/<id>' && count === 2 ? breaks : undefined,
      );
      await open(relayed.host).pushBlob(content);
      const stored = await open(registry.host).fetchBlob(
        { digest: digestOf(content), size: content.length },
        content.length,
      );
      expect(stored.length).toBe(content.length);
      const [exists, start] = ['HEAD blobs/<digest>', 'POST blobs/uploads/'];
      const [chunk, ask, finish] = ['PATCH', 'GET', 'PUT'].map((method) => `${method} blobs/uploads/<id>`);
      const before = [exists, start, chunk, chunk, exists, ask];
      // How much of the chunk the registry has depends on how fast it was.
      expect(relayed.lines.slice(0, 6)).toEqual(before);
      expect(relayed.lines.at(-1)).toBe(finish);
      expect(relayed.lines.length).toBeLessThan(15);
    });

    it('gives up, and leaves no tag', async () => {
      const relayed = await startRelay((line) => (line.startsWith('PUT') ? 'request' : undefined));
      const content = new TextEncoder().encode('never '.repeat(100));
      const error = await refusalOf(open(relayed.host).pushBlob(content));
      expect(error.message).toMatch(
        /^cannot push to "http:\/\/127\.0\.0\.1:\d+\/v2\/team\/app\/blobs\/uploads\/[^?]*\?…": /,
      );
      expect(relayed.lines.filter((line) => line.startsWith('PUT'))).toHaveLength(5);
      const pushed = refusalOf(open(relayed.host).pushManifest(manifest, { mediaType: manifestType, tags: ['9.9'] }));
      expect((await pushed).failure).toBe('connection');
      expect(await open(registry.host).listTags()).not.toContain('9.9');
    });
  });
});

type Break = 'request' | 'answer';

function relay(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { to, breaks }: { readonly to: string; readonly breaks: Break | undefined },
): void {
  const { method, url, headers } = incoming;
  const passed = sendRequest(`http://${to}${url}`, { method, headers, agent: false });
  const fail = (): void => void (passed.destroy(), incoming.socket.destroy());
  passed.on('error', fail);
  passed.on('response', (response) => {
    response.on('error', fail);
    if (breaks === 'answer') response.resume().on('end', fail);
    else response.pipe(outgoing.writeHead(response.statusCode!, response.headers));
  });
  if (breaks !== 'request') incoming.pipe(passed);
  else incoming.once('data', (chunk: Uint8Array) => passed.write(chunk.subarray(0, 100), () => setTimeout(fail, 50)));
}

describeWithProgram('registry', 'a real registry that requires a log-in', () => {
  let directory = '';
  let registry: Registry | undefined;
  beforeAll(() => void (directory = mkdtempSync(join(tmpdir(), 'kurel-login-'))));
  afterEach(async () => {
    await registry?.stop();
    registry = undefined;
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /** The password is `pa:ss wörd`. */
  const passwords = 'ann:$2y$04$abcdefghijklmnopqrstuuC5VMwYwbzdFgvTXUffgXF6mHCmfegLa\n';
  const auth = Buffer.from('ann:pa:ss wörd').toString('base64');

  function credentialsOf(config: object): NonNullable<FetchAccess['credentialsFor']> {
    writeFileSync(join(directory, 'config.json'), JSON.stringify(config));
    return registryCredentials({ environment: { DOCKER_CONFIG: directory, PATH: directory } });
  }

  async function startWithPasswords(): Promise<Registry> {
    const path = join(directory, 'htpasswd');
    writeFileSync(path, passwords);
    return (registry = await startRegistry(directory, { auth: { htpasswd: { realm: 'test', path } } }));
  }

  it('takes a password from the file of docker', async () => {
    const { host } = await startWithPasswords();
    expect((await refusalOf(open(host).pushBlob(small))).message).toMatch(/401 Unauthorized; it requires a login$/);
    const wrong = credentialsOf({ auths: { [host]: { auth: btoa('ann:wrong') } } });
    expect(await refusalOf(open(host, { credentialsFor: wrong }).pushBlob(small))).toMatchObject({ status: 401 });
    await pushAll(open(host, { credentialsFor: credentialsOf({ auths: { [host]: { auth } } }) }));
  });

  it('takes a password from a credential helper', async () => {
    const { host } = await startWithPasswords();
    const file = join(directory, 'docker-credential-test');
    const answer = JSON.stringify({ ServerURL: host, Username: 'ann', Secret: 'pa:ss wörd' });
    writeFileSync(file, `#!/bin/sh\ncat <<'E'\n${answer}\nE\n`.replace('cat', '/bin/cat'));
    chmodSync(file, 0o755);
    await pushAll(open(host, { credentialsFor: credentialsOf({ credHelpers: { [host]: 'test' } }) }));
  });

  it('takes a token for this repository, from a token service that takes the password or an identity token', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwks = join(directory, 'jwks.json');
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'test', use: 'sig', alg: 'ES256' };
    writeFileSync(jwks, JSON.stringify({ keys: [jwk] }));
    const asked: string[] = [];
    const service = await startServer({
      '/token': (request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const { searchParams: query } = new URL(request.url!, 'http://x');
          const form = new URLSearchParams(Buffer.concat(chunks).toString());
          const scope = query.get('scope') ?? form.get('scope') ?? '';
          const proof = request.headers.authorization ?? form.get('refresh_token') ?? 'nobody';
          asked.push(`${proof} ${scope}`);
          if (proof === 'nobody') response.writeHead(401).end();
          else response.end(JSON.stringify({ token: createToken(scope, privateKey) }));
        });
      },
    });
    try {
      const token = { realm: `${service.url}/token`, service: 'test', issuer: 'test', jwks };
      registry = await startRegistry(directory, { auth: { token } });
      const { host } = registry;
      const names = (one: string): boolean => one === host || one === service.host;
      const push = async (config: object): Promise<void> =>
        await pushAll(open(host, { credentialsFor: credentialsOf(config), isNamedHost: names }));
      const refusal = await refusalOf(open(host, { isNamedHost: names }).pushBlob(small));
      expect(refusal.message).toMatch(/^cannot fetch "http:\/\/127.*\/token\?.*401 Unauthorized$/);
      await push({ auths: { [host]: { auth } } });
      await push({ auths: { [host]: { identitytoken: 'secret' } } });
      const scope = 'repository:team/app:pull,push';
      expect(asked).toEqual([`nobody ${scope}`, `Basic ${auth} ${scope}`, `secret ${scope}`]);
    } finally {
      await service.stop();
    }
  });
});

function createToken(scope: string, key: ReturnType<typeof generateKeyPairSync>['privateKey']): string {
  const [type, name, actions] = scope.split(':');
  const encode = (data: object): string => Buffer.from(JSON.stringify(data)).toString('base64url');
  const claims = {
    iss: 'test',
    aud: 'test',
    sub: 'ann',
    nbf: 0,
    iat: 0,
    exp: 4_102_444_800,
    jti: createHash('sha256').update(scope).digest('hex'),
    access: [{ type, name, actions: actions?.split(',') }],
  };
  const text = `${encode({ alg: 'ES256', typ: 'JWT', kid: 'test' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}
