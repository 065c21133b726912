import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from './file-errors.ts';

/** What a file with a signature says about the process that wrote it. */
export interface SignedProcess {
  readonly pid: number;
  readonly host: string;
  /** `unknown` on another machine, where nobody here can look. */
  readonly state: 'running' | 'dead' | 'unknown';
}

/** Names this process for other processes that find what it left on a disk. */
export function signProcess(): string {
  return `${process.pid} ${machineName()}\n`;
}

/** `undefined` for a text that is not a signature. */
export function readSignature(text: string): SignedProcess | undefined {
  const [, pid, machine] = /^([1-9]\d{0,9}) (.+)\n$/.exec(text) ?? [];
  if (pid === undefined || machine === undefined) return undefined;
  const state = machine !== machineName() ? 'unknown' : isRunning(Number(pid)) ? 'running' : 'dead';
  return { pid: Number(pid), host: machine.split(' ')[0]!, state };
}

/** Containers can share a host name and still number their processes separately. */
function machineName(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}
