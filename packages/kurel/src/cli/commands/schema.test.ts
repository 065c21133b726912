import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runProgram } from '../../../test/run-program.ts';

let directory = '';

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'kurel-schema-'));
  await run('init', 'shop');
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const run = (...words: readonly string[]) =>
  runProgram(words, { workingDirectory: directory, variables: { XDG_CACHE_HOME: join(directory, 'caches') } });
const caches = (): string => join(directory, 'caches', 'kurel');
const cached = (): readonly string[] => readdirSync(caches());

/** A file that is written again has another content, because it is encrypted with a random nonce. */
const readCached = (): readonly string[] => cached().map((name) => readFileSync(join(caches(), name), 'base64'));

describe('the schema of a package', () => {
  it('is kept for the next time', async () => {
    const first = await run('schema', 'generate', 'shop.kurel');
    expect(cached()).toHaveLength(1);
    const kept = readCached();
    expect(await run('schema', 'generate', 'shop.kurel')).toEqual(first);
    expect(readCached()).toEqual(kept);
  });

  it('is made anew with --no-cache, and not kept', async () => {
    const first = await run('schema', 'generate', 'shop.kurel', '--no-cache');
    expect(() => cached()).toThrow(/ENOENT/);
    await run('schema', 'generate', 'shop.kurel');
    const kept = readCached();
    expect(await run('schema', 'generate', 'shop.kurel', '--no-cache')).toEqual(first);
    expect(readCached()).toEqual(kept);
  });

  it.each([
    ['parameters.yaml', '\nmore: 1\n'],
    ['patches/00-base.kpatch', '\n[deployment.shop]\nmetadata.labels.a: b\n'],
    ['patches/features/10-ingress.yaml', '\n# a remark\n'],
    ['resources/service.yaml', '\n# a remark\n'],
  ])('is made anew when %s changes', async (file, more) => {
    await run('schema', 'generate', 'shop.kurel');
    const path = join(directory, 'shop.kurel', file);
    writeFileSync(path, readFileSync(path, 'utf8') + more);
    await run('schema', 'generate', 'shop.kurel');
    expect(cached()).toHaveLength(2);
  });

  it('is one for each version of Kubernetes', async () => {
    await run('schema', 'generate', 'shop.kurel');
    await run('schema', 'generate', 'shop.kurel', '--kubernetes-version', '1.33');
    expect(cached()).toHaveLength(2);
  });

  it('tells what was found when it was made, though it is not made again', async () => {
    const path = join(directory, 'shop.kurel', 'patches', '20-more.kpatch');
    writeFileSync(path, '[deployment.shop]\nmetadata.labels.tier: ${tier}\n');
    const words = ['validate', 'shop.kurel', '--set', 'tier=web'];
    const first = await run(...words);
    expect(first.stdout).toContain('schema-variable-unknown');
    expect(await run(...words)).toEqual(first);
  });

  it('is made when what is kept is broken', async () => {
    const first = await run('schema', 'generate', 'shop.kurel');
    for (const text of ['', '{', '[]', '{"schema":[],"diagnostics":[]}']) {
      for (const name of cached()) writeFileSync(join(caches(), name), text);
      expect(await run('schema', 'generate', 'shop.kurel')).toEqual(first);
    }
  });
});
