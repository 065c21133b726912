import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from './file-errors.ts';

/** The process that a signature names. */
export interface SignedProcess {
  readonly pid: number;
  readonly host: string;
  /** `unknown` for a process on another machine. */
  readonly state: 'running' | 'dead' | 'unknown';
}

/** Identifies this process in files that it may leave behind. */
export function signProcess(): string {
  return `${process.pid} ${machineName()}\n`;
}

/** `undefined` for an invalid signature. */
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
