import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startServer } from './loopback-server.ts';
import type { LoopbackServer } from './loopback-server.ts';
import { runProgram } from './run-program.ts';

const head = 'apiVersion: launcher.gokure.dev/v1alpha1\n';
const place = mkdtempSync(join(tmpdir(), 'kurel-fetches-'));
const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  key: x\n';
let server: LoopbackServer;

beforeAll(async () => {
  server = await startServer({
    '/a.yaml': (_, response) => response.end(settings),
    '/moved.yaml': (_, response) =>
      response.writeHead(302, { location: `${server.url.replace('127.0.0.1', 'localhost')}/a.yaml` }).end(),
  });
});
afterAll(async () => {
  await server.stop();
  rmSync(place, { recursive: true });
});
let asked = 0;
beforeEach(() => void (asked = server.requests.length));
const newRequests = (): readonly (string | undefined)[] => server.requests.slice(asked).map(({ url }) => url);

function writePackage(name: string, path: string): void {
  mkdirSync(join(place, name), { recursive: true });
  const component = `{name: settings, type: manifests, properties: {url: "${server.url}${path}"}}`;
  const declared = `${head}kind: Package\nmetadata: {name: ${name}}\nspec:\n  parameters:\n  - {name: team, type: string, default: one}\n`;
  writeFileSync(join(place, name, 'kurel.yaml'), declared);
  writeFileSync(
    join(place, name, 'app.yaml'),
    `${head}kind: Application\nmetadata: {name: ${name}, labels: {team: "\${team}"}}\nspec:\n  components:\n  - ${component}\n`,
  );
}

const run = (...words: readonly string[]) =>
  runProgram([...words, '--no-profile', '--allow-private'], { workingDirectory: place });

describe('one command', () => {
  it('fetches a source of both sides of a comparison once', async () => {
    writePackage('shop', '/a.yaml');
    const { exitCode, stdout } = await run('diff', 'shop', '--set-b', 'team=two');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('two');
    expect(newRequests()).toEqual(['/a.yaml']);
  });

  it('fetches a source of several packages once', async () => {
    for (const name of ['shop', 'depot']) writePackage(name, '/a.yaml');
    await run('validate', 'shop', 'depot');
    expect(newRequests()).toEqual(['/a.yaml']);
  });

  it('fetches again in the next command', async () => {
    writePackage('shop', '/a.yaml');
    await run('build', 'shop');
    await run('build', 'shop');
    expect(newRequests()).toEqual(['/a.yaml', '/a.yaml']);
  });

  it('does not use what the policy of one side allows for the other', async () => {
    writePackage('shop', '/moved.yaml');
    for (const [file, hosts] of [
      ['open.yaml', `"${server.host}", "${server.host.replace('127.0.0.1', 'localhost')}"`],
      ['strict.yaml', `"${server.host}"`],
    ] as const) {
      const policy = `${head}kind: Policy\nmetadata: {name: p}\nspec: {enforced: {allowedSources: [${hosts}]}}\n`;
      writeFileSync(join(place, file), policy);
    }
    const { exitCode, stderr } = await run('diff', 'shop', '--policy-a', 'open.yaml', '--policy-b', 'strict.yaml');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('error[source-unreachable]: B: cannot fetch');
    expect(stderr).toContain('is not allowed');
    expect(stderr).not.toContain('A: cannot fetch');
  });
});
