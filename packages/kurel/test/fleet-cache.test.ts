import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startCacheServer } from './cache-server.ts';
import type { Interference } from './cache-server.ts';
import { createFleetProject, readFiles } from './fleet-project.ts';
import type { FleetProject } from './fleet-project.ts';
import { spawnProgram } from './kurel-program.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';
import { selfSigned } from './self-signed.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-cache-'));
const patterns = ['*/web', '*/hello', '*/api', '*/file'];
const key = 'a key that all machines share';
let machines = 0;

/** A checkout on a machine that has never built anything. */
function createMachine(): FleetProject {
  machines += 1;
  return createFleetProject(join(place, `machine-${machines}`));
}

interface Run {
  readonly words?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly action?: 'build' | 'validate';
}

async function run(
  machine: FleetProject,
  { words = [], variables = {}, action = 'build' }: Run,
): Promise<ProgramOutcome> {
  return runProgram(['fleet', action, ...patterns, ...words], {
    workingDirectory: machine.directory,
    variables: { PATH: process.env['PATH'], KUREL_CACHE_KEY: key, ...variables },
  });
}

const outputsOf = ({ directory }: FleetProject): Readonly<Record<string, string>> =>
  readFiles(join(directory, 'rendered'));
const lastLine = ({ stderr }: ProgramOutcome): string => stderr.trimEnd().split('\n').at(-1)!;
const withoutRemark = ({ stderr }: ProgramOutcome): string => stderr.replace(/; \d+ from the cache\n$/, '\n');

let expected: Readonly<Record<string, string>> = {};
let single: ProgramOutcome;

beforeAll(async () => {
  const machine = createMachine();
  single = await run(machine, {});
  expect(single.exitCode).toBe(0);
  expected = outputsOf(machine);
}, 60_000);
afterAll(() => rmSync(place, { recursive: true, force: true }), 60_000);

/** A fleet without a cache is the measure of everything. */
async function expectSame(words: readonly string[], summary: string | RegExp, more: Omit<Run, 'words'> = {}) {
  const machine = createMachine();
  const outcome = await run(machine, { words, ...more });
  expect(outcome.exitCode).toBe(0);
  expect(outputsOf(machine)).toEqual(expected);
  if (typeof summary === 'string') expect(lastLine(outcome)).toBe(summary);
  else expect(outcome.stderr).toMatch(summary);
  return outcome;
}

const cold = '20 targets: 20 built';
const warm = '20 targets: 20 built; 20 from the cache';

describe('a cache in a directory', () => {
  it('gives the same bytes and findings, cold and warm', async () => {
    const words = ['--cache', join(place, 'warm')];
    expect(await expectSame(words, cold)).toEqual(single);
    const outcome = await expectSame(words, warm);
    expect(withoutRemark(outcome)).toBe(single.stderr);
    expect(outcome.stderr).toMatch(/^warning\[reference-missing\][^]* 12 \| {11}envFrom/);
  });

  it('builds what has changed, and finds it again after it was changed back', async () => {
    const words = ['--cache', join(place, 'warm')];
    const edit = (machine: FleetProject): void => {
      machine.write('clusters/c1/values.yaml', 'domain: other.example.com\n');
      machine.write('apps/api/new.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: new, namespace: api}\n');
    };
    for (const summary of ['20 targets: 20 built; 14 from the cache', warm]) {
      const machine = createMachine();
      edit(machine);
      expect(lastLine(await run(machine, { words }))).toBe(summary);
      const plain = createMachine();
      edit(plain);
      await run(plain, {});
      expect(outputsOf(machine)).toEqual(outputsOf(plain));
    }
    await expectSame(words, warm);
  });

  it('is used by --check and validate, and by the next run on the same machine', async () => {
    const machine = createMachine();
    const words = ['--cache', join(place, 'warm')];
    const variables = { XDG_CACHE_HOME: join(place, 'home') };
    await run(machine, { words, variables });
    expect(lastLine(await run(machine, { words, variables }))).toBe('20 targets: 20 up to date');
    const path = `rendered/${Object.keys(expected).find((one) => one.startsWith('c2/api/configmap'))}`;
    const check = await run(machine, { words: [...words, '--check'] });
    expect([check.exitCode, lastLine(check)]).toEqual([0, '20 targets: 20 up to date; 20 from the cache']);
    machine.write(path, machine.read(path).replace('info', 'warn'));
    const stale = await run(machine, { words: [...words, '--check'] });
    const { stdout, exitCode } = await run(machine, { words: ['--check'] });
    expect([stale.exitCode, stale.stdout]).toEqual([exitCode, stdout]);
    for (const summary of ['20 targets: 20 valid', '20 targets: 20 valid; 20 from the cache']) {
      const valid = await run(createMachine(), { words, action: 'validate' });
      expect([valid.exitCode, valid.stdout.trimEnd().split('\n').at(-1)]).toEqual([0, summary]);
    }
  });

  it('does not overwrite files that kurel has not written', async () => {
    const [machine, plain] = [createMachine(), createMachine()];
    const path = `rendered/${Object.keys(expected).find((one) => one.startsWith('c0/api/configmap'))}`;
    for (const one of [machine, plain]) one.write(path, 'mine: true\n');
    const outcome = await run(machine, { words: ['--cache', join(place, 'warm')] });
    const named = withoutRemark(outcome).replaceAll(machine.directory, plain.directory);
    expect(named).toBe((await run(plain, {})).stderr);
    expect(outputsOf(machine)).toEqual(outputsOf(plain));
    expect(machine.read(path)).toBe('mine: true\n');
  });

  it.each<[string, (bytes: Buffer, other: Buffer) => Buffer, RegExp]>([
    ['corrupt', (bytes) => flip(bytes, bytes.length - 1), /signature is not valid|does not match its digest/],
    ['corrupt at its start', (bytes) => flip(bytes, 0), /is damaged|signature is not valid|does not match its digest/],
    ['truncated', (bytes) => bytes.subarray(0, bytes.length - 7), /is damaged|signature|does not match its digest/],
    ['empty', () => Buffer.alloc(0), /signature is not valid|does not match its digest/],
    ['longer', (bytes) => Buffer.concat([bytes, bytes]), /signature is not valid|does not match its digest/],
    ['replayed', (_, other) => other, /signature is not valid|does not match its digest/],
  ])('builds targets whose entries are %s, and repairs them', async (name, change, reason) => {
    const directory = join(place, `bad-${name}`);
    const words = ['--cache', directory];
    await run(createMachine(), { words });
    for (const area of ['ac', 'cas']) {
      const files = readdirSync(join(directory, area)).map((file) => join(directory, area, file));
      const contents = files.map((file) => readFileSync(file));
      for (const [index, file] of files.entries()) {
        const other = contents[(index + 1) % contents.length]!;
        if (!other.equals(contents[index]!)) writeFileSync(file, change(contents[index]!, other));
      }
      const outcome = await expectSame(words, /20 targets: 20 built/);
      expect(outcome.stderr).toMatch(/^note\[fleet-cache-entry\]: an entry of the cache was not used: /m);
      expect(outcome.stderr).toMatch(reason);
      await expectSame(words, warm);
    }
  });

  it('does not use entries of others', async () => {
    const directory = join(place, 'foreign');
    await run(createMachine(), {
      words: ['--cache', directory],
      variables: { KUREL_CACHE_KEY: 'the key of somebody else' },
    });
    // Names depend on the key, too, so there is nothing to reject.
    await expectSame(['--cache', directory], cold);
  });

  it('stores nothing with --cache-read-only', async () => {
    const directory = join(place, 'read-only');
    await expectSame(['--cache', directory, '--cache-read-only'], cold);
    await run(createMachine(), { words: ['--cache', directory] });
    const files = Object.keys(readFiles(directory)).toSorted();
    const machine = createMachine();
    appendFileSync(join(machine.directory, 'apps/file.yaml'), '# new\n');
    const outcome = await run(machine, { words: ['--cache', directory, '--cache-read-only'] });
    expect(lastLine(outcome)).toBe('20 targets: 20 built; 15 from the cache');
    expect(Object.keys(readFiles(directory)).toSorted()).toEqual(files);
  });

  it('stores targets with Secret data only with --cache-secrets', async () => {
    const directory = join(place, 'secrets');
    const secret =
      'apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: api}\nstringData: {password: hunter22}\n';
    const build = async (...words: readonly string[]): Promise<string> => {
      const machine = createMachine();
      machine.write('apps/api/secret.yaml', secret);
      return lastLine(await run(machine, { words: ['--cache', directory, ...words] }));
    };
    expect(await build()).toBe(cold);
    expect(await build()).toBe('20 targets: 20 built; 15 from the cache');
    const all = Object.values(readFiles(directory)).join('\n');
    expect(all).not.toContain('hunter22');
    await build('--cache-secrets');
    expect(await build()).toBe(warm);
  });

  it('goes on without a directory that cannot be used', async () => {
    const file = join(place, 'file');
    writeFileSync(file, '');
    const outcome = await expectSame(['--cache', file], /20 targets: 20 built\n$/);
    expect(outcome.stderr).toMatch(
      /^note\[fleet-cache-failed\]: cannot read from the cache: it is not a directory;[^(]*$/m,
    );
  });
});

function flip(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = copy[at]! ^ 1;
  return copy;
}

describe('a cache on a server', () => {
  it('gives the same bytes and findings, cold and warm', async () => {
    const server = await startCacheServer();
    const words = ['--cache', `${server.url}/`];
    expect(await expectSame(words, cold)).toEqual(single);
    // As the guide says: looking for a target and storing it, and finding it.
    expect(server.requests).toHaveLength(20 * 5);
    expect(withoutRemark(await expectSame(words, warm))).toBe(single.stderr);
    expect(server.requests).toHaveLength(20 * 5 + 20 * 3);
    expect([...server.entries.keys()].every((path) => /^\/(?:ac|cas)\/[0-9a-f]{64}$/.test(path))).toBe(true);
    await server.stop();
  });

  it.each<[string, Readonly<Record<string, string>>, string | undefined]>([
    ['nothing', {}, undefined],
    ['a token', { KUREL_CACHE_TOKEN: 't0ken' }, 'Bearer t0ken'],
    ['a user', { KUREL_CACHE_USER: 'me', KUREL_CACHE_PASSWORD: 'p:w' }, 'Basic bWU6cDp3'],
  ])('sends %s from the environment', async (_, variables, authorization) => {
    const server = await startCacheServer();
    await run(createMachine(), { words: ['--cache', server.url], variables });
    expect([...server.authorizations]).toEqual([authorization]);
    await server.stop();
  });

  const answer =
    (method: 'GET' | 'PUT', act: (...args: Parameters<Interference>) => void): Interference =>
    (request, response, stored) => {
      if (request.method !== method || (method === 'GET' && stored === undefined)) return false;
      act(request, response, stored);
      return true;
    };
  it.each<[string, Interference, RegExp]>([
    [
      'is full',
      answer('PUT', (_, response) => void response.writeHead(507).end()),
      /write to the cache: the server has no space \(status 507\)/,
    ],
    [
      'refuses',
      answer('GET', (_, response) => void response.writeHead(403).end()),
      /read from the cache: the server refuses access/,
    ],
    [
      'redirects',
      answer('GET', (_, response) => void response.writeHead(302, { location: '/' }).end()),
      /the server redirects, which is not allowed/,
    ],
    [
      'fails',
      answer('GET', (_, response) => void response.writeHead(500).end('oops')),
      /the server answers with status 500/,
    ],
    ['hangs up', answer('GET', (request) => void request.socket.destroy()), /the connection was closed early/],
    [
      'is slow',
      answer('GET', (_, response) => void response.writeHead(200).write('x')),
      /no complete response within 1 s/,
    ],
    [
      'stops halfway',
      answer('GET', (_, response, stored) => {
        response.writeHead(200, { 'content-length': stored!.length }).write(stored!.subarray(0, 5));
        setImmediate(() => response.destroy());
      }),
      /the connection was closed early|aborted/,
    ],
    [
      'sends something else',
      answer('GET', (_, response) => void response.writeHead(200).end('<html>')),
      /an entry of the cache was not used: it is damaged/,
    ],
    [
      'sends without end',
      answer('GET', (_, response) => void response.writeHead(200).end(Buffer.alloc(5_000_000))),
      /an entry of the cache was not used: it is damaged/,
    ],
    [
      'sends the wrong content',
      answer(
        'GET',
        (request, response, stored) =>
          void response.writeHead(200).end(request.url!.startsWith('/cas/') ? flip(stored!, 9) : stored),
      ),
      /its content does not match its digest/,
    ],
  ])('that %s changes no byte', async (_, interfere, reason) => {
    let lies = false;
    const server = await startCacheServer((...args) => lies && interfere(...args));
    const words = ['--cache', server.url, '--timeout', '1'];
    await run(createMachine(), { words });
    lies = true;
    const machine = createMachine();
    // Something to store, for a server that cannot.
    appendFileSync(join(machine.directory, 'clusters/c0/values.yaml'), '# new\n');
    const outcome = await run(machine, { words });
    expect(outcome.exitCode).toBe(0);
    expect(outputsOf(machine)).toEqual(expected);
    expect(outcome.stderr).toMatch(reason);
    await server.stop();
  });

  it('needs a certificate that Node trusts', { tags: 'slow' }, async () => {
    const certificate = selfSigned();
    const server = await startCacheServer(undefined, certificate);
    const words = ['--cache', server.url];
    const outcome = await expectSame(words, /20 targets: 20 built\n$/);
    expect(outcome.stderr).toMatch(/read from the cache: its certificate is not trusted/);
    expect(server.requests).toEqual([]);
    const file = join(place, 'certificate.pem');
    writeFileSync(file, certificate.cert);
    const variables = { PATH: process.env['PATH'], KUREL_CACHE_KEY: key, NODE_EXTRA_CA_CERTS: file };
    for (const summary of [cold, warm]) {
      const machine = createMachine();
      const all = ['fleet', 'build', ...patterns, ...words];
      const trusting = await spawnProgram(all, { workingDirectory: machine.directory, variables, stdin: '' });
      expect(lastLine(trusting)).toBe(summary);
      expect(outputsOf(machine)).toEqual(expected);
    }
    await server.stop();
  });

  it('that does not answer holds up only the first targets', async () => {
    let hangs = false;
    const server = await startCacheServer((request) => hangs && request.method === 'GET');
    const words = ['--cache', server.url, '--timeout', '1'];
    await run(createMachine(), { words });
    hangs = true;
    const before = server.requests.length;
    await expectSame(words, /no complete response within 1 s[^]*20 targets: 20 built\n$/);
    // Those that are looked up at the same time; nobody asks again.
    expect(server.requests.slice(before).filter((one) => one.startsWith('GET'))).toHaveLength(16);
    await server.stop();
  });

  it('that is down changes no byte', async () => {
    const server = await startCacheServer();
    await server.stop();
    const outcome = await expectSame(['--cache', server.url], /20 targets: 20 built\n$/);
    expect(outcome.stderr).toMatch(
      /^note\[fleet-cache-failed\]: cannot read from the cache: the connection was refused;[^(]*$/m,
    );
  });
});
