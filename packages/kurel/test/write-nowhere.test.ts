import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runProgram } from './run-program.ts';

let directory = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'kurel-nowhere-'));
  writeFileSync(join(directory, 'a.yaml'), 'apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n');
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const run = (words: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
  runProgram(words, { workingDirectory: directory, variables: { PATH: process.env['PATH'], ...variables } });

describe.runIf(process.platform === 'linux')('below /proc, where no directory can be created', () => {
  it.each([
    [['build', 'a.yaml', '-o', '/proc/nope'], {}],
    [['build', 'a.yaml', '-o', '/proc/nope/'], {}],
    [['build', 'a.yaml', '-o', '/proc/nope/x'], {}],
    [['build', 'a.yaml', '-o', '/proc/nope/x.yaml'], {}],
    [['init', '/proc/nope/x'], {}],
    [['completion', 'install'], { HOME: '/proc/nope', SHELL: '/bin/fish' }],
    [['completion', 'install'], { HOME: '/proc/nope', SHELL: '/bin/zsh' }],
  ] as const)('%j ends with a finding', async (words, variables) => {
    const { exitCode, stderr } = await run(words, variables);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error\[output-failed\]: cannot write "\/proc\/nope.*": not found\n\n1 error\n$/);
  });
});

describe.runIf(process.platform === 'linux')('a cache that cannot be written', () => {
  it.each(['/proc', '/proc/nope', '/proc/self', '/proc/self/fd', '/dev/full', '/dev/null/x', '/sys/kernel'])(
    'below %s does not stop a command',
    async (home) => {
      for (const name of ['HOME', 'XDG_CACHE_HOME']) {
        const { exitCode, stderr } = await run(['build', 'a.yaml'], { [name]: home });
        expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      }
    },
  );
});

describe('completion', () => {
  it('cannot be installed below a file', async () => {
    const { exitCode, stderr } = await run(['completion', 'install'], {
      HOME: join(directory, 'a.yaml'),
      SHELL: '/bin/fish',
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('error[output-failed]: cannot write');
  });

  it('is added once to a start-up file, whatever bytes that has', async () => {
    const file = join(directory, '.zshrc');
    const before = Buffer.from([0x23, 0xff, 0x0a]);
    writeFileSync(file, before);
    const variables = { HOME: directory, SHELL: '/bin/zsh' };
    expect((await run(['completion', 'install'], variables)).exitCode).toBe(0);
    const after = readFileSync(file);
    expect(after.subarray(0, before.length)).toEqual(before);
    expect(after.toString('latin1')).toContain('source <(kurel completion zsh)\n');
    await run(['completion', 'install'], variables);
    expect(readFileSync(file)).toEqual(after);
  });
});
