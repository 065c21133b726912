import { type ChildProcess, execFile, fork } from 'node:child_process';
import { chmodSync, createReadStream, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
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
  });
  symlinkSync(join(repository, 'packages', 'kurel', 'schemas'), join(directory, 'schemas'));
  chmodSync(directory, 0o755);
  return {
    file: join(directory, 'files', 'program.mjs'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

export function startProcess(file: string, options: { readonly isNobody: boolean }): HostileProcess {
  if (executable !== undefined) return callExecutable(executable, options);
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
        const child = execFile(
          file,
          words,
          {
            cwd: workingDirectory,
            env: { ...variables, PATH: path.join(delimiter) },
            timeout: mostMilliseconds,
            killSignal: 'SIGKILL',
            maxBuffer: 2 ** 30,
            ...(isNobody ? { uid: nobody, gid: nobody } : {}),
          },
          (error, stdout, stderr) => {
            if (error?.signal) reject(new Error(`kurel ${words.join(' ').slice(0, 200)}: ended by ${error.signal}`));
            else resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr, pollution: [] });
          },
        );
        child.stdin!.on('error', () => undefined);
        if (existsSync(stdin)) createReadStream(stdin).pipe(child.stdin!);
        else child.stdin!.end();
      }),
    end: () => undefined,
  };
}
