import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { packPackage, type PackedPackage } from './pack-package.ts';
import { repository } from './source-tree.ts';

/** Everything that may be in a package; each pattern must have something. */
const wanted: Readonly<Record<string, readonly RegExp[]>> = {
  kurel: [
    /^(?:package\.json|README\.md|LICENSE|NOTICE)$/,
    /^bin\/kurel\.cjs$/,
    /^dist\/(?:index|host)\.js$/,
    /^dist\/chunks\/[\w-]+\.js$/,
    /^dist\/cli\/[\w-]+\.cjs$/,
    /^dist\/types\/[\w/-]+\.d\.ts$/,
    /^dist\/man\/kurel(?:-[a-z]+)?\.1$/,
    /^dist\/THIRD-PARTY-NOTICES\.txt$/,
    /^schemas\/(?:[\w-]+(?:\.words)?\.jsonl(?:\.br)?|manifest\.json|NOTICE\.txt)$/,
  ],
  jq: [/^(?:package\.json|README\.md|LICENSE)$/, /^dist\/index\.js$/, /^dist\/[\w/-]+\.d\.ts$/],
};
const entries: Readonly<Record<string, readonly string[]>> = {
  kurel: ['dist/types/index.d.ts', 'dist/types/host/index.d.ts'],
  jq: ['dist/index.d.ts'],
};

describe.each(Object.keys(wanted))('the packed files of %s', (name) => {
  let directory = '';
  let packed: PackedPackage;
  const textOf = (path: string): string => Buffer.from(packed.files.get(path)!).toString('utf8');
  const manifest = (): Readonly<Record<string, unknown>> => JSON.parse(textOf('package.json'));

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'kurel-contents-'));
    packed = packPackage(name, directory);
  }, 120_000);
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('are those that a user needs, and no others', () => {
    const paths = [...packed.files.keys()];
    expect(paths.filter((path) => !wanted[name]!.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(wanted[name]!.filter((pattern) => !paths.some((path) => pattern.test(path)))).toEqual([]);
    expect(paths.filter((path) => /\.(?:test|map|tgz)\b|\/cases\//.test(path))).toEqual([]);
  });

  it('have the licence of the repository', () => {
    expect(textOf('LICENSE')).toBe(readFileSync(join(repository, 'LICENSE'), 'utf8'));
    expect(manifest()).toMatchObject({ license: 'Apache-2.0' });
  });

  it('say nothing of the machine that they were made on', () => {
    const registry = execFileSync('npm', ['config', 'get', 'registry'], { cwd: repository, encoding: 'utf8' }).trim();
    const places = [repository, homedir(), tmpdir()].map((path) => `${path}/`);
    const hosts = URL.canParse(registry) ? [new URL(registry).host] : [];
    const found = [...packed.files].filter(([path, bytes]) => {
      const text = Buffer.from(path.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString('latin1');
      return [...places, ...hosts].some((word) => text.includes(word)) || text.includes('sourceMappingURL');
    });
    expect(found.map(([path]) => path)).toEqual([]);
  });

  // `node:` too: types of Node are a package that not everyone has.
  it('have every declaration that one of them needs, and need no other package', () => {
    const missing: string[] = [];
    const seen = new Set(entries[name]);
    for (const file of seen) {
      for (const [, target] of textOf(file).matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)) {
        const path = join(dirname(file), target!).replaceAll('\\', '/').replace(/\.js$/, '.d.ts');
        if (target!.startsWith('.') && packed.files.has(path)) seen.add(path);
        else missing.push(`${file}: ${target}`);
      }
    }
    expect(missing).toEqual([]);
    expect(seen.size).toBeGreaterThan(entries[name]!.length);
  });

  it('are described so that nothing else is installed, run or left out', () => {
    const { scripts, sideEffects, description, keywords, engines } = manifest();
    for (const field of ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies', 'private']) {
      expect(manifest()).not.toHaveProperty(field);
    }
    expect(Object.keys(scripts as object)).toEqual(['prepublishOnly']);
    // Bundlers drop modules that others need when a package calls itself free of effects. Only the sources are, for the executable.
    expect(sideEffects).toEqual(['./dist/**']);
    expect(description).toEqual(expect.any(String));
    expect(keywords).toEqual([...(keywords as string[])].toSorted((a, b) => (a < b ? -1 : 1)));
    expect(engines).toEqual({ node: JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')).engines.node });
  });
});

describe('the licences of what is bundled', () => {
  const dist = join(repository, 'packages', 'kurel', 'dist');

  it('are passed on for every package that is in the library', () => {
    const notices = readFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    const files = [...readdirSync(dist), ...readdirSync(join(dist, 'chunks')).map((name) => `chunks/${name}`)];
    const code = files.filter((path) => path.endsWith('.js')).map((path) => readFileSync(join(dist, path), 'utf8'));
    // esbuild says above each module where it is from.
    const found = code.flatMap((text) =>
      Array.from(text.matchAll(/^\s*\/\/ \S*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm), ([, name]) => name!),
    );
    const bundled = [...new Set(found)];
    expect(bundled).toContain('@marcbachmann/cel-js');
    const passedOn = notices.split('\n----\n\n').map((notice) => notice.split('\n')[0]);
    expect(bundled.filter((name) => !passedOn.includes(name))).toEqual([]);
    for (const notice of notices.split('\n----\n\n')) expect(notice).toMatch(/Copyright/);
  });
});
