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
  const [, pid, name] = /^([1-9]\d{0,9}) (.+)\n$/.exec(text) ?? [];
  if (pid === undefined || name === undefined) return undefined;
  const state = name !== machineName() ? 'unknown' : isRunning(Number(pid)) ? 'running' : 'dead';
  return { pid: Number(pid), host: name.split(' ')[0]!, state };
}

/** Each output directory is signed several times, and the name of the machine does not change. */
let machine: string | undefined;

function machineName(): string {
  machine ??= readMachineName();
  return machine;
}

/** Containers can share a host name and still number their processes separately. */
function readMachineName(): string {
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
