import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { executable, programWords } from './kurel-program.ts';
import { repository } from './source-tree.ts';

const [program, ...programFiles] = programWords;
/** The user who owns nothing. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

describe('a program that was only downloaded', () => {
  let place = '';
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'kurel-alone-'));
    chmodSync(place, 0o755);
    cpSync(join(repository, 'examples', 'plain'), join(place, 'plain'), { recursive: true });
    mkdirSync(join(place, 'home'));
  });
  afterEach(() => rmSync(place, { recursive: true, force: true }));

  const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}, user = {}) => {
    const options = { cwd: place, env, encoding: 'utf8' as const, ...user };
    const { stdout, stderr, status } = spawnSync(program, [...programFiles, ...words], options);
    return { stdout, stderr, status };
  };

  it('builds with nothing on PATH, without a home and as another user', () => {
    const plain = run(['build', 'plain']);
    expect(plain).toMatchObject({ stderr: '', status: 0 });
    expect(plain.stdout).toMatch(/^kind: /m);
    chmodSync(join(place, 'home'), 0o555);
    const user = isRoot ? { uid: nobody, gid: nobody } : {};
    expect(run(['build', 'plain'], { HOME: join(place, 'home') }, user)).toEqual(plain);
    expect(run(['build', 'plain'], { HOME: join(place, 'missing') }, user)).toEqual(plain);
    expect(readdirSync(place).toSorted()).toEqual(['home', 'plain']);
    expect(readdirSync(join(place, 'home'))).toEqual([]);
  });

  it('writes nothing outside the output', () => {
    expect(run(['build', 'plain', '-o', 'out/'])).toMatchObject({ status: 0 });
    expect(readdirSync(place).toSorted()).toEqual(['home', 'out', 'plain']);
  });

  it('takes nothing from files of its runtime in the working directory', () => {
    writeFileSync(join(place, '.env'), 'HELM_DEBUG=1\nNO_COLOR=1\nFORCE_COLOR=1\n');
    writeFileSync(join(place, 'bunfig.toml'), 'preload = ["./evil.ts"]\n');
    writeFileSync(join(place, 'evil.ts'), 'console.log("evil")\n');
    writeFileSync(join(place, 'package.json'), '{ "imports": ');
    const { stdout, stderr, status } = run(['version']);
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout).not.toContain('evil');
  });

  it('says what it runs on', () => {
    const { stdout } = run(['version', '--json']);
    const found = JSON.parse(stdout) as Readonly<Record<string, string>>;
    expect(found).toMatchObject({
      runtime: executable === undefined ? 'node' : 'bun',
      platform: process.platform,
      arch: process.arch,
    });
    expect(run(['version']).stdout).toContain(`kurel ${found['version']} (${found['runtime']} `);
  });
});
