import { DiagnosticError } from '../diagnostics/index.ts';
import { type FileSystem, ProgramError, type ProgramResult } from '../model/index.ts';
import { type Environment, findProgram } from './find-program.ts';
import { gitFileSystem } from './git-file-system.ts';
import { type GitObjects, openGitObjects } from './git-objects.ts';
import { hostProblems } from './problems.ts';
import { runProcess } from './run-process.ts';

export interface GitRepositoryOptions {
  /** Usually `process.env`; has PATH and the variables of git. */
  readonly environment: Environment;
  /** A directory in the repository. Defaults to the current directory. */
  readonly workingDirectory?: string;
  readonly timeoutMs?: number;
  /** Of one file. Defaults to 256 MiB. */
  readonly maxFileBytes?: number;
  /** Of all files together. Defaults to 1 GiB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Read-only access to the repository of the working directory. */
export interface GitRepository {
  /** Throws a `DiagnosticError` if the revision, the repository or git does not exist. */
  openRevision(revision: string): Promise<GitRevision>;
  /** Paths that differ between a revision and the working tree, from the root of the repository, including new files. */
  listChanges(revision: string): Promise<readonly string[]>;
  /** Stops the processes that were started. */
  close(): void;
}

export interface GitRevision {
  /** Paths start at the root of the repository. */
  readonly fileSystem: FileSystem;
  /** The working directory, relative to the root of the repository. */
  readonly place: string;
}

const mebibyte = 1024 * 1024;

// The commands below do not read the index or the working tree, so hooks and monitors should never run. These settings make sure,
// because the configuration of a repository could start programs.
const settings = ['core.hooksPath=/dev/null', 'core.fsmonitor=false'];

/** Reads committed files with `git rev-parse` and `git cat-file`, which never run other programs. */
export function gitRepository(options: GitRepositoryOptions): GitRepository {
  const { timeoutMs = 60_000, maxFileBytes = 256 * mebibyte, maxBytes = 1024 * mebibyte, workingDirectory } = options;
  let objects: GitObjects | undefined;

  function prepare(args: readonly string[]) {
    const { found, searched } = findProgram('git', options);
    if (found === undefined) {
      const places = `install git; ${searched.length === 0 ? 'PATH is empty' : `searched ${searched.join(', ')}`}`;
      throw new ProgramError('git', 'not-found', 'program "git" is not installed or not on PATH', { hint: places });
    }
    return {
      program: 'git',
      file: found,
      args: [...settings.flatMap((setting) => ['-c', setting]), ...args],
      environment: gitEnvironment(options.environment),
      ...(workingDirectory === undefined ? {} : { directory: workingDirectory }),
      timeoutMs,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    };
  }

  async function resolveRevision(revision: string): Promise<ProgramResult> {
    try {
      const args = ['rev-parse', '--show-prefix', '--verify', `${revision}^{tree}`];
      return await runProcess({ ...prepare(args), maxOutputBytes: mebibyte });
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error;
      const { message: reason, hint } = error;
      throw new DiagnosticError([hostProblems.create('revision-unreadable', { revision, reason, hint })]);
    }
  }

  async function isShallow(): Promise<boolean> {
    const { stdout } = await runProcess({
      ...prepare(['rev-parse', '--is-shallow-repository']),
      maxOutputBytes: mebibyte,
    });
    return stdout.trim() === 'true';
  }

  return {
    async openRevision(revision) {
      // A leading dash would be a flag, and an empty revision the index.
      const isName = revision !== '' && !revision.startsWith('-') && !/[\0\n]/.test(revision);
      const { stdout, stderr } = isName ? await resolveRevision(revision) : { stdout: '', stderr: '' };
      const [, place, tree] = /^([^]*?)\/?\n([0-9a-f]{40}|[0-9a-f]{64})\n$/.exec(stdout) ?? [];
      if (place === undefined || tree === undefined) {
        const failure = explainFailure(revision, stderr);
        const hint = isName && (await isShallow()) ? shallowHint : failure.hint;
        throw new DiagnosticError([hostProblems.create('revision-unreadable', { ...failure, hint })]);
      }
      objects ??= openGitObjects({ ...prepare(['cat-file', '--batch']), maxObjectBytes: maxFileBytes, maxBytes });
      return { fileSystem: gitFileSystem(objects, tree), place };
    },
    async listChanges(revision) {
      const isName = revision !== '' && !revision.startsWith('-') && !/[\0\n]/.test(revision);
      const list = async (args: readonly string[]): Promise<readonly string[]> => {
        const { exitCode, stdout, stderr } = await runProcess({ ...prepare(args), maxOutputBytes: 64 * mebibyte });
        if (exitCode === 0) return stdout.split('\0').filter((path) => path !== '');
        throw new DiagnosticError([hostProblems.create('revision-unreadable', explainFailure(revision, stderr))]);
      };
      if (!isName) {
        throw new DiagnosticError([hostProblems.create('revision-unreadable', explainFailure(revision, ''))]);
      }
      const changed = await list(['diff', '--no-ext-diff', '--no-renames', '--name-only', '-z', revision, '--']);
      const added = await list(['ls-files', '--others', '--exclude-standard', '--full-name', '-z', ':/']);
      return [...new Set([...changed, ...added])];
    },
    close() {
      objects?.close();
      objects = undefined;
    },
  };
}

interface RevisionFailure {
  readonly revision: string;
  readonly reason: string;
  readonly hint?: string | undefined;
}

const shallowHint =
  'this clone is shallow: fetch more history, for example with git fetch --unshallow, with fetch-depth: 0 in GitHub Actions, or with GIT_DEPTH: "0" in GitLab';

function explainFailure(revision: string, stderr: string): RevisionFailure {
  const parsed = stderr.trim().replace(/^fatal: /, '');
  if (parsed.includes('not a git repository'))
    return { revision, reason: 'the current directory is not in a git repository' };
  // The message of git explains how to trust the repository.
  if (parsed.includes('dubious ownership')) return { revision, reason: parsed };
  return {
    revision,
    reason: 'it does not exist in this repository',
    hint: 'use an existing branch, tag or commit; a clone may not have all of them',
  };
}

const kept = ['PATH', 'Path', 'HOME', 'USERPROFILE', 'XDG_CONFIG_HOME', 'SystemRoot', 'SYSTEMROOT', 'windir'];

/** Keeps HOME, whose git settings list trusted repositories, and GIT_ variables, which locate the repository inside a hook. */
function gitEnvironment(environment: Environment): Record<string, string> {
  const entries = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (kept.includes(entry[0]) || entry[0].startsWith('GIT_')),
  );
  return {
    ...Object.fromEntries(entries),
    // A partial clone must not fetch missing objects. Older versions of git need the second variable.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}
