import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startServer } from './loopback-server.ts';
import type { Answers, LoopbackServer } from './loopback-server.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import { startRegistry } from './start-registry.ts';

let place = '';
const servers: LoopbackServer[] = [];
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'kurel-login-'));
});
afterEach(async () => {
  rmSync(place, { recursive: true, force: true });
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

const auth = Buffer.from('ann:secret').toString('base64');
const variables = (): Readonly<Record<string, string>> => ({ PATH: join(place, 'bin'), HOME: place });
const config = (): string => join(place, '.docker', 'config.json');

async function serve(answers: Answers): Promise<LoopbackServer> {
  const server = await startServer(answers);
  servers.push(server);
  return server;
}

const run = (words: readonly string[], stdin = 'secret\n') =>
  runProgram(words, { workingDirectory: place, variables: variables(), stdin });
const login = (host: string, stdin?: string, ...more: readonly string[]) =>
  run(['login', host, '--username', 'ann', '--password-stdin', '--allow-private', ...more], stdin);

/** A registry that takes a password itself. */
const withPassword: Answers = {
  '/v2/': (request, response) => {
    if (request.headers.authorization === `Basic ${auth}`) response.end('{}');
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="registry"' }).end();
  },
};

/** A registry with a token service, which are one server here. */
const withToken: Answers = {
  '/token': (request, response) => {
    if (request.headers.authorization === `Basic ${auth}`) response.end('{"token":"abc"}');
    else response.writeHead(403).end();
  },
  '/v2/': (request, response) => {
    const challenge = `Bearer realm="http://${request.headers.host}/token",service="registry"`;
    if (request.headers.authorization === 'Bearer abc') response.end('{}');
    else response.writeHead(401, { 'www-authenticate': challenge }).end();
  },
};

describe('kurel login', () => {
  it.each([
    ['with a password', withPassword, ['/v2/', '/v2/']],
    ['with a token', withToken, ['/v2/', '/token?service=registry', '/v2/']],
  ])('verifies %s, stores it, and warns that it is not encrypted', async (_, answers, requests) => {
    const server = await serve(answers);
    const { exitCode, stdout, stderr } = await login(server.host);
    expect(stdout).toBe(`logged in to ${server.host} as ann\n`);
    expect(stderr).toBe(
      `warning[login-not-encrypted]: the password is stored in "${config()}", which is not encrypted\n` +
        '   = hint: install a credential helper and name it in "credsStore" of that file\n\n1 warning\n',
    );
    expect(exitCode).toBe(0);
    expect(server.requests.map(({ url }) => url)).toEqual(requests);
    expect(JSON.parse(readFileSync(config(), 'utf8'))).toEqual({ auths: { [server.host]: { auth } } });
    expect(statSync(config()).mode & 0o777).toBe(0o600);
    expect(await run(['logout', server.host])).toEqual({
      exitCode: 0,
      stdout: `logged out of ${server.host}\n`,
      stderr: '',
    });
    expect(JSON.parse(readFileSync(config(), 'utf8'))).toEqual({ auths: {} });
  });

  it.each([
    ['with a password', withPassword],
    ['with a token', withToken],
  ])('stores nothing if the registry refuses it %s', async (_, answers) => {
    const server = await serve(answers);
    const { exitCode, stdout, stderr } = await login(server.host, 'wrong\n');
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `error[login-refused]: "${server.host}" refuses the user "ann" or the password; nothing was stored\n` +
        '   = hint: check both; many registries require a token instead of the password of the user\n\n1 error\n',
    );
    expect(existsSync(config())).toBe(false);
  });

  it('warns if the registry does not ask for it', async () => {
    const server = await serve({ '/v2/': (_, response) => response.end('{}') });
    const { exitCode, stderr } = await login(server.host);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      `warning[login-not-verified]: "${server.host}" does not require credentials: the password was not verified\n`,
    );
  });

  it.each<[string, Answers, string]>([
    ['is not a registry', {}, 'the server answered 404 Not Found'],
    ['is broken', { '/v2/': (_, response) => response.writeHead(500).end() }, 'the server answered 500'],
  ])('reports that it %s', async (_, answers, reason) => {
    const server = await serve(answers);
    const { exitCode, stderr } = await login(server.host);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`error[registry-access]: cannot fetch "${server.url}/v2/": ${reason}`);
    expect(existsSync(config())).toBe(false);
  });

  it('does not follow a redirect with the password', async () => {
    const other = await serve({ '/v2/': (_, response) => response.end() });
    const server = await serve({
      '/v2/': (request, response) => {
        if (request.headers.authorization !== undefined)
          response.writeHead(302, { location: `${other.url}/v2/` }).end();
        else response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      },
    });
    await login(server.host);
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it('stores the password with the helper of docker', async () => {
    const server = await serve(withPassword);
    mkdirSync(join(place, 'bin'));
    mkdirSync(join(place, '.docker'));
    writeFileSync(config(), '{"credsStore": "test"}');
    const file = join(place, 'bin', 'docker-credential-test');
    writeFileSync(file, `#!/bin/sh\n/bin/cat > "$HOME/$1"\n`);
    chmodSync(file, 0o755);
    expect(await login(server.host)).toEqual({
      exitCode: 0,
      stdout: `logged in to ${server.host} as ann\n`,
      stderr: '',
    });
    expect(JSON.parse(readFileSync(join(place, 'store'), 'utf8'))).toEqual({
      ServerURL: server.host,
      Username: 'ann',
      Secret: 'secret',
    });
    expect(JSON.parse(readFileSync(config(), 'utf8'))).toEqual({ credsStore: 'test', auths: { [server.host]: {} } });
  });

  it('never shows the password', async () => {
    const server = await serve(withPassword);
    for (const more of [[], ['--message-format', 'json'], ['--registry-config', 'other.json']]) {
      const outcomes = [await login(server.host, 'secret', ...more), await login(server.host, 'a secret', ...more)];
      for (const { stdout, stderr } of outcomes) expect(`${stdout}${stderr}`).not.toMatch(/secret|c2VjcmV0/);
    }
    expect(JSON.parse(readFileSync(join(place, 'other.json'), 'utf8'))).toEqual({ auths: { [server.host]: { auth } } });
  });

  it('requires a place for the password', async () => {
    const server = await serve(withPassword);
    const words = ['login', server.host, '--username', 'ann', '--password-stdin', '--allow-private'];
    const { exitCode, stderr } = await runProgram(words, { variables: {}, stdin: 'secret' });
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      'error[usage]: there is no home directory to store the credentials in\n   = hint: pass --registry-config FILE\n',
    );
  });

  it('does not let a terminal show the password', async () => {
    const words = ['login', 'ghcr.io', '--username', 'ann', '--password-stdin'];
    const { exitCode, stderr } = await runProgram(words, { stdinIsTerminal: () => true });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('error[usage]: standard input is a terminal, which would show the password\n');
  });
});

describeWithProgram('registry', 'a chart in a private registry', () => {
  it('is fetched after a log-in', async () => {
    mkdirSync(join(place, 'shop'));
    const htpasswd = join(place, 'htpasswd');
    writeFileSync(htpasswd, 'ann:$2y$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW\n');
    const registry = await startRegistry(place, { auth: { htpasswd: { realm: 'test', path: htpasswd } } });
    try {
      const head = 'apiVersion: launcher.gokure.dev/v1alpha1\n';
      const source = `{url: "oci://${registry.host}/charts/web"}, version: 1.0.0`;
      writeFileSync(
        join(place, 'shop', 'app.yaml'),
        `${head}kind: Application\nmetadata: {name: shop}\nspec:\n  components:\n` +
          `  - {name: web, type: helmchart, properties: {delivery: template, source: ${source}}}\n`,
      );
      const build = () => run(['build', 'shop', '--no-profile', '--allow-private']);
      const refused = await build();
      expect(refused.exitCode).toBe(1);
      expect(refused.stderr).toMatch(/error\[source-unreachable\]: .* 401 Unauthorized; it requires a login\n/);
      expect(refused.stderr).toContain(`= hint: log in with kurel login ${registry.host}\n`);
      expect((await login(registry.host, 'wrong')).exitCode).toBe(1);
      expect((await login(registry.host)).exitCode).toBe(0);
      // It does not exist, which the registry says only to its users.
      expect((await build()).stderr).toMatch(/error\[source-unreachable\]: .* 404 Not Found\n/);
      writeFileSync(join(place, 'broken.json'), '{');
      const broken = await run([
        'build',
        'shop',
        '--no-profile',
        '--allow-private',
        '--registry-config',
        'broken.json',
      ]);
      expect(broken.stderr).toContain(
        'error[registry-config-invalid]: "broken.json" is not a valid docker configuration',
      );
    } finally {
      await registry.stop();
    }
  });
});
