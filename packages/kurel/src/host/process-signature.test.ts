import { spawnSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { type OwnProcess, readSignature, signProcess } from './process-signature.ts';

const dead = spawnSync(process.execPath, ['-e', '']).pid;
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
