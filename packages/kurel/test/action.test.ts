import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { packDirectory } from '../../../scripts/release/archive-files.ts';
import { startServer, type Answers, type LoopbackServer } from './loopback-server.ts';
import { repository } from './source-tree.ts';

const action = parse(readFileSync(join(repository, 'action.yml'), 'utf8'));
const [step] = action.runs.steps;
const script = join(repository, '.github', 'action', 'install.sh');

describe('action.yml', () => {
  it('runs the script with every input, and no token', () => {
    expect(step.run).toBe('"$GITHUB_ACTION_PATH/.github/action/install.sh"');
    expect(step.env).toMatchObject({ VERSION: '${{ inputs.version }}', CHECKSUM: '${{ inputs.checksum }}' });
    expect(Object.keys(action.inputs)).toEqual(['version', 'checksum']);
    expect(JSON.stringify(action)).not.toMatch(/token|secrets/);
    accessSync(script, constants.X_OK);
  });
});

const archive = packRelease('9.8.7-linux-x64');
const sumOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const sums = `${sumOf(archive)}  kurel-9.8.7-linux-x64.tar.gz\n${'0'.repeat(64)}  other.tar.gz\n`;

/** An archive as releases have it, with a program that only prints its version. */
function packRelease(name: string): Uint8Array {
  const content = '#!/bin/sh\necho "kurel 9.8.7"\n';
  return gzipSync(packDirectory(`kurel-${name}`, [{ path: 'kurel', content, isExecutable: true }]));
}

describe.runIf(process.platform === 'linux')('the action', () => {
  let place = '';
  let server: LoopbackServer;
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'kurel action-'));
    for (const name of ['path', 'output']) writeFileSync(join(place, name), '');
  });
  afterEach(async () => {
    rmSync(place, { recursive: true, force: true });
    await server.stop();
  });

  const serve = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<void> => {
    const entries = Object.entries(files).map(([name, content]): [string, Answers[string]] => [
      `/v9.8.7/${name}`,
      (_, response) => response.end(content),
    ]);
    server = await startServer(Object.fromEntries(entries));
  };

  const install = (variables: Readonly<Record<string, string>> = {}): Promise<string> => {
    const env = {
      PATH: process.env['PATH'],
      GITHUB_ACTION_PATH: repository,
      GITHUB_PATH: join(place, 'path'),
      GITHUB_OUTPUT: join(place, 'output'),
      RUNNER_TEMP: place,
      RUNNER_OS: 'Linux',
      RUNNER_ARCH: 'X64',
      VERSION: '9.8.7',
      CHECKSUM: '',
      RELEASES: server.url,
      ...variables,
    };
    return new Promise((resolve) => {
      execFile('bash', ['-c', step.run], { env }, (error, stdout) => resolve(`${stdout}exit ${error?.code ?? 0}`));
    });
  };
  const read = (name: string): string => readFileSync(join(place, name), 'utf8');
  const good = { SHA256SUMS: sums, 'kurel-9.8.7-linux-x64.tar.gz': archive };

  it.each([{}, { VERSION: 'v9.8.7' }, { CHECKSUM: sumOf(archive) }])(
    'installs the executable with %o',
    async (more) => {
      await serve(good);
      expect(await install(more)).toBe('kurel 9.8.7\nexit 0');
      expect(read('path')).toBe(`${join(place, 'kurel-9.8.7')}\n`);
      expect(read('output')).toBe('version=9.8.7\n');
    },
  );

  it('installs the version that the action was released with by default', async () => {
    await serve(good);
    const home = join(place, 'home', 'packages', 'kurel');
    mkdirSync(home, { recursive: true });
    const manifest = readFileSync(join(repository, 'packages', 'kurel', 'package.json'), 'utf8');
    writeFileSync(join(home, 'package.json'), manifest.replace(/"version": "[^"]+"/, '"version": "9.8.7"'));
    mkdirSync(join(place, 'home', '.github', 'action'), { recursive: true });
    writeFileSync(join(place, 'home', '.github', 'action', 'install.sh'), readFileSync(script), { mode: 0o755 });
    expect(await install({ VERSION: '', GITHUB_ACTION_PATH: join(place, 'home') })).toBe('kurel 9.8.7\nexit 0');
  });

  const otherSum = sumOf(packRelease('other'));
  it.each([
    [
      'a wrong checksum',
      { ...good, 'kurel-9.8.7-linux-x64.tar.gz': packRelease('other') },
      {},
      `the checksum of kurel-9.8.7-linux-x64.tar.gz is ${otherSum}, expected ${sumOf(archive)}`,
    ],
    [
      'another checksum than the pinned one',
      good,
      { CHECKSUM: otherSum },
      `the checksum of kurel-9.8.7-linux-x64.tar.gz is ${sumOf(archive)}, expected ${otherSum}`,
    ],
    [
      'an archive without a checksum',
      { ...good, SHA256SUMS: `${sumOf(archive)}  not-kurel-9.8.7-linux-x64.tar.gz\n` },
      {},
      'SHA256SUMS of kurel 9.8.7 has no checksum of kurel-9.8.7-linux-x64.tar.gz',
    ],
    [
      'a missing archive',
      { SHA256SUMS: sums },
      {},
      'cannot download kurel-9.8.7-linux-x64.tar.gz of kurel 9.8.7 from SERVER',
    ],
    ['an unknown version', good, { VERSION: '1.0.0' }, 'cannot download SHA256SUMS of kurel 1.0.0 from SERVER'],
    [
      'a word that is not a version',
      good,
      { VERSION: '../../evil' },
      '"../../evil" is not a version of kurel: use one such as 0.2.0',
    ],
    [
      'a machine without an executable',
      good,
      { RUNNER_OS: 'Linux', RUNNER_ARCH: 'ARM' },
      'kurel has no executable for Linux on ARM: install it with npm',
    ],
  ])('refuses %s, and installs nothing', async (_title, files, variables, message) => {
    await serve(files);
    expect(await install(variables)).toBe(`::error::${message.replace('SERVER', server.url)}\nexit 1`);
    expect(read('path') + read('output')).toBe('');
  });
});
