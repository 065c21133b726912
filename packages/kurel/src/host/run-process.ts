import { type ChildProcess, spawn } from 'node:child_process';
import { isUtf8 } from 'node:buffer';
import { ProgramError, type ProgramResult } from '../model/index.ts';

export interface ProcessCall {
  /** What messages call the program. */
  readonly program: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly directory?: string;
  readonly stdin?: string;
  readonly timeoutMs: number;
  /** Of standard output and standard error together. */
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal;
}

/** Runs a program to its end, without a shell; on time-out, flood or abort it is killed with all it has started. */
export function runProcess(call: ProcessCall): Promise<ProgramResult> {
  const { program, signal } = call;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    // A process group of its own on POSIX, so that one kill reaches the children too.
    const child = spawn(call.file, call.args, {
      ...(call.directory === undefined ? {} : { cwd: call.directory }),
      env: call.environment,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[], bytes: 0 };

    let failure: { readonly reason: unknown } | undefined;

    // The answer waits for the end of the process, so that its files can be removed right after.
    function stop(reason: unknown): void {
      failure ??= { reason };
      killTree(child);
    }
    function onAbort(): void {
      stop(signal?.reason);
    }
    function settle(act: () => void): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      if (failure === undefined) act();
      else reject(failure.reason);
    }
    const timer = setTimeout(() => {
      const message = `${program} did not finish within ${call.timeoutMs / 1000} s and was stopped`;
      stop(new ProgramError(program, 'timeout', message));
    }, call.timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });

    for (const name of ['stdout', 'stderr'] as const) {
      child[name].on('data', (chunk: Buffer) => {
        output[name].push(chunk);
        output.bytes += chunk.length;
        if (output.bytes <= call.maxOutputBytes) return;
        const message = `${program} printed more than the ${call.maxOutputBytes} bytes that are read`;
        stop(new ProgramError(program, 'output-too-large', message));
      });
    }
    child.on('error', (cause) =>
      settle(() => {
        const message = `${program} (${call.file}) could not be started: ${cause.message}`;
        reject(new ProgramError(program, 'failed-to-start', message, { cause }));
      }),
    );
    child.on('close', (exitCode, killedBy) =>
      settle(() => {
        const stdout = Buffer.concat(output.stdout);
        if (exitCode === null) reject(new ProgramError(program, 'killed', `${program} was ended by ${killedBy}`));
        else if (isUtf8(stdout)) {
          resolve({ exitCode, stdout: stdout.toString('utf8'), stderr: Buffer.concat(output.stderr).toString('utf8') });
        } else reject(new ProgramError(program, 'output-not-utf-8', `${program} printed text that is not UTF-8`));
      }),
    );
    // A program that ends without reading its input closes the pipe; its exit code tells the story.
    child.stdin.on('error', () => undefined);
    child.stdin.end(call.stdin ?? '');
  });
}

function killTree(child: ChildProcess): void {
  for (const stream of child.stdio) stream?.destroy();
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' });
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}
