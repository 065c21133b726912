import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { signProcess } from './process-signature.ts';
import { writeOutputDirectory } from './write-output-directory.ts';
import { writeOutputFile } from './write-output-file.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-test-'));
afterAll(() => rmSync(place, { recursive: true }));

const dead = spawnSync(process.execPath, ['-e', '']).pid;
const past = new Date('2020-01-01T00:00:00Z');
const claim = { owner: { instance: 'shop', layout: 'flat' } };
let count = 0;

/** As another process would sign. */
function signedBy(pid: number): string {
  return signProcess().replace(/^\d+/, String(pid));
}

function makeStale(name: string, files: Readonly<Record<string, string>>, date?: Date): string {
  const staging = join(place, `case-${count++}`, name);
  mkdirSync(staging, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(staging, file)), { recursive: true });
    writeFileSync(join(staging, file), text);
    if (date !== undefined) utimesSync(join(staging, file), date, date);
  }
  if (date !== undefined) utimesSync(staging, date, date);
  return staging;
}

const ours = '.kurel-staging-aB3dE6';

describe('a staging directory of an earlier run', () => {
  it.each<[string, boolean, string, Readonly<Record<string, string>>, Date?]>([
    ['goes when its process is dead', false, ours, { owner: signedBy(dead), 'new-0': '', 'old-12': '' }],
    ['stays while its process runs', true, ours, { owner: signProcess() }, past],
    ['stays without an owner: it was kept for the user', true, ours, { 'gone-0': 'precious' }, past],
    ['stays when its owner is unreadable', true, ours, { owner: 'me\n' }, past],
    ['stays with a file that is not ours', true, ours, { owner: signedBy(dead), notes: '' }],
    ['stays when it only looks like one', true, `${ours}-x`, { owner: signedBy(dead) }],
    ['stays when another machine may be at it', true, ours, { owner: `${dead} another.machine\n` }],
    ['goes with a directory that was made in it', false, ours, { owner: signedBy(dead), 'tree/a/b': '' }],
    ['stays with a directory that was not', true, ours, { owner: signedBy(dead), 'new-0/b': '' }],
    ['stays while it is empty, for its owner may be about to sign', true, ours, {}],
    ['goes when it was empty for a while', false, ours, {}, past],
    ['stays while its owner may be signing', true, ours, { owner: '' }],
    ['goes when its owner never signed', false, ours, { owner: '' }, past],
    ['stays when its owner never signed and it holds something', true, ours, { owner: '', 'old-0': '' }, past],
    ['goes when another machine has left it long ago', false, ours, { owner: `${dead} another.machine\n` }, past],
  ])('%s', (_, stays, name, files, date) => {
    const staging = makeStale(name, files, date);
    writeOutputDirectory(join(staging, '..'), [], claim);
    expect(existsSync(staging)).toBe(stays);
    writeOutputFile(join(staging, '..', 'all.yaml'), 'x');
    expect(existsSync(staging)).toBe(stays);
  });

  it('goes even when there is nothing to write, but not through a link', () => {
    const outside = makeStale('outside', { owner: signedBy(dead) });
    const staging = makeStale(ours, {});
    const directory = join(staging, '..');
    writeOutputDirectory(directory, [], claim);
    writeFileSync(join(staging, 'owner'), signedBy(dead));
    symlinkSync(outside, join(directory, '.kurel-staging-linked'));
    writeOutputDirectory(directory, [], claim);
    expect(existsSync(staging)).toBe(false);
    expect(existsSync(join(outside, 'owner'))).toBe(true);
  });
});
