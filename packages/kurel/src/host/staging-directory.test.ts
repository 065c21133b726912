import { spawnSync } from 'node:child_process';
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeStaging, readSignature, signProcess, type OwnProcess } from './staging-directory.ts';
import { writeOutputDirectory } from './write-output-directory.ts';
import { writeOutputFile } from './write-output-file.ts';

const place = mkdtempSync(join(tmpdir(), 'kurel-test-'));
afterAll(() => rmSync(place, { recursive: true }));

const dead = spawnSync(process.execPath, ['-e', '']).pid;
const past = new Date('2020-01-01T00:00:00Z');
const claim = { owner: { instance: 'shop', layout: 'flat' } };
let count = 0;

/** The signature of another process. */
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
    ['is removed if its process is dead', false, ours, { owner: signedBy(dead), 'new-0': '', 'old-12': '' }],
    ['is kept while its process runs', true, ours, { owner: signProcess() }, past],
    ['is kept without an owner, which protects files of the user', true, ours, { 'gone-0': 'precious' }, past],
    ['is kept if its owner is invalid', true, ours, { owner: 'me\n' }, past],
    ['is kept with a foreign file', true, ours, { owner: signedBy(dead), notes: '' }],
    ['is kept if its name only looks similar', true, `${ours}-x`, { owner: signedBy(dead) }],
    ['is kept if another machine may use it', true, ours, { owner: `${dead} another.machine\n` }],
    ['is removed with a staged tree', false, ours, { owner: signedBy(dead), 'tree/a/b': '' }],
    ['is removed as an unfinished tree', false, ours, { '.kurel-owner': signedBy(dead), 'owner/a.yaml': '' }],
    ['is kept as a tree while its process runs', true, ours, { '.kurel-owner': signProcess(), 'a.yaml': '' }, past],
    ['is kept as a tree that is about to be moved', true, ours, { '.kurel-inventory': '{}', 'a.yaml': '' }],
    ['is removed as a tree that was never moved', false, ours, { '.kurel-inventory': '{}', 'owner/a.yaml': '' }, past],
    ['is kept with another directory', true, ours, { owner: signedBy(dead), 'new-0/b': '' }],
    ['is kept while it is new and empty', true, ours, {}],
    ['is removed if it is old and empty', false, ours, {}, past],
    ['is kept while its new owner file is empty', true, ours, { owner: '' }],
    ['is removed if its old owner file is empty', false, ours, { owner: '' }, past],
    ['is kept if its owner file is empty and it has other files', true, ours, { owner: '', 'old-0': '' }, past],
    ['is removed if it is old and from another machine', false, ours, { owner: `${dead} another.machine\n` }, past],
  ])('%s', (_, stays, name, files, date) => {
    const staging = makeStale(name, files, date);
    writeOutputDirectory(join(staging, '..'), [], claim);
    expect(existsSync(staging)).toBe(stays);
    writeOutputFile(join(staging, '..', 'all.yaml'), 'x');
    expect(existsSync(staging)).toBe(stays);
  });

  it.each([
    ['is removed if its process is dead', false, signedBy(dead)],
    ['is kept while its process runs', true, signProcess()],
    ['is kept while it is empty', true, ''],
  ])('with the signature of a lock %s', (_, stays, text) => {
    const directory = makeStale('locked', {});
    writeFileSync(join(directory, ours), text);
    writeOutputDirectory(directory, [], claim);
    expect(existsSync(join(directory, ours))).toBe(stays);
  });

  it('is removed even if there is nothing to write, but not through a link', () => {
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

it('a staging directory that cannot be signed is removed', () => {
  const directory = mkdtempSync(join(place, 'full-'));
  const original = fs.writeFileSync;
  const replaceWrite = (write: typeof original): void => {
    fs.writeFileSync = write;
    syncBuiltinESMExports();
  };
  replaceWrite(() => {
    throw new Error('no space left');
  });
  try {
    expect(() => makeStaging(directory)).toThrow('no space left');
  } finally {
    replaceWrite(original);
  }
  expect(readdirSync(directory)).toEqual([]);
});

const own = { id: `${process.pid}`, host: 'kurel-fleet-3', namespace: 'pid:[7]', index: '' };

describe('the signature of a process', () => {
  it('names this process', () => {
    const { pid, state } = readSignature(signProcess())!;
    expect({ pid, state }).toEqual({ pid: process.pid, state: 'running' });
  });

  it.each<[string, string, string, Partial<OwnProcess>?]>([
    ['a process that runs', 'running', signProcess(own)],
    ['one that does not', 'dead', signProcess({ ...own, id: `${dead}` })],
    ['another machine', 'unknown', `${dead} kurel-fleet-4 pid:[7]\n`],
    ['another container with the same host name', 'unknown', `${dead} kurel-fleet-3 pid:[8]\n`],
    ['a machine without namespaces', 'dead', `${dead} kurel-fleet-3\n`, { namespace: '' }],
    ['the pod of the same index before this one', 'dead', '1 kurel-fleet-3 pid:[8]\n', { index: '3' }],
    ['the pod of another index', 'unknown', '1 kurel-fleet-4 pid:[8]\n', { index: '3' }],
    // With the network of the host, pods of all indexes have its name.
    ['a pod with the host name of its node', 'unknown', '1 node-1 pid:[8]\n', { host: 'node-1', index: '3' }],
  ])('of %s: %s', (_, state, text, self = {}) => {
    expect(readSignature(text, { ...own, ...self })).toMatchObject({ state });
  });

  // Only Linux tells when a process was started.
  it.runIf(process.platform === 'linux')('of an earlier process with the same number: dead', () => {
    expect(signProcess()).toMatch(/^\d+@\d+ /);
    expect(readSignature(signProcess().replace(/@\d+/, '@1'))).toMatchObject({ pid: process.pid, state: 'dead' });
  });

  it.each(['', 'x\n', '0 host\n', '1@ host\n', '1\n', '1 host'])('is not valid: %j', (text) => {
    expect(readSignature(text)).toBeUndefined();
  });
});
