import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import { readTar } from '../src/archive/read-tar.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import type { ProgramOutcome } from './run-program.ts';
import { repository } from './source-tree.ts';
import { startRegistry } from './start-registry.ts';
import type { Registry } from './start-registry.ts';
import { startWatch } from './start-watch.ts';

const examples = join(repository, 'examples');
const webFlags = [
  '--profile',
  join(examples, 'applications/web/ingress.yaml'),
  '--values',
  join(examples, 'applications/web/package/examples/minimal.yaml'),
];

describeWithProgram('registry', 'packages in a registry', () => {
  let registry: Registry;
  let storage = '';
  let place = '';
  let count = 0;
  /** A repository of its own for each test. */
  let base = '';

  beforeAll(async () => {
    storage = mkdtempSync(join(tmpdir(), 'kurel-registry-'));
    registry = await startRegistry(storage);
  });
  afterAll(async () => {
    await registry?.stop();
    rmSync(storage, { recursive: true, force: true });
  });
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'kurel-publish-'));
    cpSync(join(examples, 'applications/web/package'), join(place, 'web'), { recursive: true });
    cpSync(join(examples, 'packages/gitea.kurel'), join(place, 'gitea.kurel'), { recursive: true });
    base = `oci://${registry.host}/test-${(count += 1)}`;
  });
  afterEach(() => rmSync(place, { recursive: true, force: true }));

  async function run(...words: readonly string[]): Promise<ProgramOutcome> {
    return runProgram([...words, '--allow-private'], { workingDirectory: place });
  }

  /** Pushes, and gives the reference with the digest. */
  async function push(...words: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await run('push', ...words);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringMatching(/^(?:tag .*\n)+/) as string });
    expect(stderr).not.toMatch(/warning\[/);
    return stdout.trimEnd();
  }

  function readTree(directory: string): Readonly<Record<string, string>> {
    const root = join(place, directory);
    const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const files = entries.map((entry) => join(entry.parentPath, entry.name));
    return Object.fromEntries(files.map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')]));
  }

  it('are pushed once, and a tag is moved only with --force', { tags: 'slow' }, async () => {
    const first = await run('push', 'web', `${base}/web`, '--tag', 'latest');
    expect(first).toMatchObject({ exitCode: 0, stderr: 'tag 1.0.0: added\ntag latest: added\n' });
    expect(first.stdout).toMatch(/^oci:\/\/\S+\/web@sha256:[0-9a-f]{64}\n$/);
    const again = await run('push', 'web', `${base}/web`);
    expect(again).toEqual({ exitCode: 0, stdout: first.stdout, stderr: 'tag 1.0.0: unchanged\n' });

    writeFileSync(join(place, 'web/NOTES.md'), 'new\n');
    const refused = await run('push', 'web', `${base}/web`, '--tag', 'next');
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain(
      `error[registry-tag-exists]: tag "1.0.0" of "${base}/web" already has other content`,
    );
    expect((await run('info', `${base}/web:next`)).stderr).toContain('the registry has no such tag');

    const forced = await run('push', 'web', `${base}/web`, '--force', '--tag', 'next');
    expect(forced).toMatchObject({ exitCode: 0, stderr: 'tag 1.0.0: moved\ntag next: added\n' });
    expect(forced.stdout).not.toBe(first.stdout);
  });

  it('are the same for every command as the directory that was pushed', { tags: 'slow' }, async () => {
    const web = await push('web', `${base}/web`);
    const gitea = await push('gitea.kurel', `${base}/gitea`);
    const calls: readonly (readonly [
      command: readonly string[],
      reference: string,
      path: string,
      ...flags: string[],
    ])[] = [
      [['build'], web, 'web', ...webFlags],
      [['validate'], web, 'web', ...webFlags],
      [['explain'], web, 'web', ...webFlags],
      [['images'], web, 'web', ...webFlags],
      [['schema', 'generate'], web, 'web'],
      [['build'], gitea, 'gitea.kurel'],
      [
        ['build'],
        gitea,
        'gitea.kurel',
        '--values',
        'gitea.kurel/examples/production.yaml',
        '--layout',
        'flux',
        '-o',
        'out/',
      ],
      [['validate', '--verbose'], gitea, 'gitea.kurel'],
      [['explain'], gitea, 'gitea.kurel'],
      [['images'], gitea, 'gitea.kurel'],
      [['patches', 'list'], gitea, 'gitea.kurel'],
      [['schema', 'generate'], gitea, 'gitea.kurel'],
    ];
    for (const [command, reference, path, ...flags] of calls) {
      const outcomes = [];
      for (const input of [path, reference]) {
        const given = input === path ? [] : ['--allow-private'];
        const { exitCode, stdout, stderr } = await runProgram([...command, input, ...flags, ...given], {
          workingDirectory: place,
        });
        const show = (text: string): string => text.replaceAll(reference, path);
        const written = existsSync(join(place, 'out')) ? readTree('out') : {};
        rmSync(join(place, 'out'), { recursive: true, force: true });
        outcomes.push({ exitCode, stdout: show(stdout), stderr: show(stderr), written });
      }
      expect(outcomes[0]!.exitCode, command.join(' ')).toBe(0);
      expect(outcomes[1], command.join(' ')).toEqual(outcomes[0]);
    }
    expect(await run('diff', web, 'web', ...webFlags)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await run('diff', 'gitea.kurel', gitea, '--no-local')).toMatchObject({ exitCode: 0 });
  });

  it('are named by a tag with one warning, which has the digest', { tags: 'slow' }, async () => {
    const pinned = await push('web', `${base}/web`);
    const warning = `warning[source-unpinned]: "${base}/web:1.0.0" is not pinned: its tag can be moved to other content\n   = hint: use ${pinned}\n`;
    for (const words of [['build'], ['explain'], ['images'], ['schema', 'generate']]) {
      const flags = words[0] === 'schema' ? [] : webFlags;
      const { exitCode, stderr } = await run(...words, `${base}/web:1.0.0`, ...flags);
      expect({ exitCode, stderr }, words.join(' ')).toEqual({ exitCode: 0, stderr: `${warning}\n1 warning\n` });
    }
    const same = await run('diff', `${base}/web:1.0.0`, `${base}/web:1.0.0`, ...webFlags, '--set-b', 'replicas=5');
    expect(same.stderr).toBe(`${warning}\n1 warning\n`);
    const strict = await run('build', `${base}/web:1.0.0`, ...webFlags, '--strict');
    expect(strict).toMatchObject({ exitCode: 1, stdout: '' });
    expect(strict.stderr).toContain('error[source-unpinned]');
    expect((await run('build', pinned, ...webFlags, '--strict')).exitCode).toBe(0);
  });

  it('show where a mistake is', async () => {
    const pinned = await push('web', `${base}/web`);
    const { exitCode, stderr } = await run('build', pinned, ...webFlags.slice(0, 2));
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`--> ${pinned}/kurel.yaml:9:11\n`);
  });

  it('use a local extension only with --local', { tags: 'slow' }, async () => {
    const pinned = await push('gitea.kurel', `${base}/gitea`);
    cpSync(join(examples, 'packages/gitea.local.kurel'), join(place, 'gitea.local.kurel'), { recursive: true });
    const alone = await run('build', pinned);
    const local = await run('build', pinned, '--local', 'gitea.local.kurel');
    expect(alone.stdout).toBe((await run('build', 'gitea.kurel', '--no-local')).stdout);
    expect(local.stdout).toBe((await run('build', 'gitea.kurel')).stdout);
    expect(local.stdout).not.toBe(alone.stdout);
  });

  it('are built again with --watch when a local file changes', async () => {
    const pinned = await push('web', `${base}/web`);
    writeFileSync(join(place, 'values.yaml'), readFileSync(webFlags[3]!, 'utf8'));
    const words = [
      'build',
      pinned,
      ...webFlags.slice(0, 2),
      '--values',
      'values.yaml',
      '-o',
      'out/',
      '--allow-private',
    ];
    const watch = startWatch(words, { workingDirectory: place });
    try {
      await watch.until(() => watch.stderr().includes('Ctrl-C'));
      // The profile and the values.
      expect(watch.stderr()).toContain('watching 2 files');
      writeFileSync(join(place, 'new.yaml'), `${readFileSync(webFlags[3]!, 'utf8')}\nreplicas: 7\n`);
      renameSync(join(place, 'new.yaml'), join(place, 'values.yaml'));
      await watch.until(() => watch.runs() === 2);
      expect(Object.values(readTree('out')).join('\n')).toContain('replicas: 7');
    } finally {
      expect(await watch.end()).toBe(0);
    }
  });

  it('are pulled into a directory of their own', { tags: 'slow' }, async () => {
    const web = await push('web', `${base}/web`);
    const gitea = await push('gitea.kurel', `${base}/gitea`);
    mkdirSync(join(place, 'fetched'));
    const inside = { workingDirectory: join(place, 'fetched') };
    const pull = async (...words: readonly string[]) => await runProgram(['pull', ...words, '--allow-private'], inside);
    expect(await pull(`${base}/web:1.0.0`)).toEqual({
      exitCode: 0,
      stdout: `${web}\n`,
      stderr: 'wrote 5 files to web/\n',
    });
    expect(await pull(gitea)).toMatchObject({ exitCode: 0, stderr: 'wrote 40 files to gitea.kurel/\n' });
    expect(readTree('fetched/web')).toEqual(readTree('web'));
    expect(readTree('fetched/gitea.kurel')).toEqual(readTree('gitea.kurel'));
    expect(readdirSync(join(place, 'fetched')).toSorted()).toEqual(['gitea.kurel', 'web']);

    // A later run has nothing to do, even if there are other files by now.
    writeFileSync(join(place, 'fetched/web/values.yaml'), 'replicas: 2\n');
    expect(await pull(web)).toEqual({ exitCode: 0, stdout: `${web}\n`, stderr: 'web/ is up to date\n' });
    writeFileSync(join(place, 'fetched/web/app.yaml'), 'mine\n');
    const refused = await pull(web);
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('error[pull-not-empty]: "web" is not empty\n');
    expect(readFileSync(join(place, 'fetched/web/app.yaml'), 'utf8')).toBe('mine\n');
    mkdirSync(join(place, 'fetched/a/b'), { recursive: true });
    expect(await pull(web, '-o', 'a/b/')).toMatchObject({ exitCode: 0, stderr: 'wrote 5 files to a/b/\n' });
  });

  it('keep the digest that a push of what was pulled has', async () => {
    const web = await push('web', `${base}/web`);
    await run('pull', web, '-o', 'copy');
    expect(await push('copy', `${base}/web:again`)).toBe(web);
  });

  it('have no links, and no names that some systems cannot have', async () => {
    symlinkSync('app.yaml', join(place, 'web/linked.yaml'));
    symlinkSync('examples', join(place, 'web/samples'));
    symlinkSync('missing', join(place, 'web/broken'));
    const links = await run('push', 'web', `${base}/web`, '--dry-run');
    expect(links).toMatchObject({ exitCode: 1, stdout: '' });
    expect(links.stderr.match(/^error\[.*$/gm)).toEqual([
      'error[push-file-refused]: cannot push "web/broken": it is a broken link, a device, a pipe or a socket',
      'error[push-file-refused]: cannot push "web/linked.yaml": it is a link',
      'error[push-file-refused]: cannot push "web/samples": it is a link',
    ]);
    for (const name of ['linked.yaml', 'samples', 'broken']) rmSync(join(place, 'web', name));
    writeFileSync(join(place, 'web/a:b.yaml'), '');
    const named = await run('push', 'web', `${base}/web`, '--dry-run');
    expect(named.stderr).toContain(
      'error[push-file-refused]: cannot push "web": the entry "a:b.yaml" has an absolute name',
    );
  });

  it('are described without their content', async () => {
    writeFileSync(join(place, 'web/README.md'), '# web\n\u001b[31mred\n');
    const pinned = await push('web', `${base}/web`);
    const manifest = JSON.parse((await fetchManifest(pinned)).toString()) as { layers: { digest: string }[] };
    const { digest } = manifest.layers[0]!;
    rmSync(join(storage, 'storage/docker/registry/v2/blobs/sha256', digest.slice(7, 9), digest.slice(7)), {
      recursive: true,
    });
    const { exitCode, stdout, stderr } = await run('info', pinned);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const local = (await runProgram(['info', 'web'], { workingDirectory: place })).stdout;
    expect(stdout).toContain(`Reference: ${pinned}\n${local}`);
    expect(stdout).toContain('Files (6):\n  README.md (15 bytes)\n');
    const data = JSON.parse((await run('info', pinned, '--format', 'json')).stdout) as object;
    expect(data).toMatchObject({
      reference: pinned,
      name: 'web',
      annotations: { 'org.opencontainers.image.version': '1.0.0' },
    });
    expect((await run('info', pinned, '--readme')).stdout).toBe('# web\n␛[31mred\n');
    expect((await run('build', pinned, ...webFlags)).stderr).toMatch(/error\[registry-access\].*404/);
  });

  it('are refused if they are something else, or not what they say', async () => {
    // A registry keeps equal blobs only once.
    writeFileSync(join(place, 'web/damaged.txt'), 'soon');
    const pinned = await push('web', `${base}/web`);
    await push('--rendered', 'web', `${base}/web:manifests`, ...webFlags);
    const other = await run('build', `${base}/web:manifests`, ...webFlags);
    expect(other).toMatchObject({ exitCode: 1, stdout: '' });
    expect(other.stderr).toContain('it is a set of rendered manifests, not a package of kurel');

    const manifest = JSON.parse((await fetchManifest(pinned)).toString()) as {
      layers: { digest: string; size: number }[];
    };
    const { digest } = manifest.layers[0]!;
    const blob = join(storage, 'storage/docker/registry/v2/blobs/sha256', digest.slice(7, 9), digest.slice(7), 'data');
    writeFileSync(blob, Buffer.alloc(statSync(blob).size));
    for (const words of [
      ['build', ...webFlags],
      ['pull', '-o', 'fetched'],
    ]) {
      const { exitCode, stdout, stderr } = await run(...words, pinned);
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      expect(stderr).toMatch(/error\[registry-access\]: cannot use "\S+": the digest must be sha256:\w+, got sha256:/);
    }
    expect(existsSync(join(place, 'fetched'))).toBe(false);
  });

  it.each(['flat', 'phases', 'flux', 'argocd', 'by-kind', 'stream'])(
    'have rendered output in the layout %s as a build writes it',
    async (layout) => {
      const flags = ['gitea.kurel', '--layout', layout, '--values', 'gitea.kurel/examples/production.yaml'];
      const revision = 'org.opencontainers.image.revision=main@sha1:1f2e3d';
      const pinned = await push('--rendered', ...flags, `${base}/rendered:main`, '--annotation', revision);
      expect((await runProgram(['build', ...flags, '-o', 'out/'], { workingDirectory: place })).exitCode).toBe(0);
      const manifest = JSON.parse((await fetchManifest(pinned)).toString()) as {
        annotations: object;
        config: { mediaType: string };
        layers: { mediaType: string; digest: string }[];
      };
      expect(manifest).toMatchObject({
        annotations: { 'org.opencontainers.image.revision': 'main@sha1:1f2e3d' },
        config: { mediaType: 'application/vnd.cncf.flux.config.v1+json' },
        layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip' }],
      });
      const url = `${repositoryUrl(pinned)}/blobs/${manifest.layers[0]!.digest}`;
      const entries = readTar(gunzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())));
      const files = Object.fromEntries(entries.map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)]));
      const { '.kurel-inventory': _, ...written } = readTree('out');
      expect(files).toEqual(written);
    },
  );

  describeWithProgram('crane', 'as crane sees them', (crane) => {
    const call = (...words: readonly string[]): Buffer =>
      execFileSync(crane, [...words, '--insecure'], { stdio: ['ignore', 'pipe', 'pipe'], env: { HOME: place } });

    it('are valid, with the digest that kurel prints', async () => {
      const web = await push('web', `${base}/web`);
      const rendered = await push('--rendered', 'web', `${base}/rendered:main`, ...webFlags);
      for (const [pinned, tag] of [
        [web, `${base}/web:1.0.0`],
        [rendered, `${base}/rendered:main`],
      ] as const) {
        const name = tag.slice('oci://'.length);
        call('validate', '--remote', name);
        expect(call('digest', name).toString().trim()).toBe(pinned.slice(pinned.indexOf('@') + 1));
        expect(call('manifest', name)).toEqual(await fetchManifest(pinned));
      }
      expect(call('ls', `${base}/web`.slice('oci://'.length)).toString()).toBe('1.0.0\n');
    });

    it('have the files that were pushed', async () => {
      const web = await push('web', `${base}/web`);
      const manifest = JSON.parse(call('manifest', web.slice('oci://'.length)).toString()) as {
        layers: { digest: string }[];
      };
      const name = `${base}/web@${manifest.layers[0]!.digest}`.slice('oci://'.length);
      const entries = readTar(gunzipSync(call('blob', name)));
      const files = Object.fromEntries(entries.map((entry) => [entry.name, new TextDecoder().decode(entry.bytes)]));
      expect(files).toEqual(readTree('web'));
      const rendered = await push('--rendered', 'web', `${base}/rendered:main`, ...webFlags);
      const exported = readTar(call('export', rendered.slice('oci://'.length), '-'));
      const kinds = exported.map(({ bytes }) => /^kind: (.*)$/m.exec(new TextDecoder().decode(bytes))?.[1]);
      expect(kinds).toContain('Deployment');
    });
  });

  function repositoryUrl(pinned: string): string {
    return pinned.replace(/^oci:\/\/([^/]+)\/(.*)@.*$/, 'http://$1/v2/$2');
  }

  async function fetchManifest(pinned: string): Promise<Buffer> {
    const digest = pinned.slice(pinned.indexOf('@') + 1);
    const headers = { accept: 'application/vnd.oci.image.manifest.v1+json' };
    const bytes = Buffer.from(
      await (await fetch(`${repositoryUrl(pinned)}/manifests/${digest}`, { headers })).arrayBuffer(),
    );
    expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(digest);
    return bytes;
  }
});
