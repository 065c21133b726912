import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { executable } from './kurel-program.ts';
import { repository } from './source-tree.ts';

const dockerfile = readFileSync(join(repository, 'Dockerfile'), 'utf8');
const instructions = Array.from(dockerfile.matchAll(/^([A-Z]+) (.*)$/gm), ([, name = '', words = '']) => ({
  name,
  words,
}));
const find = (name: string): readonly string[] =>
  instructions.filter((one) => one.name === name).map(({ words }) => words);

describe('the Dockerfile', () => {
  it('runs kurel as a user without rights, in a directory for the input', () => {
    expect(find('USER')).toEqual(['65532:65532']);
    expect(find('WORKDIR')).toEqual(['/work']);
    expect(find('ENTRYPOINT').map((words) => JSON.parse(words))).toEqual([['/usr/local/bin/kurel']]);
  });

  it('runs nothing while it is built, so that no emulation is needed for another architecture', () => {
    const names = new Set(instructions.map(({ name }) => name));
    expect(names).toEqual(new Set(['FROM', 'ARG', 'COPY', 'USER', 'WORKDIR', 'ENTRYPOINT', 'CMD']));
  });
});

const isolated = ['--mount', '--pid', '--fork', '--net'];
const canIsolate =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', [...isolated, 'true']).status === 0;

// What a container runtime does: the files of the image and nothing else, read-only, as the user of the image, without a network.
describe.runIf(executable !== undefined && canIsolate)('the files of the image', () => {
  const place = mkdtempSync(join(tmpdir(), 'kurel-image-'));
  const root = join(place, 'root');
  const user = find('USER')[0]!;
  const [program] = JSON.parse(find('ENTRYPOINT')[0]!) as readonly [string];

  beforeAll(() => {
    const directories = {
      KUREL_RELEASE_DIRECTORY: join(place, 'release'),
      KUREL_IMAGE_DIRECTORY: join(place, 'image'),
    };
    for (const script of ['files.mjs', 'image.mjs'])
      execFileSync(process.execPath, [join(repository, 'scripts', 'release', script)], {
        env: { ...process.env, ...directories },
      });
    const architecture = { x64: 'amd64' }[process.arch as string] ?? process.arch;
    for (const words of find('COPY')) {
      const [source = '', target = ''] = words.replace('${TARGETARCH}', architecture).split(' ');
      cpSync(join(place, 'image', source), join(root, target), { recursive: true });
    }
    // The base image has the libraries that the executable is linked with.
    const libraries = execFileSync('ldd', [executable!], { encoding: 'utf8' }).match(/\/\S+/g)!;
    for (const path of libraries) cpSync(path, join(root, path), { dereference: true, recursive: true });
    for (const name of ['proc', 'work']) mkdirSync(join(root, name));
    cpSync(join(repository, 'examples', 'plain'), join(root, 'work', 'plain'), { recursive: true });
    for (const path of [place, root]) chmodSync(path, 0o755);
  }, 120_000);
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  const run = (...words: readonly string[]) => {
    const script = `mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && mount -t proc proc "$0/proc" &&
exec env -i "$(command -v chroot)" --userspec=${user} "$0" ${program} "$@"`;
    const { stdout, stderr, status } = spawnSync('unshare', [...isolated, 'sh', '-c', script, root, ...words], {
      encoding: 'utf8',
    });
    return { stdout, stderr, status };
  };

  it('build an example', () => {
    expect(existsSync(join(root, program))).toBe(true);
    const { stdout, stderr, status } = run('build', '/work/plain');
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout).toMatch(/^kind: Deployment$/m);
  });

  it('explain that the output cannot be written, and write nothing', () => {
    const { stderr, status } = run('build', '/work/plain', '--output', '/work/out/');
    expect(stderr).toMatch(/read-only/i);
    expect(status).toBe(1);
    expect(readdirSync(join(root, 'work'))).toEqual(['plain']);
  });

  it('have the licences', () => {
    expect(readdirSync(join(root, 'usr', 'share', 'doc', 'kurel')).toSorted()).toEqual(['LICENSE', 'licences']);
    expect(dirname(program)).toBe('/usr/local/bin');
  });
});
