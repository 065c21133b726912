import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runProgram } from './run-program.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-progress-'));

// A helm that takes its time: longer than anybody is left without a word.
beforeAll(() => {
  mkdirSync(join(place, 'chart', 'templates'), { recursive: true });
  writeFileSync(join(place, 'chart', 'Chart.yaml'), 'apiVersion: v2\nname: c\nversion: 1.0.0\n');
  mkdirSync(join(place, 'bin'));
  const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n';
  writeFileSync(join(place, 'bin', 'helm'), `#!/bin/sh\nsleep 1.3\nprintf '%s' '${manifest}'\n`);
  chmodSync(join(place, 'bin', 'helm'), 0o755);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

async function build(variables: Readonly<Record<string, string>>, stderrIsTerminal = true) {
  const path = `${join(place, 'bin')}:${process.env['PATH']}`;
  const { stderr, exitCode } = await runProgram(['build', 'chart'], {
    workingDirectory: place,
    variables: { PATH: path, ...variables },
    stderrIsTerminal,
  });
  expect(exitCode).toBe(0);
  return stderr;
}

describe.skipIf(process.platform === 'win32')('progress', () => {
  it('is shown to people, and gone in the end', async () => {
    const stderr = await build({ TERM: 'xterm' });
    const lines = stderr.split('\r\u001B[2K');
    expect(lines.filter((line) => /^waiting for helm template \.\/chart \(\d+ s\)$/.test(line))).not.toEqual([]);
    expect([lines[0], lines.at(-1)]).toEqual(['', '']);
  }, 30_000);

  it.each([
    ['is not a terminal', {}, false],
    ['is a dumb one', { TERM: 'dumb' }, true],
    ['is to have no colours', { TERM: 'xterm', NO_COLOR: '1' }, true],
    ['is read by a machine', { TERM: 'xterm', CI: 'true' }, true],
  ])(
    'is not shown where standard error %s',
    async (_, variables, isTerminal) => {
      expect(await build(variables, isTerminal)).toBe('');
    },
    30_000,
  );
});
