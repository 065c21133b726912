import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runProgram } from './run-program.ts';

let directory = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'kurel-init-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const run = (...words: readonly string[]) => runProgram(words, { workingDirectory: directory });

describe('a new package', () => {
  it.each(['shop', 'a', 'web-shop-2', 'null', 'on', 'kurel', 'name', 'x'.repeat(63)])(
    '%s builds and validates at once',
    async (name) => {
      expect((await run('init', name)).exitCode).toBe(0);
      const settings = [
        [],
        ['--set', 'ingress.enabled=true'],
        ['--values', `${name}.kurel/examples/production.yaml`],
        ['--set', 'production=true', '--set', 'replicas=2'],
      ];
      for (const words of settings) {
        const { stdout, stderr, exitCode } = await run('validate', `${name}.kurel`, '--strict', ...words);
        expect(stderr).toBe('');
        expect(stdout).toMatch(/\nValidation summary: 0 errors, 0 warnings\n$/);
        expect(exitCode).toBe(0);
        expect((await run('build', `${name}.kurel`, '--strict', ...words)).exitCode).toBe(0);
      }
    },
  );

  it('has formatted patches', async () => {
    await run('init', 'shop');
    expect(await run('fmt', '--check', 'shop.kurel')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('leaves nothing beside it', async () => {
    await run('init', 'shop');
    expect(readdirSync(directory)).toEqual(['shop.kurel']);
    expect((await run('init', 'shop')).exitCode).toBe(1);
    expect(readdirSync(directory)).toEqual(['shop.kurel']);
  });

  it('goes into a directory that is empty', async () => {
    mkdirSync(join(directory, 'shop.kurel'));
    expect((await run('init', 'shop')).exitCode).toBe(0);
    expect(readdirSync(join(directory, 'shop.kurel'))).toContain('parameters.yaml');
  });

  it('takes no link for an empty directory', async () => {
    mkdirSync(join(directory, 'elsewhere'));
    symlinkSync('elsewhere', join(directory, 'shop.kurel'));
    expect((await run('init', 'shop')).exitCode).toBe(1);
    expect(readdirSync(join(directory, 'elsewhere'))).toEqual([]);
  });

  it.each(['shop', 'a', 'null', 'x'.repeat(63)])('%s builds and validates as an application', async (name) => {
    const { stdout: listed, exitCode } = await run('init', name, '--form', 'application');
    expect(exitCode).toBe(0);
    const next = /\nnext: kurel (.*)\n$/.exec(listed)![1]!.split(' ');
    const { stdout, stderr, exitCode: verdict } = await run(...next, '--strict');
    expect([stderr, verdict]).toEqual(['', 0]);
    expect(stdout).toMatch(/Validation summary: 0 errors, 0 warnings\n$/);
    const [, ...words] = next;
    expect((await run('build', ...words, '--strict', '--set', 'scaled=true')).exitCode).toBe(0);
    expect(readdirSync(directory)).toEqual([name]);
  });

  it('names its objects after itself, so that two applications fit into one namespace', async () => {
    const names = await Promise.all(
      ['shop', 'blog'].map(async (name) => {
        await run('init', name, '--form', 'application');
        const given = ['--profile', `${name}/examples/cluster.yaml`, '--values', `${name}/examples/production.yaml`];
        const { stdout } = await run('build', name, ...given, '--format', 'json');
        const objects = JSON.parse(stdout) as { kind: string; metadata: { name: string } }[];
        return objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      }),
    );
    expect(names[0]).toContain('Deployment shop');
    expect(names[1]).toEqual(names[0]!.map((name) => name.replace('shop', 'blog')));
  });
});
