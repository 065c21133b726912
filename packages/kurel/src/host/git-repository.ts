import { DiagnosticError } from '../diagnostics/index.ts';
import { type FileSystem, ProgramError, type ProgramResult } from '../model/index.ts';
import { type Environment, findProgram } from './find-program.ts';
import { gitFileSystem } from './git-file-system.ts';
import { type GitObjects, openGitObjects } from './git-objects.ts';
import { hostProblems } from './problems.ts';
import { runProcess } from './run-process.ts';

export interface GitRepositoryOptions {
  /** Where PATH and git's own settings are looked up, usually `process.env`. */
  readonly environment: Environment;
  /** In the repository; the current directory unless said. */
  readonly workingDirectory?: string;
  readonly timeoutMs?: number;
  /** Of one file; 256 MiB unless said. */
  readonly maxFileBytes?: number;
  /** Of everything that is read; 1 GiB unless said. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

/** The repository that the working directory lies in, as far as it can be read without touching it. */
export interface GitRepository {
  /** Throws a `DiagnosticError` when there is no such revision, no repository or no git. */
  openRevision(revision: string): Promise<GitRevision>;
  /** Ends what was started. */
  close(): void;
}

export interface GitRevision {
  /** By paths from the top of the repository. */
  readonly fileSystem: FileSystem;
  /** The working directory, from the top of the repository; empty at the top. */
  readonly place: string;
}

const mebibyte = 1024 * 1024;

// No command that is run looks at the index or at files, so there is nothing for hooks, filters and monitors to do; what a clone has left
// out must not be fetched. All of it is said once more, for settings of the repository could start programs otherwise.
const settings = ['core.hooksPath=/dev/null', 'core.fsmonitor=false'];

/** Reads revisions by `git rev-parse` and `git cat-file`: what was committed, byte by byte, and nothing that runs other programs. */
export function gitRepository(options: GitRepositoryOptions): GitRepository {
  const { timeoutMs = 60_000, maxFileBytes = 256 * mebibyte, maxBytes = 1024 * mebibyte, workingDirectory } = options;
  let objects: GitObjects | undefined;

  function prepare(args: readonly string[]) {
    const { found, searched } = findProgram('git', options);
    if (found === undefined) {
      const places = searched.length === 0 ? 'PATH is empty' : `searched in ${searched.join(', ')}`;
      throw new ProgramError('git', 'not-found', 'the program "git" is not on this machine', { hint: places });
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

  return {
    async openRevision(revision) {
      // What begins with a dash would be a flag, and what is empty the index.
      const isName = revision !== '' && !revision.startsWith('-') && !/[\0\n]/.test(revision);
      const { stdout, stderr } = isName ? await resolveRevision(revision) : { stdout: '', stderr: '' };
      const [, place, tree] = /^([^]*?)\/?\n([0-9a-f]{40}|[0-9a-f]{64})\n$/.exec(stdout) ?? [];
      if (place === undefined || tree === undefined) {
        throw new DiagnosticError([hostProblems.create('revision-unreadable', explainFailure(revision, stderr))]);
      }
      objects ??= openGitObjects({ ...prepare(['cat-file', '--batch']), maxObjectBytes: maxFileBytes, maxBytes });
      return { fileSystem: gitFileSystem(objects, tree), place };
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

function explainFailure(revision: string, stderr: string): RevisionFailure {
  const parsed = stderr.trim().replace(/^fatal: /, '');
  if (parsed.includes('not a git repository')) return { revision, reason: 'this is not a git repository' };
  // Git's own words say whom to trust, and how.
  if (parsed.includes('dubious ownership')) return { revision, reason: parsed };
  return {
    revision,
    reason: 'there is no such revision in this repository',
    hint: 'what stands before the colon is a branch, a tag or a commit; a clone need not have all of them',
  };
}

const kept = ['PATH', 'Path', 'HOME', 'USERPROFILE', 'XDG_CONFIG_HOME', 'SystemRoot', 'SYSTEMROOT', 'windir'];

/** The user's own settings decide whose repositories are trusted, and in a hook git says by variables where the repository is. */
function gitEnvironment(environment: Environment): Record<string, string> {
  const entries = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (kept.includes(entry[0]) || entry[0].startsWith('GIT_')),
  );
  return {
    ...Object.fromEntries(entries),
    // Newer versions have a word for it; for the others there is no protocol by which they could fetch.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}
