import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runProgram } from '../../test/run-program.ts';

let workingDirectory: string;

beforeEach(() => {
  workingDirectory = mkdtempSync(join(tmpdir(), 'kurel-build-'));
  write('a', 'b');
});

afterEach(() => rmSync(workingDirectory, { recursive: true }));

function write(...names: readonly string[]): void {
  const objects = names.map((name) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {k: v}\n`);
  writeFileSync(join(workingDirectory, 'in.yaml'), objects.join('---\n'));
}

async function build(words: readonly string[], stderrIsTerminal = true): Promise<string> {
  const { exitCode, stderr } = await runProgram(['build', 'in.yaml', ...words], { workingDirectory, stderrIsTerminal });
  expect(exitCode).toBe(0);
  // What a slow machine shows of its progress is gone before anything else is written.
  return stderr.split('\u001B[2K').at(-1)!;
}

describe('a build that writes files', () => {
  it('says on a terminal what it did to a directory', async () => {
    expect(await build(['-o', 'out'])).toBe('wrote 2 files to out/ (2 files added)\n');
    expect(await build(['-o', 'out//'])).toBe('wrote 2 files to out/ (no file changed)\n');
    write('a', 'c', 'd');
    expect(await build(['-o', 'out'])).toBe('wrote 3 files to out/ (2 files added, 1 file removed)\n');
    write('a');
    expect(await build(['-o', 'out'])).toBe('wrote 1 file to out/ (2 files removed)\n');
  });

  it('says on a terminal which file it wrote', async () => {
    expect(await build(['-o', 'out.yaml'])).toBe('wrote out.yaml\n');
  });

  it.each<[name: string, words: readonly string[], isTerminal: boolean]>([
    ['to a script', ['-o', 'out'], false],
    ['when all goes to standard output', [], true],
    ['when messages are for programs', ['-o', 'out', '--message-format', 'json'], true],
  ])('says nothing %s', async (_, words, isTerminal) => {
    expect(await build(words, isTerminal)).not.toContain('wrote');
  });

  it('says nothing of what it only compares', async () => {
    await build(['-o', 'out']);
    expect(await build(['-o', 'out', '--check'])).toBe('');
  });
});

it('shows where Secrets differ, but not their values', async () => {
  const build = async (password: string, key: string, ...words: readonly string[]) => {
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: db}\nstringData:\n';
    const data = `  password: ${password}\n  user: app\n  key: |\n    first ${key}\n    last\n`;
    writeFileSync(join(workingDirectory, 'in.yaml'), secret + data);
    return runProgram(['build', 'in.yaml', '-o', 'out.yaml', ...words], { workingDirectory });
  };
  const missing = await build('swordfish', 'one', '--check');
  expect(missing.stderr).toContain('"out.yaml" is missing');
  expect(missing.stdout).toContain('--- /dev/null\n');
  expect(missing.stdout).not.toContain('swordfish');
  await build('swordfish', 'one');
  expect((await build('hunter2', 'two', '--check')).stdout).toBe(
    [
      '--- out.yaml',
      '+++ out.yaml',
      '@@ -2,8 +2,8 @@',
      ' kind: Secret',
      ' metadata: {name: db}',
      ' stringData:',
      '-  password: (hidden)',
      '+  password: (hidden)',
      '   user: (hidden)',
      '   key: (hidden)',
      '-    (hidden)',
      '+    (hidden)',
      '     (hidden)',
      '',
    ].join('\n'),
  );
});
