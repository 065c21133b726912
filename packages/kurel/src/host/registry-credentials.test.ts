import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DiagnosticError } from '../diagnostics/index.ts';
import { registryCredentials, removeLogin, storeLogin } from './registry-credentials.ts';
import { asPrinted } from '../../test/format-printed.ts';

let place = '';
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'kurel-credentials-'));
  mkdirSync(join(place, 'bin'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const ours = { username: 'ann', password: 'pa:ss wörd' };
const auth = Buffer.from('ann:pa:ss wörd').toString('base64');

function writeConfig(config: unknown): void {
  writeFileSync(join(place, 'config.json'), typeof config === 'string' ? config : JSON.stringify(config));
}

function readConfig(): unknown {
  return JSON.parse(readFileSync(join(place, 'config.json'), 'utf8'));
}

/** A helper that keeps its credentials in a file, one per line, and notes how it was called. */
function writeHelper(name: string, body = keeper): void {
  const file = join(place, 'bin', `docker-credential-${name}`);
  writeFileSync(file, `#!${process.execPath}\n${body}`);
  chmodSync(file, 0o755);
}

const keeper = `
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const [action] = process.argv.slice(2);
const input = readFileSync(0, 'utf8');
const kept = existsSync(process.env.KEPT) ? JSON.parse(readFileSync(process.env.KEPT, 'utf8')) : {};
appendFileSync(process.env.KEPT + '.calls', action + ' ' + (action === 'store' ? JSON.parse(input).ServerURL : input) + '\\n');
if (action === 'store') kept[JSON.parse(input).ServerURL] = input;
else if (!(input in kept)) {
  console.log('credentials not found in native keychain');
  process.exit(1);
} else if (action === 'get') process.stdout.write(kept[input]);
else delete kept[input];
writeFileSync(process.env.KEPT, JSON.stringify(kept));
`;

const kept = (): string => join(place, 'kept');
const calls = (): readonly string[] => readFileSync(`${kept()}.calls`, 'utf8').trimEnd().split('\n');

function options(variables: Readonly<Record<string, string>> = {}) {
  return { environment: { PATH: join(place, 'bin'), DOCKER_CONFIG: place, KEPT: kept(), ...variables } };
}

const find = (host: string) => registryCredentials(options())(host);

async function refusalOf(result: Promise<unknown>): Promise<string> {
  const error: unknown = await result.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DiagnosticError);
  const [{ code, message, hint }] = asPrinted((error as DiagnosticError).diagnostics) as [
    DiagnosticError['diagnostics'][0],
  ];
  return `${code}: ${message} (${hint})`.replaceAll(place, '');
}

describe('credentials in the file', () => {
  it.each([
    ['auth', { auth }, ours],
    [
      'auth that is filled with zeros',
      { auth: Buffer.from('ann:x\0\0').toString('base64') },
      { ...ours, password: 'x' },
    ],
    ['an empty password', { auth: Buffer.from('ann:').toString('base64') }, { username: 'ann', password: '' }],
    ['username and password', ours, ours],
    ['an identity token', { auth, identitytoken: 'abc' }, { identityToken: 'abc' }],
    ['an empty entry', {}, undefined],
    ['a user alone', { username: 'ann' }, undefined],
  ])('are %s', async (_, entry, expected) => {
    writeConfig({ auths: { 'a.example': entry } });
    expect(await find('a.example')).toEqual(expected);
    expect(await find('b.example')).toBeUndefined();
  });

  it.each([
    ['a.example:5000', 'a.example:5000'],
    ['https://a.example', 'a.example'],
    ['https://a.example/v1/', 'a.example'],
    ['http://a.example:5000/v2/', 'a.example:5000'],
    ['A.example', 'a.EXAMPLE'],
    ['a.example/team', 'a.example'],
    ['https://index.docker.io/v1/', 'docker.io'],
    ['https://index.docker.io/v1/', 'index.docker.io'],
    ['https://index.docker.io/v1/', 'registry-1.docker.io'],
    ['docker.io', 'docker.io'],
    ['docker.io', 'registry-1.docker.io'],
  ])('with the key %s are for %s', async (key, host) => {
    writeConfig({ auths: { [key]: { auth } } });
    expect(await find(host)).toEqual(ours);
  });

  it.each(['a.example:5000', 'x.a.example', 'example', 'a.example.org', 'aXexample', '__proto__', 'constructor'])(
    'are not for %s',
    async (host) => {
      writeConfig({ auths: { 'a.example': { auth } } });
      expect(await find(host)).toBeUndefined();
    },
  );

  it('are those of the exact key, if there is one', async () => {
    writeConfig({ auths: { 'https://a.example/v1/': { identitytoken: 'old' }, 'a.example': { auth } } });
    expect(await find('a.example')).toEqual(ours);
  });

  it('are in DOCKER_CONFIG, in the home directory, or where the user says', async () => {
    mkdirSync(join(place, '.docker'));
    for (const [path, identitytoken] of [
      ['config.json', 'docker'],
      ['.docker/config.json', 'home'],
      ['other.json', 'other'],
    ] as const) {
      writeFileSync(join(place, path), JSON.stringify({ auths: { 'a.example': { identitytoken } } }));
    }
    const from = async (environment: Readonly<Record<string, string>>, file?: string) =>
      await registryCredentials({ environment, file, workingDirectory: place })('a.example');
    expect(await from({ DOCKER_CONFIG: place, HOME: place })).toEqual({ identityToken: 'docker' });
    expect(await from({ DOCKER_CONFIG: '.' })).toEqual({ identityToken: 'docker' });
    expect(await from({ DOCKER_CONFIG: '', HOME: place })).toEqual({ identityToken: 'home' });
    expect(await from({ USERPROFILE: place })).toEqual({ identityToken: 'home' });
    expect(await from({ HOME: place }, 'other.json')).toEqual({ identityToken: 'other' });
    expect(await from({})).toBeUndefined();
    expect(await from({ HOME: join(place, 'nowhere') })).toBeUndefined();
    expect(await refusalOf(from({}, 'missing.json'))).toBe(
      'file-unreadable: cannot read missing.json: not found (undefined)',
    );
  });

  it('are read once, and only when they are needed', async () => {
    const credentials = registryCredentials(options());
    writeConfig({ auths: { 'a.example': { auth } } });
    expect(await credentials('a.example')).toEqual(ours);
    rmSync(join(place, 'config.json'));
    expect(await credentials('a.example')).toEqual(ours);
    expect(await credentials('b.example')).toBeUndefined();
  });

  it.each([
    ['{"auths": {"a.example": {"auth": "c2VjcmV0", }}}', 'expected a key, got "}" at line 1, column 46'],
    [
      '{"auths": {}, "Auths": {"a.example": {"auth": "c2VjcmV0"}}}',
      'the key "Auths" must be spelled "auths" at line 1, column 15',
    ],
    ['{"auths": {"a.example": {}, "a.example": {}}}', 'duplicate key "a.example" at line 1, column 29'],
    ['\ufeff{"auths": {}}', 'unexpected byte order mark at line 1, column 1'],
    ['[]', 'it is not an object'],
    ['{"auths": []}', '"auths" must be an object'],
    ['{"auths": {"a.example": "secret"}}', '"auths" for "a.example" must be an object'],
    ['{"auths": {"a.example": {"auth": "c2VjcmV0"}}}', '"auth" for "a.example" must be USER:PASSWORD in base64'],
    ['{"auths": {"a.example": {"auth": "sec:ret"}}}', '"auth" for "a.example" must be USER:PASSWORD in base64'],
    ['{"credsStore": 5}', '"credsStore" must be a string'],
    ['{"credsStore": "../x"}', '"credsStore" is "../x", which is not a valid name of a credential helper'],
    ['{"credsStore": "-x"}', '"credsStore" is "-x", which is not a valid name of a credential helper'],
    ['{"credHelpers": {"a.example": {}}}', '"credHelpers" for "a.example" must be a string'],
    [
      '{"credHelpers": {"a.example": "a b"}}',
      '"credHelpers" for "a.example" is "a b", which is not a valid name of a credential helper',
    ],
  ])('are refused in %s', async (text, reason) => {
    writeConfig(text);
    expect(await refusalOf(find('a.example'))).toBe(
      `registry-config-invalid: "/config.json" is not a valid docker configuration: ${reason} ` +
        '(correct it, or pass another file with --registry-config)',
    );
  });

  it('are refused in a file that is too large', async () => {
    writeConfig(`{"auths": {}}${' '.repeat(1_048_576)}`);
    expect(await refusalOf(find('a.example'))).toContain('file-unreadable: cannot read /config.json: ');
  });
});

describe('credentials of a helper', () => {
  const answer = (value: unknown): string => `console.log(${JSON.stringify(JSON.stringify(value))})`;

  it.each([
    ['a password', { Username: 'ann', Secret: 'pa:ss wörd' }, ours],
    ['an identity token', { Username: '<token>', Secret: 'abc' }, { identityToken: 'abc' }],
    ['nothing', { Username: '', Secret: '' }, undefined],
  ])('are %s', async (_, value, expected) => {
    writeHelper('own', answer({ ServerURL: 'a.example', ...value }));
    writeConfig({ credHelpers: { 'a.example': 'own' } });
    expect(await find('a.example')).toEqual(expected);
  });

  it('are those of the helper for the host, then for all hosts, then those of the file', async () => {
    writeHelper('own', answer({ Username: '<token>', Secret: 'own' }));
    writeHelper('all', keeper);
    writeFileSync(kept(), JSON.stringify({ 'b.example': JSON.stringify({ Username: '<token>', Secret: 'all' }) }));
    writeConfig({
      credHelpers: { 'a.example': 'own' },
      credsStore: 'all',
      auths: { 'a.example': { auth }, 'b.example': {}, 'c.example': { auth } },
    });
    expect(await find('a.example')).toEqual({ identityToken: 'own' });
    expect(await find('b.example')).toEqual({ identityToken: 'all' });
    expect(await find('c.example')).toEqual(ours);
    expect(await find('d.example')).toBeUndefined();
    expect(calls()).toEqual(['get b.example', 'get c.example', 'get d.example']);
  });

  it('are found under the key of docker', async () => {
    writeHelper('all', keeper);
    writeConfig({ credsStore: 'all', auths: { 'https://a.example/v1/': {} } });
    for (const host of ['docker.io', 'a.example']) expect(await find(host)).toBeUndefined();
    expect(calls()).toEqual(['get https://index.docker.io/v1/', 'get https://a.example/v1/']);
  });

  it('are looked up once per host', async () => {
    writeHelper('all', keeper);
    writeConfig({ credsStore: 'all' });
    const credentials = registryCredentials(options());
    await Promise.all([credentials('a.example'), credentials('a.example')]);
    expect(calls()).toEqual(['get a.example']);
  });

  const seeWhy = 'run echo a.example | docker-credential-own get to see why, or remove the helper from "/config.json"';
  it.each([
    ['fails', 'console.log("secret"); process.exit(3)', 'exit code 3', seeWhy],
    [
      'prints something else',
      'console.log("secret")',
      'its output cannot be read: expected a value at line 1, column 1',
      seeWhy,
    ],
    ['prints a list', 'console.log("[1]")', 'its output has no Username and Secret', seeWhy],
    [
      'prints two secrets',
      'console.log(`{"Username": "a", "Secret": "b", "secret": "c"}`)',
      'its output cannot be read: the key "secret" must be spelled "Secret" at line 1, column 34',
      seeWhy,
    ],
    ['has no secret', answer({ Username: 'secret' }), 'its output has no Username and Secret', seeWhy],
    [
      'prints without end',
      'for (;;) require("node:fs").writeSync(1, "secret".repeat(10000))',
      'docker-credential-own printed more than 65536 bytes',
      seeWhy,
    ],
  ])('are refused if it %s', async (_, body, reason, hint) => {
    writeHelper('own', body);
    writeConfig({ credHelpers: { 'a.example': 'own' } });
    expect(await refusalOf(find('a.example'))).toBe(
      `credential-helper-failed: cannot get the credentials for "a.example" with docker-credential-own: ${reason} (${hint})`,
    );
  });

  it('are refused if it is not installed', async () => {
    writeConfig({ credsStore: 'desktop' });
    expect(await refusalOf(find('a.example'))).toBe(
      'credential-helper-failed: cannot get the credentials for "a.example" with docker-credential-desktop: ' +
        'it is not installed or not on PATH (install it, or remove it from "/config.json")',
    );
  });
});

describe('storeLogin and removeLogin', { tags: 'slow' }, () => {
  const others = { HttpHeaders: { 'User-Agent': 'x' }, auths: { 'b.example': { auth: 'eDp5' } }, psFormat: 'table' };

  it('change one entry of the file, which only its owner can read', async () => {
    writeConfig(others);
    chmodSync(join(place, 'config.json'), 0o644);
    expect(await storeLogin('a.example', ours, options())).toEqual({ file: join(place, 'config.json') });
    expect(readConfig()).toEqual({ ...others, auths: { ...others.auths, 'a.example': { auth } } });
    expect(Object.keys(readConfig() as object)).toEqual(['HttpHeaders', 'auths', 'psFormat']);
    expect(statSync(join(place, 'config.json')).mode & 0o777).toBe(0o600);
    expect(await find('a.example')).toEqual(ours);
    expect(await removeLogin('a.example', options())).toBe(true);
    expect(readConfig()).toEqual(others);
    expect(await removeLogin('a.example', options())).toBe(false);
  });

  it('replace every key of the host', async () => {
    writeConfig({
      auths: { 'https://a.example/v1/': { auth: 'eDp5' }, 'a.example': { auth: 'eDp5' }, 'docker.io': {} },
    });
    await storeLogin('a.example', ours, options());
    await storeLogin('registry-1.docker.io', ours, options());
    expect(readConfig()).toEqual({ auths: { 'a.example': { auth }, 'https://index.docker.io/v1/': { auth } } });
    await removeLogin('docker.io', options());
    expect(readConfig()).toEqual({ auths: { 'a.example': { auth } } });
  });

  it('create the file, and its directory only for its owner', async () => {
    const home = { environment: { HOME: place } };
    expect(await storeLogin('a.example', ours, home)).toEqual({ file: join(place, '.docker', 'config.json') });
    expect(statSync(join(place, '.docker')).mode & 0o777).toBe(0o700);
    expect(await registryCredentials(home)('a.example')).toEqual(ours);
    const named = { environment: {}, file: 'new.json', workingDirectory: place };
    expect(await storeLogin('a.example', ours, named)).toEqual({ file: 'new.json' });
    expect(await registryCredentials(named)('a.example')).toEqual(ours);
    expect(await storeLogin('a.example', ours, { environment: {} })).toBeUndefined();
  });

  it('keep a link', async () => {
    writeFileSync(join(place, 'real.json'), '{}');
    symlinkSync('real.json', join(place, 'config.json'));
    await storeLogin('a.example', ours, options());
    expect(JSON.parse(readFileSync(join(place, 'real.json'), 'utf8'))).toEqual({ auths: { 'a.example': { auth } } });
  });

  it('do not change a file that is not valid', async () => {
    writeConfig('{"auths": ');
    expect(await refusalOf(storeLogin('a.example', ours, options()))).toContain('registry-config-invalid');
    expect(await refusalOf(removeLogin('a.example', options()))).toContain('registry-config-invalid');
    expect(readFileSync(join(place, 'config.json'), 'utf8')).toBe('{"auths": ');
  });

  it('use a helper, and leave no password in the file', async () => {
    writeHelper('all', keeper);
    writeConfig({ credsStore: 'all', auths: { 'a.example': { auth: 'eDp5' } } });
    expect(await storeLogin('a.example', ours, options())).toEqual({ helper: 'all' });
    expect(readConfig()).toEqual({ credsStore: 'all', auths: { 'a.example': {} } });
    expect(await find('a.example')).toEqual(ours);
    expect(await removeLogin('a.example', options())).toBe(true);
    expect(readConfig()).toEqual({ credsStore: 'all', auths: {} });
    expect(await find('a.example')).toBeUndefined();
    expect(await removeLogin('a.example', options())).toBe(false);
  });

  it('report a helper that fails, and change nothing', async () => {
    writeHelper('all', 'console.log("secret"); process.exit(1)');
    const config = { credsStore: 'all', auths: { 'a.example': {} } };
    writeConfig(config);
    const hint = '(see its documentation, or remove it from "/config.json")';
    expect(await refusalOf(storeLogin('a.example', ours, options()))).toBe(
      `credential-helper-failed: cannot store the credentials for "a.example" with docker-credential-all: exit code 1 ${hint}`,
    );
    expect(await refusalOf(removeLogin('a.example', options()))).toBe(
      `credential-helper-failed: cannot remove the credentials for "a.example" with docker-credential-all: exit code 1 ${hint}`,
    );
    expect(readConfig()).toEqual(config);
  });
});

it.runIf(process.platform === 'linux')('is a finding if no directory can be created for the file', async () => {
  const login = { username: 'ann', password: 'x' };
  const options = { environment: {}, file: '/proc/nope/config.json' };
  await expect(storeLogin('a.example', login, options)).rejects.toThrow(
    'cannot write "/proc/nope/config.json": not found',
  );
});
