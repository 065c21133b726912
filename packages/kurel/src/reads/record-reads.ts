import { getOrAdd } from '../budget/index.ts';
import { sha256 } from '../engine/index.ts';
import { compareText, FetchError, FileAccessError, ProgramError } from '../model/index.ts';
import { ifReadable } from './if-readable.ts';
import type {
  Awaitable,
  Diagnostic,
  DirectoryEntry,
  EntryKind,
  Fetcher,
  FetchFailure,
  FileAccessReason,
  FileSystem,
  ProgramCall,
  ProgramRunner,
  SourceFile,
} from '../model/index.ts';

/** How a path was read: only its kind, the content of the file, or the names in the directory. */
export type Look = 'kind' | 'content' | 'names';

export type Read =
  | { readonly type: 'file'; readonly path: string; readonly sha256: string }
  | { readonly type: 'directory'; readonly path: string; readonly entries: readonly DirectoryEntry[] }
  /** Only the kind of the path was queried, or that it does not exist. */
  | { readonly type: 'kind'; readonly path: string; readonly kind: EntryKind | 'absent' }
  /** The path could not be read, listed or queried. */
  | { readonly type: 'failure'; readonly path: string; readonly look: Look; readonly reason: FileAccessReason }
  /** The version is absent if the program does not print one. */
  | { readonly type: 'program'; readonly program: ProgramCall['program']; readonly version: string | undefined }
  /** An environment variable passed to a program; absent if it is not set. Values may be secret, so only a digest is kept. */
  | { readonly type: 'variable'; readonly name: string; readonly sha256: string | undefined }
  /** A package in a registry by its digest, which stands for everything that was read from it. */
  | { readonly type: 'package'; readonly reference: string }
  | { readonly type: 'url'; readonly url: string; readonly sha256: string }
  | { readonly type: 'url-failure'; readonly url: string; readonly failure: FetchFailure };

interface World {
  readonly fileSystem: FileSystem;
  readonly programs?: ProgramRunner | undefined;
  readonly fetcher?: Fetcher | undefined;
}

/** Called before each read, for callers that compare the current state with an earlier one. */
export interface ReadObserver {
  readonly note: (path: string, look: Look) => void;
  readonly noteProgram: (call: ProgramCall) => void;
}

/** The same, with a record of everything that was read. */
interface RecordedWorld extends World {
  /** Keeps a text that was not read from a file. */
  readonly remember: (source: SourceFile) => void;
  /** The texts that diagnostics point into, as they were read, for showing excerpts. */
  readonly sourcesOf: (diagnostics: readonly Diagnostic[]) => Promise<readonly SourceFile[]>;
  /** All reads, sorted. Digests are computed here, because few callers need them and a build should not wait. */
  readonly reads: () => Promise<readonly Read[]>;
}

export function recordReads({ fileSystem, programs, fetcher }: World, observer?: ReadObserver): RecordedWorld {
  const contents = new Map<string, string | Uint8Array>();
  const listings = new Map<string, readonly DirectoryEntry[]>();
  const kinds = new Map<string, EntryKind | undefined>();
  const failures = new Map<string, Read>();
  const calls: ProgramCall[] = [];
  const variables = new Map<string, string | undefined>();
  const fetched = new Map<string, Uint8Array | FetchFailure>();
  const texts = new Map<string, string>();

  /** Calls the methods of the file system instead of copying them: copying a class instance would lose its methods. */
  async function ask<Value>(path: string, look: Look, answer: () => Awaitable<Value>): Promise<Value> {
    observer?.note(path, look);
    try {
      return await answer();
    } catch (error) {
      if (error instanceof FileAccessError) {
        failures.set(`${look} ${path}`, { type: 'failure', path, look, reason: error.reason });
      }
      throw error;
    }
  }

  async function readBytes(path: string): Promise<Uint8Array> {
    const bytes = await ask(path, 'content', () => fileSystem.readBytes!(path));
    contents.set(path, bytes);
    return bytes;
  }

  return {
    fileSystem: {
      ...(fileSystem.readBytes === undefined ? {} : { readBytes }),
      async readText(path) {
        const text = await ask(path, 'content', () => fileSystem.readText(path));
        contents.set(path, text);
        return text;
      },
      async list(path) {
        const entries = await ask(path, 'names', () => fileSystem.list(path));
        listings.set(path, entries);
        return entries;
      },
      async kindOf(path) {
        const kind = await ask(path, 'kind', () => fileSystem.kindOf(path));
        kinds.set(path, kind);
        return kind;
      },
      packageAt: (path) => fileSystem.packageAt?.(path),
    },
    programs: programs && {
      async run(call) {
        observer?.noteProgram(call);
        calls.push(call);
        const result = await programs.run(call);
        for (const [name, value] of Object.entries(result.variables ?? {})) variables.set(name, value);
        return result;
      },
    },
    fetcher: fetcher && {
      fetch: async (request) => {
        try {
          const answer = await fetcher.fetch(request);
          fetched.set(request.url, answer.bytes);
          return answer;
        } catch (error) {
          if (error instanceof FetchError) fetched.set(request.url, error.failure);
          throw error;
        }
      },
    },
    remember: ({ path, text }) => void texts.set(path, text),
    async sourcesOf(diagnostics) {
      const sources: SourceFile[] = [];
      for (const path of filesOf(diagnostics)) {
        const content = texts.get(path) ?? contents.get(path);
        const text =
          typeof content === 'string' ? content : await ifReadable(() => fileSystem.readText(path), undefined);
        if (text !== undefined) sources.push({ path, text });
      }
      return sources;
    },
    async reads() {
      // Programs read files on their own; files that the build has read keep their content.
      const near = await readNear(calls, fileSystem, contents.keys());
      const all: Read[] = [...failures.values()];
      for (const [path, content] of new Map([...near.contents, ...contents])) {
        all.push({ type: 'file', path, sha256: sha256(content) });
      }
      for (const [path, entries] of new Map([...near.listings, ...listings])) {
        all.push({ type: 'directory', path, entries });
      }
      for (const [path, kind] of kinds) all.push({ type: 'kind', path, kind: kind ?? 'absent' });
      for (const program of new Set(calls.map((call) => call.program))) {
        all.push({ type: 'program', program, version: await findVersion(program, programs!) });
      }
      for (const [name, value] of variables) {
        all.push({ type: 'variable', name, sha256: value === undefined ? undefined : sha256(value) });
      }
      for (const [url, answer] of fetched) {
        if (typeof answer === 'string') all.push({ type: 'url-failure', url, failure: answer });
        else all.push({ type: 'url', url, sha256: sha256(answer) });
      }
      return sortReads(joinPackages(all, fileSystem));
    },
  };
}

/** The files that diagnostics point into. */
export function filesOf(diagnostics: readonly Diagnostic[]): ReadonlySet<string> {
  return new Set(
    diagnostics.flatMap(({ location, related = [] }) => [
      ...(location === undefined ? [] : [location.file]),
      ...related.map((place) => place.location.file),
    ]),
  );
}

/** Everything that was read from a package in a registry, as one read. */
function joinPackages(reads: readonly Read[], fileSystem: FileSystem): readonly Read[] {
  if (fileSystem.packageAt === undefined) return reads;
  const references = new Set<string>();
  const others = reads.filter((read) => {
    const origin = 'path' in read ? fileSystem.packageAt!(read.path) : undefined;
    if (origin !== undefined) references.add(origin.pinned);
    return origin === undefined;
  });
  return [...others, ...Array.from(references, (reference) => ({ type: 'package' as const, reference }))];
}

/** A fixed order, independent of the order of reading. */
function sortReads(reads: readonly Read[]): readonly Read[] {
  const keyed = reads.map((read) => ({ read, key: JSON.stringify(read) }));
  return keyed.toSorted((a, b) => compareText(a.key, b.key)).map(({ read }) => read);
}

// A version is queried once: it is not expected to change while the process runs.
const versions = new WeakMap<ProgramRunner, Map<string, Promise<string | undefined>>>();

export async function findVersion(
  program: ProgramCall['program'],
  programs: ProgramRunner,
): Promise<string | undefined> {
  const answers = getOrAdd(versions, programs, () => new Map<string, Promise<string | undefined>>());
  return await getOrAdd(answers, program, () => askVersion(program, programs));
}

async function askVersion(program: ProgramCall['program'], programs: ProgramRunner): Promise<string | undefined> {
  try {
    const flags = { helm: ['--short'], kustomize: [], kubectl: ['--client'] }[program];
    const args = ['version', ...flags];
    const { exitCode, stdout } = await programs.run({ program, args });
    return exitCode === 0 ? stdout.trim() : undefined;
  } catch (error) {
    if (error instanceof ProgramError) return undefined;
    throw error;
  }
}

const kustomizationFile = /^(?:(.*)[\\/])?(?:kustomization\.ya?ml|Kustomization)$/s;

/**
 * The directories and files that a program may read on its own: those in its arguments, and those of kustomizations that the
 * build has read before.
 */
export function rootsOf({ args }: ProgramCall, readFiles: Iterable<string>): readonly string[] {
  const roots = new Set(args.filter((argument) => /^[./]/.test(argument)));
  for (const file of readFiles) {
    const match = kustomizationFile.exec(file);
    if (match !== null) roots.add(match[1] ?? '.');
  }
  return [...roots];
}

/** Directories that programs do not read: they are large and not written by package authors. */
export function isForeign(name: string): boolean {
  return name === 'node_modules' || name === '.git' || /^\.kurel-(?:staging-|lock)/.test(name);
}

interface NearFiles {
  readonly contents: ReadonlyMap<string, string | Uint8Array>;
  readonly listings: ReadonlyMap<string, readonly DirectoryEntry[]>;
}

// Far more than any chart has.
const mostPaths = 50_000;

/** The files that the programs of some calls may have read. */
export async function readNear(
  calls: readonly ProgramCall[],
  fileSystem: FileSystem,
  readFiles: Iterable<string>,
): Promise<NearFiles> {
  const contents = new Map<string, string | Uint8Array>();
  const listings = new Map<string, readonly DirectoryEntry[]>();
  const files = [...readFiles];
  // In the notation of the build, so that no file is listed twice.
  const pending = calls.flatMap((call) => rootsOf(call, files).map((root) => root.replace(/^(?:\.\/+)+/, '') || '.'));
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (contents.size + listings.size > mostPaths || contents.has(path) || listings.has(path)) continue;
    try {
      const kind = await fileSystem.kindOf(path);
      if (kind === 'file') {
        contents.set(path, await (fileSystem.readBytes?.(path) ?? fileSystem.readText(path)));
      }
      if (kind !== 'directory') continue;
      const entries = await fileSystem.list(path);
      listings.set(path, entries);
      for (const { name, kind: inner, target } of entries) {
        // A link to a directory may create a loop.
        const isFollowed = !isForeign(name) && !(inner === 'directory' && target !== undefined);
        if (isFollowed) pending.push(path === '.' ? name : `${path}/${name}`);
      }
    } catch (error) {
      // Some arguments only look like paths.
      if (!(error instanceof FileAccessError)) throw error;
    }
  }
  return { contents, listings };
}
