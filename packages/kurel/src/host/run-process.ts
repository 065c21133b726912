import { pass, sentence } from '../diagnostics/index.ts';
import { isUtf8 } from 'node:buffer';
import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ProgramError } from '../model/index.ts';
import type { ProgramResult } from '../model/index.ts';
import { definedIn } from './find-program.ts';
import type { Environment } from './find-program.ts';
import { holdSignals } from './hold-signals.ts';
import { readIfThere } from './file-errors.ts';

export interface ProcessCall {
  /** The name of the program in messages. */
  readonly program: string;
  readonly file: string;
  readonly args: readonly string[];
  /** Undefined variables are left out. */
  readonly environment: Environment;
  readonly directory?: string | undefined;
  readonly stdin?: string | undefined;
  readonly timeoutMs: number;
  /** Of standard output and standard error together. */
  readonly maxOutputBytes: number;
  /** Of the program and its children. Defaults to 1 GiB. */
  readonly maxMemoryBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a program without a shell. Kills it and its children on abort, on a signal, and when it exceeds a limit. */
export function runProcess(call: ProcessCall): Promise<ProgramResult> {
  const { program, signal } = call;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const child = startProcess(call);
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[], bytes: 0 };

    const release = holdSignals(() => killTree(child));

    let failure: { readonly reason: unknown } | undefined;
    let isSettled = false;

    // The promise settles after the end of the process, so that its files can be removed.
    function stop(reason: unknown): void {
      failure ??= { reason };
      killTree(child);
    }
    function onAbort(): void {
      stop(signal?.reason);
    }
    function settle(act: () => void): void {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      stopWatching();
      release();
      signal?.removeEventListener('abort', onAbort);
      if (failure === undefined) act();
      else reject(failure.reason);
    }
    const timer = setTimeout(() => {
      const message = `${program} did not finish within ${call.timeoutMs / 1000} s and was stopped`;
      stop(new ProgramError(program, 'timeout', message));
    }, call.timeoutMs);
    const { maxMemoryBytes = usualMemory } = call;
    const stopWatching = watchMemory(child, maxMemoryBytes, () => {
      const message = `${program} used more than ${maxMemoryBytes / 1_048_576} MiB of memory and was stopped`;
      const hint = sentence`${pass('maxProgramMemory', 'SIZE')} to allow more`;
      stop(new ProgramError(program, 'too-much-memory', message, { hint }));
    });
    signal?.addEventListener('abort', onAbort, { once: true });

    for (const name of ['stdout', 'stderr'] as const) {
      child[name].on('data', (chunk: Buffer) => {
        output[name].push(chunk);
        output.bytes += chunk.length;
        if (output.bytes <= call.maxOutputBytes) return;
        const message = `${program} printed more than ${call.maxOutputBytes} bytes`;
        stop(new ProgramError(program, 'output-too-large', message));
      });
    }
    child.on('error', (cause) => settle(() => reject(notStarted(call, cause))));
    function finish(exitCode: number | null, killedBy: NodeJS.Signals | null): void {
      settle(() => {
        const stdout = Buffer.concat(output.stdout);
        if (exitCode === null) reject(new ProgramError(program, 'killed', `${program} was killed by ${killedBy}`));
        else if (isUtf8(stdout)) {
          resolve({ exitCode, stdout: stdout.toString('utf8'), stderr: Buffer.concat(output.stderr).toString('utf8') });
        } else reject(new ProgramError(program, 'output-not-utf-8', `${program} printed text that is not UTF-8`));
      });
    }
    child.on('close', finish);
    // Children of the program may keep the pipes open long after its end; their output does not count.
    child.on('exit', (exitCode, killedBy) => {
      waitForSilence(
        () => (isSettled ? undefined : output.bytes),
        () => {
          killTree(child);
          finish(exitCode, killedBy);
        },
      );
    });
    // A program that ends without reading its input closes the pipe; its exit code is enough to report.
    child.stdin.on('error', () => undefined);
    child.stdin.end(call.stdin ?? '');
  });
}

/** Starts a program without a shell. */
export function startProcess(call: ProcessCall): ChildProcessWithoutNullStreams {
  try {
    return childProcess().spawn(call.file, call.args, {
      cwd: call.directory,
      env: definedIn(call.environment),
      stdio: ['pipe', 'pipe', 'pipe'],
      // A separate process group on POSIX, so that one kill also reaches the children.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (cause) {
    // Node emits some failures as events and throws others, such as arguments that are too long.
    throw notStarted(call, cause);
  }
}

function notStarted({ program, file }: ProcessCall, cause: unknown): ProgramError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ProgramError(program, 'failed-to-start', `cannot start ${program} (${file}): ${reason}`, { cause });
}

/** Kills a process and its children. */
export function killTree(child: ChildProcess): void {
  for (const stream of child.stdio) stream?.destroy();
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') {
      // The system may have reused the ID of an ended process.
      if (child.exitCode !== null) return;
      const args = ['/pid', String(child.pid), '/t', '/f'];
      childProcess()
        .spawn('taskkill', args, { stdio: 'ignore' })
        .on('error', () => child.kill('SIGKILL'));
    } else process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

/** Loaded on first use: most commands run no program, and loading this module takes milliseconds. */
function childProcess() {
  return process.getBuiltinModule('node:child_process');
}

const idleMs = 200;
const maxRounds = 10;

/**
 * Calls `act` when `readBytes` has stopped growing, or after a fixed number of rounds; stops when `readBytes` returns `undefined`. A timer
 * alone is not enough: after a long computation, timers run before pending data is read from the pipes.
 */
function waitForSilence(readBytes: () => number | undefined, act: () => void, round = 1): void {
  const before = readBytes();
  if (before === undefined) return;
  const timer = setTimeout(() => {
    setImmediate(() => {
      const now = readBytes();
      if (now === undefined) return;
      if (now === before || round === maxRounds) act();
      else waitForSilence(readBytes, act, round + 1);
    });
  }, idleMs);
  timer.unref();
}

/** The default limit for helm, kustomize and git, each with its children. */
export const usualMemory = 1024 * 1024 * 1024;

const milliseconds = 20;
const mostProcesses = 1000;

/**
 * Calls `onExceeded` once when a process and its children use too much memory. Polls /proc, and so works only on Linux: Node cannot set a
 * memory limit for a child without a shell. Call the result to stop.
 */
export function watchMemory({ pid }: ChildProcess, maxBytes: number, onExceeded: () => void): () => void {
  if (pid === undefined || process.platform !== 'linux') return () => undefined;
  const timer = setInterval(() => {
    if (memoryOf(pid) <= maxBytes) return;
    clearInterval(timer);
    onExceeded();
  }, milliseconds);
  return () => clearInterval(timer);
}

/** Anonymous memory only: git maps its packs, and the system can reclaim that memory. */
function memoryOf(pid: number): number {
  const read = (path: string): string => readIfThere(() => readFileSync(path, 'utf8'));
  let sum = 0;
  const waiting = [String(pid)];
  for (let count = 0; waiting.length > 0 && count < mostProcesses; count += 1) {
    const id = waiting.pop()!;
    sum += 1024 * Number(/^RssAnon:\s*(\d+) kB$/m.exec(read(`/proc/${id}/status`))?.[1] ?? 0);
    for (const child of read(`/proc/${id}/task/${id}/children`).split(' ')) if (child !== '') waiting.push(child);
  }
  return sum;
}
