import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { ProgramError } from '../model/index.ts';
import type { ProgramCall, ProgramRunner, ProgramWorkspace } from '../model/index.ts';
import { toFileAccessError } from './file-errors.ts';
import { findProgram, searchPath } from './find-program.ts';
import type { Environment } from './find-program.ts';
import { holdSignals } from './hold-signals.ts';
import { findEscape } from './relative-path.ts';
import { runProcess } from './run-process.ts';
import { usualMemory } from './watch-memory.ts';

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
      const { found, searched } = findProgram(call.program, options);
      if (found === undefined) throw notFound(call.program, searched);
      let directory: string | undefined;
      // Before there is anything to remove. After the release, a signal still waits for the end of this turn.
      const release = holdSignals(() => removeDirectory(directory));
      try {
        directory = makeDirectory(call.program);
        const workspace = call.workspace && writeWorkspace(call, call.workspace, directory);
        const result = await runProcess({
          program: call.program,
          file: found,
          args: call.args.map((argument) => placeWorkspace(argument, call.workspace?.token, workspace)),
          environment: {
            // Both are Go programs, which collect garbage more often near this limit.
            GOMEMLIMIT: `${Math.ceil(0.75 * maxMemoryBytes)}B`,
            ...(options.inheritEnvironment === true
              ? defined(environment)
              : programEnvironment(environment, { directory, network: call.network === true })),
            ...call.environment,
          },
          ...(options.workingDirectory === undefined ? {} : { directory: options.workingDirectory }),
          timeoutMs,
          maxOutputBytes,
          maxMemoryBytes,
          ...(call.stdin === undefined ? {} : { stdin: call.stdin }),
          ...(call.signal === undefined ? {} : { signal: call.signal }),
        });
        const variables =
          options.inheritEnvironment === true ? environment : call.network === true && networkVariables(environment);
        return {
          ...result,
          stderr: restoreToken(result.stderr, call.workspace?.token, workspace),
          ...(variables === false ? {} : { variables }),
        };
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
    throw new ProgramError(
      program,
      'failed-to-start',
      `${program} cannot create a temporary directory in ${parent}: ${detail}`,
      {
        cause,
        hint: 'set TMPDIR to a writable directory',
      },
    );
  }
}

function removeDirectory(directory: string | undefined): void {
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
}

function writeWorkspace({ program }: ProgramCall, workspace: ProgramWorkspace, directory: string): string {
  const place = join(directory, 'work');
  for (const [path, content] of workspace.files) {
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

function placeWorkspace(argument: string, token: string | undefined, place: string | undefined): string {
  return token === undefined || place === undefined ? argument : argument.replaceAll(token, () => place);
}

/** Replaces the temporary path in messages by the caller's token, because the directory is removed before they are read. */
function restoreToken(text: string, token: string | undefined, place: string | undefined): string {
  if (token === undefined || place === undefined) return text;
  return text.replaceAll(realpathSync.native(place), () => token).replaceAll(place, () => token);
}

function defined(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function notFound(program: ProgramCall['program'], searched: readonly string[]): ProgramError {
  const places = searched.length === 0 ? 'PATH is empty' : `searched ${searched.join(', ')}`;
  return new ProgramError(program, 'not-found', `program "${program}" is not installed or not on PATH`, {
    hint: `install it (${manuals[program]}), or set KUREL_TOOLS to the absolute path of its directory; ${places}`,
  });
}

// Windows programs do not start without these.
const systemNames = ['SystemRoot', 'SYSTEMROOT', 'windir', 'ComSpec', 'PATHEXT'];

const networkNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];
const certificateNames = ['SSL_CERT_FILE', 'SSL_CERT_DIR'];

/** The variables of a program that may use the network. */
function networkVariables(environment: Environment): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries([...networkNames, ...certificateNames].map((name) => [name, environment[name]]));
}

// The discard port: an unexpected request fails at once instead of leaving the machine.
const nowhere = 'http://127.0.0.1:9';

/**
 * A minimal environment, so that the output depends only on the input: no plugins, repositories, clusters or settings of the user, and a
 * home directory below `directory`. Without `network`, there is no PATH (so that kustomize does not find git), and HTTP requests fail.
 */
function programEnvironment(
  environment: Environment,
  options: { readonly directory: string; readonly network: boolean },
): Record<string, string> {
  const home = join(options.directory, 'home');
  const temporary = join(options.directory, 'tmp');
  for (const directory of [home, temporary]) mkdirSync(directory, { mode: 0o700 });
  return {
    ...pick(environment, systemNames),
    ...(options.network
      ? { ...pick(environment, [...networkNames, ...certificateNames]), PATH: searchPath(environment).join(delimiter) }
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

function pick(environment: Environment, names: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = environment[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}
