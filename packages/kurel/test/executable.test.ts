import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { executable, programWords, spawnProgram } from './kurel-program.ts';
import { startServer } from './loopback-server.ts';
import { selfSigned } from './self-signed.ts';
import { repository } from './source-tree.ts';
import { startProxy } from './start-proxy.ts';

const [program, ...programFiles] = programWords;
/** The user who owns nothing. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

describe('a program that was only downloaded', () => {
  let place = '';
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'kurel-alone-'));
    chmodSync(place, 0o755);
    cpSync(join(repository, 'examples', 'plain'), join(place, 'plain'), { recursive: true });
    mkdirSync(join(place, 'home'));
  });
  afterEach(() => rmSync(place, { recursive: true, force: true }));

  const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}, user = {}) => {
    const options = { cwd: place, env, encoding: 'utf8' as const, ...user };
    const { stdout, stderr, status } = spawnSync(program, [...programFiles, ...words], options);
    return { stdout, stderr, status };
  };

  /** Every path below the place, except in the output. */
  const list = (): readonly string[] =>
    readdirSync(place, { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.startsWith('out'))
      .toSorted();
  const user = isRoot ? { uid: nobody, gid: nobody } : {};

  it('builds an application with nothing on PATH', () => {
    cpSync(join(repository, 'examples', 'applications'), join(place, 'applications'), { recursive: true });
    const flags = ['--profile', 'applications/web/gateway.yaml', '--values', 'applications/shop/staging.yaml'];
    const { stdout, stderr, status } = run(['build', 'applications/web/package', ...flags]);
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout).toMatch(/^kind: HTTPRoute$/m);
  });

  it.each([
    ['no variables', {}],
    ['a home that is read-only', { HOME: 'home', TMPDIR: 'home' }],
    ['a home of another user', { HOME: '.' }],
    ['a home that does not exist', { HOME: 'missing', XDG_CACHE_HOME: 'missing/cache' }],
  ])('works as another user with %s, and writes nothing outside the output', (_title, variables) => {
    const expected = run(['build', 'plain']);
    expect(expected).toMatchObject({ stderr: '', status: 0 });
    expect(expected.stdout).toMatch(/^kind: /m);
    mkdirSync(join(place, 'out'));
    if (isRoot) chownSync(join(place, 'out'), nobody, nobody);
    chmodSync(join(place, 'home'), 0o555);
    const before = list();
    const env = Object.fromEntries(Object.entries(variables).map(([name, path]) => [name, join(place, path)]));
    // Only root can act as another user; without it, the place has to be read-only for its owner.
    if (!isRoot) chmodSync(place, 0o555);
    try {
      expect(run(['build', 'plain'], env, user)).toEqual(expected);
      expect(run(['build', 'plain', '--output', 'out/'], env, user)).toMatchObject({ status: 0 });
      expect(run(['validate', 'plain'], env, user)).toMatchObject({ status: 0 });
    } finally {
      chmodSync(place, 0o755);
    }
    expect(list()).toEqual(before);
    expect(readdirSync(join(place, 'out')).length).toBeGreaterThan(0);
  });

  it('uses the proxy and the certificates of the environment', async () => {
    const certificate = selfSigned('registry.example');
    writeFileSync(join(place, 'ca.pem'), certificate.cert);
    const server = await startServer({ '/v2/': (_, response) => response.end('{}') }, certificate);
    const proxy = await startProxy();
    try {
      const host = `registry.example:${new URL(server.url).port}`;
      const words = ['login', host, '--username', 'ann', '--password-stdin', '--registry-config', 'config.json'];
      const variables = { HTTPS_PROXY: `http://${proxy.host}`, SSL_CERT_FILE: join(place, 'ca.pem') };
      const trusting = { workingDirectory: place, variables, stdin: 'secret' };
      expect(await spawnProgram(words, trusting)).toMatchObject({
        exitCode: 0,
        stdout: `logged in to ${host} as ann\n`,
      });
      const doubting = { ...trusting, variables: { HTTPS_PROXY: `http://${proxy.host}` } };
      const { exitCode, stderr } = await spawnProgram(words, doubting);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('its certificate is not trusted')]);
      expect(proxy.lines).toEqual([`CONNECT ${host}`, `CONNECT ${host}`]);
      expect(server.requests).toHaveLength(1);
      // The variables of a proxy do not apply to this machine, whatever the runtime does with them.
      const plain = ['login', server.host, '--username', 'ann', '--password-stdin'];
      expect((await spawnProgram(plain, trusting)).stderr).toContain('its host has address 127.0.0.1');
    } finally {
      await Promise.all([server.stop(), proxy.stop()]);
    }
  });

  it('takes nothing from files of its runtime in the working directory', () => {
    writeFileSync(join(place, '.env'), 'HELM_DEBUG=1\nNO_COLOR=1\nFORCE_COLOR=1\n');
    writeFileSync(join(place, 'bunfig.toml'), 'preload = ["./evil.ts"]\n');
    writeFileSync(join(place, 'evil.ts'), 'console.log("evil")\n');
    writeFileSync(join(place, 'package.json'), '{ "imports": ');
    const { stdout, stderr, status } = run(['version']);
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout).not.toContain('evil');
  });

  it.runIf(executable !== undefined)('has no path of the machine that it was made on', () => {
    expect(readFileSync(executable!).includes(repository)).toBe(false);
  });

  it('says what it runs on', () => {
    const { stdout } = run(['version', '--json']);
    const found = JSON.parse(stdout) as Readonly<Record<string, string>>;
    expect(found).toMatchObject({
      runtime: executable === undefined ? 'node' : 'bun',
      platform: process.platform,
      arch: process.arch,
    });
    expect(run(['version']).stdout).toContain(`kurel ${found['version']} (${found['runtime']} `);
  });
});
