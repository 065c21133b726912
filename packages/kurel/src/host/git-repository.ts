import { posix } from 'node:path';
import {
  compareText,
  FileAccessError,
  ProgramError,
  type DirectoryEntry,
  type EntryKind,
  type FileSystem,
  type ProgramResult,
} from '../model/index.ts';
import { requireProgram } from './find-program.ts';
import type { Environment } from './find-program.ts';
import { runProcess } from './run-process.ts';
import { openGitObjects, type GitObjects } from './git-objects.ts';
import { hostProblems } from './problems.ts';
import { decodeText } from './read-stdin.ts';
import { getOrAdd } from '../budget/index.ts';

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
    return {
      program: 'git',
      file: requireProgram('git', options, 'install git'),
      args: [...settings.flatMap((setting) => ['-c', setting]), ...args],
      environment: gitEnvironment(options.environment),
      directory: workingDirectory,
      timeoutMs,
      signal: options.signal,
    };
  }

  function runGit(args: readonly string[], maxOutputBytes = mebibyte): Promise<ProgramResult> {
    return runProcess({ ...prepare(args), maxOutputBytes });
  }

  async function resolveRevision(revision: string): Promise<ProgramResult> {
    try {
      return await runGit(['rev-parse', '--show-prefix', '--verify', `${revision}^{tree}`]);
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error;
      const { message: reason, hint } = error;
      throw hostProblems.error('revision-unreadable', { revision, reason, hint });
    }
  }

  async function isShallow(): Promise<boolean> {
    const { stdout } = await runGit(['rev-parse', '--is-shallow-repository']);
    return stdout.trim() === 'true';
  }

  return {
    async openRevision(revision) {
      const isName = isRevision(revision);
      const { stdout, stderr } = isName ? await resolveRevision(revision) : { stdout: '', stderr: '' };
      const [, place, tree] = /^([^]*?)\/?\n([0-9a-f]{40}|[0-9a-f]{64})\n$/.exec(stdout) ?? [];
      if (place === undefined || tree === undefined) {
        const failure = explainFailure(revision, stderr);
        const hint = isName && (await isShallow()) ? shallowHint : failure.hint;
        throw hostProblems.error('revision-unreadable', { ...failure, hint });
      }
      objects ??= openGitObjects({ ...prepare(['cat-file', '--batch']), maxObjectBytes: maxFileBytes, maxBytes });
      return { fileSystem: gitFileSystem(objects, tree), place };
    },
    async listChanges(revision) {
      const list = async (args: readonly string[]): Promise<readonly string[]> => {
        const { exitCode, stdout, stderr } = await runGit(args, 64 * mebibyte);
        if (exitCode === 0) return stdout.split('\0').filter((path) => path !== '');
        throw hostProblems.error('revision-unreadable', explainFailure(revision, stderr));
      };
      if (!isRevision(revision)) throw hostProblems.error('revision-unreadable', explainFailure(revision, ''));
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

/** A leading dash would be a flag, and an empty revision the index. */
function isRevision(text: string): boolean {
  return text !== '' && !text.startsWith('-') && !/[\0\n]/.test(text);
}

const shallowHint =
  'this clone is shallow: fetch more history, for example with git fetch --unshallow, with fetch-depth: 0 in GitHub Actions, or with GIT_DEPTH: "0" in GitLab';

function explainFailure(revision: string, stderr: string) {
  const message = stderr.trim().replace(/^fatal: /, '');
  if (message.includes('not a git repository'))
    return { revision, reason: 'the current directory is not in a git repository' };
  // The message of git explains how to trust the repository.
  if (message.includes('dubious ownership')) return { revision, reason: message };
  const hint = 'use an existing branch, tag or commit; a clone may not have all of them';
  return { revision, reason: 'it does not exist in this repository', hint };
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

/** An entry of the tree after following links. */
interface TreePlace {
  readonly type: GitTreeEntry['type'] | 'nowhere' | 'outside';
  readonly name: string;
  /** The real path, after following links. */
  readonly place: readonly string[];
}

const nowhere: TreePlace = { type: 'nowhere', name: '', place: [] };
const outside: TreePlace = { type: 'outside', name: '', place: [] };

const mostLinks = 40;
// The limit of Linux.
const longestTarget = 4096;

/**
 * The files of a git tree, by their paths from its root. Follows links inside the tree. Files have their committed content, without the
 * filters of a checkout.
 */
function gitFileSystem(objects: GitObjects, tree: string): FileSystem {
  const trees = new Map<string, Promise<ReadonlyMap<string, GitTreeEntry>>>();
  const root: TreePlace = { type: 'directory', name: tree, place: [] };

  function openTree(name: string): Promise<ReadonlyMap<string, GitTreeEntry>> {
    return getOrAdd(trees, name, () => objects.read(name).then((bytes) => readGitTree(bytes, name.length / 2)));
  }

  async function find(path: string): Promise<TreePlace | undefined> {
    // The entries from the root to the current one, and the remaining path segments in reverse.
    const trail = [root];
    const waiting = path.split('/').reverse();
    let links = 0;
    for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
      if (step === '' || step === '.') continue;
      const here = trail.at(-1)!;
      if (step === '..') {
        if (trail.length === 1) return outside;
        trail.pop();
        continue;
      }
      const entry = here.type === 'directory' ? (await openTree(here.name)).get(step) : undefined;
      if (entry === undefined) return links === 0 ? undefined : nowhere;
      if (entry.type !== 'link') {
        trail.push({ type: entry.type, name: entry.object, place: [...here.place, step] });
        continue;
      }
      links += 1;
      const target = (await objects.read(entry.object)).toString('utf8');
      if (links > mostLinks || target.length > longestTarget) return nowhere;
      if (target.startsWith('/') || /^[A-Za-z]:/.test(target)) return outside;
      for (const part of target.split('/').reverse()) waiting.push(part);
    }
    return trail.at(-1);
  }

  async function attempt<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof FileAccessError || !(error instanceof Error)) throw error;
      throw new FileAccessError(path, 'failed', { detail: error.message, cause: error });
    }
  }

  async function open(path: string): Promise<TreePlace> {
    const place = await find(path);
    if (place === undefined) throw new FileAccessError(path, 'not-found', { detail: 'not found' });
    if (place !== outside) return place;
    throw new FileAccessError(path, 'outside-root', { detail: 'is outside the repository' });
  }

  async function readBytes(path: string): Promise<Buffer> {
    const { type, name } = await open(path);
    if (type === 'file') return await objects.read(name);
    const detail = {
      directory: 'is a directory',
      submodule: 'is a submodule, whose files are in another repository',
    }[type as string];
    throw new FileAccessError(path, 'not-a-file', { detail: detail ?? 'is not a file' });
  }

  async function describe(directory: TreePlace, name: string, entry: GitTreeEntry): Promise<DirectoryEntry> {
    if (entry.type !== 'link') return { name, kind: kindOf(entry.type) };
    const place = await find([...directory.place, name].join('/'));
    if (place === outside) return { name, kind: 'other', escapes: true };
    if (place === undefined || place === nowhere) return { name, kind: 'other' };
    const [from, to] = [directory, place].map((end) => `/${end.place.join('/')}`);
    const target = posix.relative(from!, to!);
    return { name, kind: kindOf(place.type), target: target === '' ? '.' : target };
  }

  return {
    readText: (path) => attempt(path, async () => decodeText(path, await readBytes(path))),
    readBytes: (path) => attempt(path, () => readBytes(path)),
    list: (path) =>
      attempt(path, async () => {
        const directory = await open(path);
        if (directory.type !== 'directory') throw new FileAccessError(path, 'not-a-directory');
        const entries = [...(await openTree(directory.name))].toSorted(([a], [b]) => compareText(a, b));
        return await Promise.all(entries.map(([name, entry]) => describe(directory, name, entry)));
      }),
    kindOf: (path) =>
      attempt(path, async () => {
        const place = await find(path);
        if (place === outside) await open(path);
        return place === undefined ? undefined : kindOf(place.type);
      }),
  };
}

function kindOf(type: TreePlace['type']): EntryKind {
  return type === 'file' || type === 'directory' ? type : 'other';
}

interface GitTreeEntry {
  readonly type: 'file' | 'directory' | 'link' | 'submodule';
  /** The hexadecimal ID of its object. */
  readonly object: string;
}

const types: Readonly<Record<string, GitTreeEntry['type']>> = {
  '40000': 'directory',
  '100644': 'file',
  '100755': 'file',
  // Written by very old versions of git.
  '100664': 'file',
  '120000': 'link',
  '160000': 'submodule',
};

/** Parses a tree object: mode, space, name, NUL, and the bytes of an object ID for each entry. */
function readGitTree(bytes: Buffer, objectLength: number): ReadonlyMap<string, GitTreeEntry> {
  const entries = new Map<string, GitTreeEntry>();
  for (let at = 0; at < bytes.length;) {
    const [space, end] = [bytes.indexOf(0x20, at), bytes.indexOf(0, at)];
    const next = end + 1 + objectLength;
    if (space === -1 || end === -1 || space > end || next > bytes.length) throw new Error('git returned a broken tree');
    const type = types[bytes.toString('latin1', at, space).replace(/^0+/, '')];
    const name = bytes.toString('utf8', space + 1, end);
    // Git never creates such names, but it does not reject them when it reads a repository.
    if (type === undefined || name === '' || name === '.' || name === '..' || name.includes('/')) {
      throw new Error('git returned a tree with an invalid entry');
    }
    entries.set(name, { type, object: bytes.toString('hex', end + 1, next) });
    at = next;
  }
  return entries;
}
