import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { createFleetProject, readFiles } from './fleet-project.ts';
import { describeWithProgram, toolFile } from './render-case.ts';
import { runProgram } from './run-program.ts';
import { repository } from './source-tree.ts';
import { startNginx } from './start-nginx.ts';
import type { Nginx } from './start-nginx.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-fleet-nginx-'));
let machines = 0;

interface Outcome {
  readonly stderr: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Builds on a machine that has never built anything. */
async function build(words: readonly string[], credentials: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  machines += 1;
  const { directory } = createFleetProject(join(place, `machine-${machines}`));
  const variables = { PATH: process.env['PATH'], KUREL_CACHE_KEY: 'a key that all machines share', ...credentials };
  const all = ['fleet', 'build', '*/web', '*/api', '*/file', ...words];
  const { exitCode, stderr } = await runProgram(all, { workingDirectory: directory, variables });
  expect(exitCode).toBe(0);
  return { stderr, files: readFiles(join(directory, 'rendered')) };
}

async function withNginx(
  settings: readonly string[] | undefined,
  body: (server: Nginx) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(place, 'nginx-'));
  const server = await startNginx({ file: toolFile('nginx'), directory, settings });
  try {
    await body(server);
  } finally {
    await server.stop();
  }
}

afterAll(() => rmSync(place, { recursive: true, force: true }));

// Only Debian and Ubuntu have the package that `npm run tools` unpacks.
if (process.platform === 'linux') {
  describeWithProgram('nginx', 'a cache on nginx with WebDAV', () => {
    it('gives the same bytes: cold, warm, corrupt, lying, and when it is down', async () => {
      const { files, stderr } = await build([]);
      await withNginx(undefined, async ({ url, root, stop }) => {
        expect(await build(['--cache', url])).toEqual({ files, stderr });
        const warm = await build(['--cache', url]);
        expect(warm.files).toEqual(files);
        expect(warm.stderr).toMatch(/15 targets: 15 built; 15 from the cache\n$/);
        // The same files as a directory.
        expect((await build(['--cache', root])).stderr).toBe(warm.stderr);
        for (const name of readdirSync(join(root, 'cas'))) {
          const path = join(root, 'cas', name);
          writeFileSync(path, readFileSync(path).subarray(1));
        }
        const corrupt = await build(['--cache', url]);
        expect(corrupt.files).toEqual(files);
        expect(corrupt.stderr).toMatch(
          /its content does not match its digest[^]*15 targets: 15 built(?:; \d from the cache)?\n$/,
        );
        expect((await build(['--cache', url])).stderr).toBe(warm.stderr);
        // Valid entries under the names of others.
        const paths = readdirSync(join(root, 'ac')).map((name) => join(root, 'ac', name));
        const contents = paths.map((path) => readFileSync(path));
        for (const [index, path] of paths.entries()) writeFileSync(path, contents[(index + 1) % contents.length]!);
        const lying = await build(['--cache', url]);
        expect(lying.files).toEqual(files);
        expect(lying.stderr).toMatch(/its signature is not valid[^]*15 targets: 15 built\n$/);
        expect((await build(['--cache', url])).stderr).toBe(warm.stderr);
        await stop();
        const down = await build(['--cache', url]);
        expect(down.files).toEqual(files);
        expect(down.stderr).toMatch(/read from the cache: the connection was refused/);
      });
    }, 120_000);

    it.each<[string, readonly string[], RegExp]>([
      [
        'full',
        ['dav_methods PUT;', 'create_full_put_path on;', 'client_max_body_size 300;'],
        /write to the cache: the server has no space \(status 413\)/,
      ],
      ['read-only', ['dav_methods off;'], /write to the cache: the server answers with status 405/],
      ['closed to others', ['deny all;'], /read from the cache: the server refuses access \(status 403\)/],
    ])(
      'that is %s changes no byte',
      async (_, settings, reason) => {
        const { files } = await build([]);
        await withNginx(settings, async ({ url }) => {
          for (let round = 0; round < 2; round++) {
            const outcome = await build(['--cache', url]);
            expect(outcome.files).toEqual(files);
            expect(outcome.stderr).toMatch(reason);
          }
        });
      },
      120_000,
    );

    it('is set up as the guide says: some may write, others only read', async () => {
      const guide = readFileSync(join(repository, 'docs', 'guides', 'many-machines.md'), 'utf8');
      const [, location] = /^ {2}location \/ \{\n([^]*?)^ {2}\}$/m.exec(guide)!;
      const users = { 'kurel-readers': 'reader:{PLAIN}r\nwriter:{PLAIN}w\n', 'kurel-writers': 'writer:{PLAIN}w\n' };
      for (const [name, text] of Object.entries(users)) writeFileSync(join(place, name), text);
      const settings = location!.replaceAll('/etc/nginx', place).trimEnd().split('\n');
      const { files } = await build([]);
      await withNginx(settings, async ({ url }) => {
        const as = (user: string, ...words: readonly string[]) =>
          build(['--cache', url, ...words], { KUREL_CACHE_USER: user, KUREL_CACHE_PASSWORD: user[0]! });
        expect((await as('reader')).stderr).toMatch(/write to the cache: the server refuses access \(status 401\)/);
        expect((await as('writer')).stderr).toMatch(/15 targets: 15 built\n$/);
        const found = await as('reader', '--cache-read-only');
        expect(found.stderr).toMatch(/15 targets: 15 built; 15 from the cache\n$/);
        expect(found.files).toEqual(files);
        expect((await as('somebody')).stderr).toMatch(/read from the cache: the server refuses access \(status 401\)/);
      });
    }, 120_000);

    it('that is slow changes no byte', async () => {
      const { files } = await build([]);
      await withNginx(undefined, async ({ url, root }) => {
        await build(['--cache', url]);
        const directory = mkdtempSync(join(place, 'slow-'));
        const settings = [`root ${root};`, 'limit_rate 1;'];
        const slow = await startNginx({ file: toolFile('nginx'), directory, settings });
        const outcome = await build(['--cache', slow.url, '--timeout', '1']);
        await slow.stop();
        expect(outcome.files).toEqual(files);
        expect(outcome.stderr).toMatch(/no complete response within 1 s/);
      });
    }, 120_000);
  });
}
