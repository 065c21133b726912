import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../../fuzz/random.ts';
import { programWords } from './kurel-program.ts';

// The built program, killed at random moments of a build and on a disk that is full. KILL_RUNS asks for more than every run of
// the tests can wait for.
const runs = Number(process.env['KILL_RUNS'] ?? 40);
const [program, ...programFiles] = programWords;
const place = mkdtempSync(join(tmpdir(), 'kurel-kill-'));
const environment = { PATH: process.env['PATH'], XDG_CACHE_HOME: join(place, 'cache') };
const random = createRandom(9);

type Tree = Readonly<Record<string, string>>;
type Version = 'old' | 'new' | 'other';

/** Files and directories of an output, without what is ours alone, and without the files of the neighbour. */
function readTree(directory: string): Tree {
  const tree: Record<string, string> = {};
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(directory.length + 1);
    if (path.startsWith('.kurel-') || isOfNeighbour(path)) continue;
    tree[path] = entry.isFile() ? readFileSync(join(directory, path), 'utf8') : '';
  }
  return tree;
}

function writeInput(version: Version, textOf: (index: number) => string | undefined): void {
  mkdirSync(join(place, version));
  for (let index = 0; index < 40; index++) {
    const text = textOf(index);
    if (text === undefined) continue;
    const head = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c${index}\n  namespace: n${index % 4}\n`;
    writeFileSync(join(place, version, `${index}.yaml`), `${head}data:\n  a: ${text}\n  b: ${'x'.repeat(2000)}\n`);
  }
}

/** The versions are builds of one instance; the neighbour is another that may share its directory. */
function wordsFor(version: Version | 'neighbour', directory: string): readonly string[] {
  const instance = version === 'neighbour' ? 'neighbour' : 'site';
  return [
    ...programFiles,
    'build',
    join(place, version),
    '-o',
    directory,
    '--layout',
    'by-resource',
    '--instance',
    instance,
  ];
}

function isOfNeighbour(path: string): boolean {
  return path === 'secrets' || path.startsWith('secrets/');
}

function readNeighbour(directory: string): readonly string[] {
  const files = existsSync(join(directory, 'secrets')) ? readdirSync(join(directory, 'secrets')) : [];
  return files.map((name) => `${name} ${readFileSync(join(directory, 'secrets', name), 'utf8')}`).sort();
}

function build(version: Version | 'neighbour', directory: string) {
  return spawnSync(program, wordsFor(version, directory), { env: environment, encoding: 'utf8' });
}

const trees = new Map<Version, Tree>();
/** Of a whole run, in milliseconds. */
let length = Infinity;

beforeAll(() => {
  writeInput('old', (index) => (index % 3 === 0 ? undefined : 'old'));
  writeInput('new', (index) => (index % 3 === 1 ? undefined : index % 2 === 0 ? 'new' : 'old'));
  writeInput('other', (index) => (index % 4 === 0 ? undefined : index % 2 === 0 ? 'other' : 'old'));
  mkdirSync(join(place, 'neighbour'));
  for (let index = 0; index < 10; index++) {
    const text = `apiVersion: v1\nkind: Secret\nmetadata:\n  name: s${index}\nstringData:\n  a: ${'y'.repeat(2000)}\n`;
    writeFileSync(join(place, 'neighbour', `${index}.yaml`), text);
  }
  for (const version of ['old', 'new', 'other'] as const) {
    const directory = join(place, `built-${version}`);
    const started = performance.now();
    expect(build(version, directory)).toMatchObject({ status: 0, stderr: '' });
    length = Math.min(length, performance.now() - started);
    trees.set(version, readTree(directory));
  }
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

function stagingsIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory).filter((name) => name.startsWith('.kurel-staging-')) : [];
}

/** Either at any moment of the run, or some time after the first sign of writing: that is where it could do harm. */
async function buildAndKill(directory: string, watched: string, aimed: boolean): Promise<boolean> {
  const before = stagingsIn(watched).length;
  const child = spawn(program, wordsFor('new', directory), { env: environment, stdio: 'ignore' });
  const ended = new Promise<boolean>((resolve) => {
    child.once('exit', (_, signal) => resolve(signal === 'SIGKILL'));
  });
  const later = (milliseconds: number): void => {
    const until = performance.now() + milliseconds;
    while (performance.now() < until);
    child.kill('SIGKILL');
  };
  const look = (): void => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    if (stagingsIn(watched).length > before) later(random.below(6000) / 1000);
    else setImmediate(look);
  };
  if (aimed) look();
  else setTimeout(() => child.kill('SIGKILL'), (random.below(1000) / 1000) * length);
  return ended;
}

/**
 * What a run leaves that was killed before it had signed its directory, or just before it moved a whole tree, which is no longer
 * signed then. It goes after a while.
 */
function isUnsigned(staging: string): boolean {
  // A lock is signed in a file of its own.
  if (statSync(staging).isFile()) return statSync(staging).size === 0;
  const names = readdirSync(staging);
  if (names.includes('.kurel-inventory') && !names.includes('.kurel-owner'))
    return whichIs(readTree(staging)) === 'new';
  const isSignature = (name: string): boolean => name === 'owner' || name === '.kurel-owner';
  return names.every((name) => isSignature(name) && statSync(join(staging, name)).size === 0);
}

function whichIs(tree: Tree): Version | undefined {
  return [...trees].find(([, known]) => JSON.stringify(sorted(known)) === JSON.stringify(sorted(tree)))?.[0];
}

/** Without empty directories, which nobody applies. */
function sorted(tree: Tree): readonly (readonly [string, string])[] {
  const files = Object.entries(tree).filter(([, text]) => text !== '');
  return files.sort(([a], [b]) => (a < b ? -1 : 1));
}

describe('a build that is killed', () => {
  it(
    'leaves the old tree, the new one, or whole files of both with a note of it, and the next build repairs it',
    async () => {
      const found = { old: 0, new: 0, both: 0, killed: 0 };
      for (let run = 0; run < runs; run++) {
        const directory = join(place, `out-${run}`);
        cpSync(join(place, 'built-old'), directory, { recursive: true });
        if (await buildAndKill(directory, directory, run % 2 === 1)) found.killed++;
        const tree = readTree(directory);
        const version = whichIs(tree);
        if (version === 'old' || version === 'new') found[version]++;
        else {
          found.both++;
          for (const [path, text] of Object.entries(tree))
            expect([trees.get('old')![path], trees.get('new')![path]]).toContain(text);
          expect(ownerIn(directory)).toHaveProperty('next');
        }
        const next = random.pick(['old', 'new', 'other'] as const);
        expect(build(next, directory)).toMatchObject({ status: 0, stderr: '' });
        expect(readTree(directory)).toEqual(trees.get(next));
        expectTidy(directory);
        rmSync(directory, { recursive: true });
      }
      expect(found.killed).toBeGreaterThan(runs / 4);
      expect(found.old).toBeGreaterThan(0);
      if (process.env['KILL_RUNS'] !== undefined) console.log('killed builds left', found);
    },
    60_000 + runs * 2000,
  );

  it(
    'makes a new directory whole or not at all',
    async () => {
      for (let run = 0; run < runs / 4; run++) {
        const inside = join(place, `fresh-${run}`);
        mkdirSync(inside);
        const directory = join(inside, 'out');
        await buildAndKill(directory, inside, run % 4 > 0);
        if (existsSync(directory)) expect(readTree(directory)).toEqual(trees.get('new'));
        expect(build('other', directory)).toMatchObject({ status: 0, stderr: '' });
        expect(readTree(directory)).toEqual(trees.get('other'));
        expectTidy(inside);
        expectTidy(directory);
        rmSync(inside, { recursive: true });
      }
    },
    60_000 + runs * 1000,
  );

  it(
    'leaves the files of another instance alone, and that one leaves its files for the next build',
    async () => {
      for (let run = 0; run < runs / 4; run++) {
        const directory = join(place, `shared-${run}`);
        cpSync(join(place, 'built-old'), directory, { recursive: true });
        expect(build('neighbour', directory)).toMatchObject({ status: 0, stderr: '' });
        const neighbour = readNeighbour(directory);
        expect(neighbour).toHaveLength(10);
        await buildAndKill(directory, directory, run % 4 > 0);
        const { next } = ownerIn(directory);
        const tree = readTree(directory);
        const { status, stderr } = build('neighbour', directory);
        expect(status).toBe(0);
        expect(stderr.includes('warning[output-unfinished]')).toBe(next !== undefined);
        expect(readTree(directory)).toEqual(tree);
        const version = random.pick(['old', 'new', 'other'] as const);
        expect(build(version, directory)).toMatchObject({ status: 0, stderr: '' });
        expect(readTree(directory)).toEqual(trees.get(version));
        expect(readNeighbour(directory)).toEqual(neighbour);
        expectTidy(directory);
        rmSync(directory, { recursive: true });
      }
    },
    60_000 + runs * 2000,
  );
});

describe('builds at the same time', () => {
  it(
    'leave one complete tree, also when some of them are killed',
    async () => {
      for (let run = 0; run < runs / 8; run++) {
        const directory = join(place, `together-${run}`);
        if (run % 2 === 1) cpSync(join(place, 'built-old'), directory, { recursive: true });
        const words = (['old', 'new', 'other', 'neighbour', 'new', 'neighbour'] as const).map((version) =>
          wordsFor(version, directory),
        );
        const victim = run % 3 === 0 ? buildAndKill(directory, dirname(directory), false) : Promise.resolve(false);
        const ended = await Promise.all(words.map((one) => runToEnd(one)));
        const isKilled = await victim;
        for (const { status, stderr } of ended) {
          // A build of another instance may remark that the one that was killed has to be built again.
          if (!isKilled) expect(stderr).toBe('');
          expect(status).toBe(0);
        }
        if (!isKilled) expect([...trees.values()]).toContainEqual(readTree(directory));
        expect(build('other', directory)).toMatchObject({ status: 0, stderr: '' });
        expect(readTree(directory)).toEqual(trees.get('other'));
        expect(readNeighbour(directory)).toHaveLength(10);
        expectTidy(directory);
        rmSync(directory, { recursive: true });
      }
    },
    60_000 + runs * 2000,
  );
});

function runToEnd(words: readonly string[]): Promise<{ readonly status: number | null; readonly stderr: string }> {
  return new Promise((resolve) => {
    execFile(program, words, { env: environment, encoding: 'utf8' }, (error, _, stderr) => {
      resolve({ status: error === null ? 0 : Number(error.code ?? -1), stderr });
    });
  });
}

/** What the inventory says of the instance that is killed. */
function ownerIn(directory: string): { readonly instance: string; readonly next?: object } {
  const text = readFileSync(join(directory, '.kurel-inventory'), 'utf8');
  const { owners } = JSON.parse(text) as { readonly owners: readonly { instance: string; next?: object }[] };
  return owners.find(({ instance }) => instance === 'site')!;
}

/** Neither a lock nor anything on its way is left. */
function expectTidy(directory: string): void {
  for (const name of stagingsIn(directory)) expect(isUnsigned(join(directory, name))).toBe(true);
  expect(readdirSync(directory).filter((name) => name.startsWith('.kurel-lock'))).toEqual([]);
}

/** A file system of its own that is seen by nobody else and gone with the process; not everybody may have one. */
const mounting = ['-m', '-rm'].find(
  (flags) => spawnSync('unshare', [flags, 'sh', '-c', 'mount -t tmpfs -o size=64k none "$0"', place]).status === 0,
);

describe('a full disk', () => {
  it.skipIf(mounting === undefined)('leaves the old tree or holds the new one, and the next build repairs it', () => {
    const found = { old: 0, new: 0 };
    for (let size = 140; size <= 380; size += 20) {
      const [directory, first, second] = ['disk', `first-${size}`, `second-${size}`].map((name) => join(place, name));
      for (const one of [directory!, first!, second!]) mkdirSync(one, { recursive: true });
      const script = `mount -t tmpfs -o size=${size}k none "$0" && cp -r "$1/." "$0" && shift
        "$@" 2>&1; echo "status $?"; cp -r "$0/." '${first}'
        mount -o remount,size=20m "$0" && "$@" && cp -r "$0/." '${second}'`;
      const words = [program, ...wordsFor('new', directory!)];
      const { stdout, status } = spawnSync(
        'unshare',
        [mounting!, 'sh', '-c', script, directory!, join(place, 'built-old'), ...words],
        { env: environment, encoding: 'utf8' },
      );
      const isDone = stdout.endsWith('status 0\n');
      found[isDone ? 'new' : 'old']++;
      if (!isDone) expect(stdout).toMatch(/^error\[output-failed\]: .*no space left[^]*status 1\n$/);
      expect(readTree(first!)).toEqual(trees.get(isDone ? 'new' : 'old'));
      expect(stagingsIn(first!)).toEqual([]);
      expect(status).toBe(0);
      expect(readTree(second!)).toEqual(trees.get('new'));
    }
    expect(found.old).toBeGreaterThan(2);
    expect(found.new).toBeGreaterThan(2);
  });

  // The system refuses more than 4 KB in one file, as one without room would.
  it.skipIf(process.platform === 'win32')('leaves the old tree when a file does not fit', () => {
    const directory = join(place, 'limited');
    cpSync(join(place, 'built-old'), directory, { recursive: true });
    mkdirSync(join(place, 'large'));
    const large = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: z\ndata:\n  a: ${'x'.repeat(10_000)}\n`;
    for (const name of readdirSync(join(place, 'new')))
      writeFileSync(join(place, 'large', name), readFileSync(join(place, 'new', name)));
    writeFileSync(join(place, 'large', 'z.yaml'), large);
    const words = wordsFor('new', directory).with(programFiles.length + 1, join(place, 'large'));
    const { stderr, status } = spawnSync('sh', ['-c', 'ulimit -f 8 && exec "$0" "$@"', program, ...words], {
      env: environment,
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/^error\[output-failed\]: /);
    expect(status).toBe(1);
    expect(readTree(directory)).toEqual(trees.get('old'));
    expect(stagingsIn(directory)).toEqual([]);
    expect(build('new', directory)).toMatchObject({ status: 0, stderr: '' });
    expect(readTree(directory)).toEqual(trees.get('new'));
  });
});
