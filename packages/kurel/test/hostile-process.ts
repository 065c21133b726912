import { type ChildProcess, fork, spawn } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { build } from 'esbuild';

import type { HostileAnswer, HostileCall } from './hostile-driver.ts';
import { executable } from './kurel-program.ts';
import { repository } from './source-tree.ts';

/** A process with little memory that runs commands, and is ended when one takes too long. */
export interface HostileProcess {
  call(call: HostileCall): Promise<HostileAnswer>;
  /** The next call starts another one. */
  end(): void;
}

const heapMegabytes = 512;
const mostMilliseconds = 60_000;
/** The user who owns nothing. */
const nobody = 65_534;

const driver = join(import.meta.dirname, 'hostile-driver.ts');

/** The sources as they are now, in files that need no compiler. */
export async function bundleProgram(source = driver): Promise<{ readonly file: string; remove(): void }> {
  const directory = mkdtempSync(join(tmpdir(), 'kurel-program-'));
  await build({
    entryPoints: { program: source },
    outdir: join(directory, 'files'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    conditions: ['kurel-source'],
    logLevel: 'warning',
    // Bundled CommonJS packages require parts of Node.
    banner: {
      js: "import { createRequire as openRequire } from 'node:module'; const require = openRequire(import.meta.url);",
    },
  });
  symlinkSync(join(repository, 'packages', 'kurel', 'schemas'), join(directory, 'schemas'));
  chmodSync(directory, 0o755);
  return {
    file: join(directory, 'files', 'program.mjs'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

export function startProcess(file: string, options: { readonly isNobody: boolean }): HostileProcess {
  if (executable === undefined) return startDriver(file, options);
  const driver = startDriver(file, options);
  const processes = callExecutable(executable, options);
  return {
    // A process takes no words with NUL, and none that are too long.
    call: (call) => (call.words.every(canBePassed) ? processes : driver).call(call),
    end: () => driver.end(),
  };
}

function canBePassed(word: string): boolean {
  return !word.includes('\0') && Buffer.byteLength(word) < 128 * 1024;
}

function startDriver(file: string, options: { readonly isNobody: boolean }): HostileProcess {
  let child: ChildProcess | undefined;
  const start = (): ChildProcess =>
    fork(file, {
      execArgv: [`--max-old-space-size=${heapMegabytes}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      ...(options.isNobody ? { uid: nobody, gid: nobody } : {}),
    });
  return {
    call: async (call) =>
      await new Promise((resolve, reject) => {
        const running = (child ??= start());
        const fail = (reason: string): void => {
          clearTimeout(timer);
          child = undefined;
          running.removeAllListeners();
          running.kill('SIGKILL');
          reject(new Error(`kurel ${call.words.join(' ').slice(0, 200)}: ${reason}`));
        };
        const timer = setTimeout(
          () => fail(`still running after ${mostMilliseconds / 1000} seconds`),
          mostMilliseconds,
        );
        running.once('exit', (code, signal) => fail(`the process ended by itself: ${signal ?? code}`));
        running.once('message', (answer) => {
          clearTimeout(timer);
          running.removeAllListeners();
          resolve(answer as HostileAnswer);
        });
        running.send(call);
      }),
    end() {
      child?.removeAllListeners();
      child?.kill('SIGKILL');
      child = undefined;
    },
  };
}

/** A process for each call. */
function callExecutable(file: string, { isNobody }: { readonly isNobody: boolean }): HostileProcess {
  return {
    call: ({ words, workingDirectory, variables, toolsDirectory, stdin }) =>
      new Promise((resolve, reject) => {
        const path = [variables['PATH'] ?? '', toolsDirectory].filter((one) => one !== '');
        const input = existsSync(stdin) ? openSync(stdin, 'r') : undefined;
        const child = spawn(file, words, {
          cwd: workingDirectory,
          env: { ...variables, PATH: path.join(delimiter) },
          stdio: [input ?? 'ignore', 'pipe', 'pipe'],
          timeout: mostMilliseconds,
          killSignal: 'SIGKILL',
          ...(isNobody ? { uid: nobody, gid: nobody } : {}),
        });
        if (input !== undefined) closeSync(input);
        const written: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
        for (const name of ['stdout', 'stderr'] as const)
          child[name]!.on('data', (text: Buffer) => written[name].push(text));
        const textOf = (name: 'stdout' | 'stderr'): string => Buffer.concat(written[name]).toString('utf8');
        child.once('error', reject);
        child.once('close', (code, signal) => {
          if (code === null) reject(new Error(`kurel ${words.join(' ').slice(0, 200)}: ended by ${signal}`));
          else resolve({ exitCode: code, stdout: textOf('stdout'), stderr: textOf('stderr'), pollution: [] });
        });
      }),
    end: () => undefined,
  };
}
