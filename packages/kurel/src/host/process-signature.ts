import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from './file-errors.ts';

/** The process that a signature names. */
export interface SignedProcess {
  readonly pid: number;
  readonly host: string;
  /** `unknown` for a process on another machine. */
  readonly state: 'running' | 'dead' | 'unknown';
}

interface ProcessDescription {
  /** Its number and, where it is known, when it was started: numbers are used again, and those of containers all start with 1. */
  readonly id: string;
  readonly host: string;
  /** Containers can share a host name and still number their processes separately. */
  readonly namespace: string;
}

export interface OwnProcess extends ProcessDescription {
  /** Of the pod in an Indexed Job of Kubernetes; otherwise empty. */
  readonly index: string;
}

/** Identifies this process in files that it may leave behind. */
export function signProcess({ id, host, namespace }: OwnProcess = describeSelf()): string {
  return `${id} ${host}${namespace === '' ? '' : ` ${namespace}`}\n`;
}

/** `undefined` for an invalid signature. */
export function readSignature(text: string, self: OwnProcess = describeSelf()): SignedProcess | undefined {
  const [, id, pid, host, namespace = ''] = /^(([1-9]\d{0,9})(?:@\d+)?) (\S+)(?: (.+))?\n$/.exec(text) ?? [];
  if (id === undefined || host === undefined) return undefined;
  return { pid: Number(pid), host, state: findState({ id, host, namespace }, self) };
}

function findState({ id, host, namespace }: ProcessDescription, self: OwnProcess): SignedProcess['state'] {
  if (host !== self.host) return 'unknown';
  if (namespace === self.namespace) return isRunning(id) ? 'running' : 'dead';
  // Kubernetes names such a host after its index. For the Job of `kurel fleet job`, it starts another pod of an index only when the one before
  // has ended.
  return self.index !== '' && host.endsWith(`-${self.index}`) ? 'dead' : 'unknown';
}

/** Each output directory is signed several times, and none of this changes. */
let self: OwnProcess | undefined;

function describeSelf(): OwnProcess {
  self ??= {
    id: identify(process.pid),
    host: hostname(),
    namespace: readIfThere(() => readlinkSync('/proc/self/ns/pid')),
    index: process.env['JOB_COMPLETION_INDEX'] ?? '',
  };
  return self;
}

function isRunning(id: string): boolean {
  const pid = Number.parseInt(id, 10);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false;
  }
  const now = identify(pid);
  return now === id || !now.includes('@') || !id.includes('@');
}

function identify(pid: number): string {
  const text = readIfThere(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // The name of the program is between parentheses, and may contain any character.
  const [, startedAt] = /^[^]*\) (?:\S+ ){19}(\d+) /.exec(text) ?? [];
  return startedAt === undefined ? `${pid}` : `${pid}@${startedAt}`;
}

/** Only Linux has these files, and it may hide those of other users. */
function readIfThere(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
