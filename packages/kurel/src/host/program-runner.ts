import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { ProgramError } from '../model/index.ts';
import type { ProgramCall, ProgramRunner, ProgramWorkspace } from '../model/index.ts';
import { toFileAccessError } from './file-errors.ts';
import { definedIn, requireProgram, searchPath } from './find-program.ts';
import type { Environment } from './find-program.ts';
import { runProcess, usualMemory } from './run-process.ts';
import { holdSignals } from './hold-signals.ts';
import { findEscape } from './relative-path.ts';

export interface ProgramRunnerOptions {
  /** Usually `process.env`; has PATH and `KUREL_TOOLS`. Programs receive almost none of it. */
  readonly environment: Environment;
  /** Searched after PATH; absolute. */
  readonly toolsDirectories?: readonly string[];
  /** Pass the whole environment to the programs, for credentials of private registries in the user's settings. */
  readonly inheritEnvironment?: boolean;
  /** Where relative paths in arguments start. Defaults to the current directory. */
  readonly workingDirectory?: string;
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
  /** Memory limit of a program and its children, on Linux only. Defaults to 1 GiB. */
  readonly maxMemoryBytes?: number;
}

const manuals: Readonly<Record<ProgramCall['program'], string>> = {
  helm: 'https://helm.sh/docs/intro/install/',
  kustomize: 'https://kubectl.docs.kubernetes.io/installation/kustomize/',
  kubectl: 'https://kubernetes.io/docs/tasks/tools/',
};

/** Runs helm and kustomize, each call with a private temporary directory that is always removed. */
export function programRunner(options: ProgramRunnerOptions): ProgramRunner {
  const {
    environment,
    timeoutMs = 120_000,
    maxOutputBytes = 256 * 1024 * 1024,
    maxMemoryBytes = usualMemory,
  } = options;
  return {
    async run(call) {
      const { program, network = false, workspace } = call;
      const advice = `install it (${manuals[program]}), or set KUREL_TOOLS to the absolute path of its directory`;
      const file = requireProgram(program, options, advice);
      let directory: string | undefined;
      // Before there is anything to remove. After the release, a signal still waits for the end of this turn.
      const release = holdSignals(() => removeDirectory(directory));
      try {
        directory = makeDirectory(program);
        const place = workspace && writeWorkspace(program, workspace, directory);
        const result = await runProcess({
          program,
          file,
          args: call.args.map((argument) => swap(argument, workspace?.token, place)),
          environment: {
            // Both are Go programs, which collect garbage more often near this limit.
            GOMEMLIMIT: `${Math.ceil(0.75 * maxMemoryBytes)}B`,
            ...(options.inheritEnvironment === true
              ? definedIn(environment)
              : programEnvironment(environment, { directory, network })),
            ...call.environment,
          },
          directory: options.workingDirectory,
          timeoutMs,
          maxOutputBytes,
          maxMemoryBytes,
          stdin: call.stdin,
          signal: call.signal,
        });
        const variables =
          options.inheritEnvironment === true ? environment : network && pick(environment, networkNames);
        // The temporary directory is removed before the messages are read.
        const real = place && realpathSync.native(place);
        const stderr = swap(swap(result.stderr, real, workspace?.token), place, workspace?.token);
        return { ...result, stderr, ...(variables === false ? {} : { variables }) };
      } finally {
        release();
        removeDirectory(directory);
      }
    },
  };
}

function makeDirectory(program: ProgramCall['program']): string {
  const parent = tmpdir();
  try {
    return mkdtempSync(join(parent, 'kurel-'));
  } catch (cause) {
    const { detail } = toFileAccessError(parent, cause);
    const message = `${program} cannot create a temporary directory in ${parent}: ${detail}`;
    throw new ProgramError(program, 'failed-to-start', message, { cause, hint: 'set TMPDIR to a writable directory' });
  }
}

function removeDirectory(directory: string | undefined): void {
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
}

function writeWorkspace(program: ProgramCall['program'], { files }: ProgramWorkspace, directory: string): string {
  const place = join(directory, 'work');
  for (const [path, content] of files) {
    const escape = findEscape(path);
    if (escape !== undefined) throw notCopied(program, { path, detail: escape });
    try {
      mkdirSync(dirname(join(place, path)), { recursive: true, mode: 0o700 });
      writeFileSync(join(place, path), content, { mode: 0o600, flag: 'wx' });
    } catch (cause) {
      // The path may be too long, the file system may ignore case, or the disk may be full.
      throw notCopied(program, { path, detail: toFileAccessError(path, cause).detail, cause });
    }
  }
  return place;
}

interface NotCopied {
  readonly path: string;
  readonly detail: string;
  readonly cause?: unknown;
}

function notCopied(program: ProgramCall['program'], { path, detail, cause }: NotCopied): ProgramError {
  const message = `cannot copy ${JSON.stringify(path.slice(-200))} for ${program}: ${detail}`;
  return new ProgramError(program, 'failed-to-start', message, { cause });
}

/** The caller's token for the directory of the files by its path, or the other way round. */
function swap(text: string, from: string | undefined, to: string | undefined): string {
  return from === undefined || to === undefined ? text : text.replaceAll(from, () => to);
}

// Windows programs do not start without these.
const systemNames = ['SystemRoot', 'SYSTEMROOT', 'windir', 'ComSpec', 'PATHEXT'];

// The variables of a program that may use the network.
const networkNames = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

// The discard port: an unexpected request fails at once instead of leaving the machine.
const nowhere = 'http://127.0.0.1:9';

/**
 * A minimal environment, so that the output depends only on the input: no plugins, repositories, clusters or settings of the user, and a
 * home directory below `directory`. Without `network`, there is no PATH (so that kustomize does not find git), and HTTP requests fail.
 */
function programEnvironment(
  environment: Environment,
  options: { readonly directory: string; readonly network: boolean },
): Environment {
  const home = join(options.directory, 'home');
  const temporary = join(options.directory, 'tmp');
  for (const directory of [home, temporary]) mkdirSync(directory, { mode: 0o700 });
  return {
    ...pick(environment, systemNames),
    ...(options.network
      ? { ...pick(environment, networkNames), PATH: searchPath(environment).join(delimiter) }
      : { HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, NO_PROXY: '' }),
    HOME: home,
    USERPROFILE: home,
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_DATA_HOME: join(home, 'data'),
    HELM_CONFIG_HOME: join(home, 'helm', 'config'),
    HELM_CACHE_HOME: join(home, 'helm', 'cache'),
    HELM_DATA_HOME: join(home, 'helm', 'data'),
    HELM_PLUGINS: join(home, 'helm', 'plugins'),
    KUSTOMIZE_PLUGIN_HOME: join(home, 'kustomize', 'plugins'),
    KUBECONFIG: join(home, 'no-kubeconfig'),
  };
}

function pick(environment: Environment, names: readonly string[]): Environment {
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}
