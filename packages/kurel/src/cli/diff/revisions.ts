import { existsSync } from 'node:fs';
import { posix, resolve } from 'node:path';

import { DiagnosticError } from '../../diagnostics/index.ts';
import { hostProblems } from '../../host/index.ts';
import type { GitRepository, GitRevision } from '../../host/index.ts';
import { FileAccessError } from '../../model/index.ts';
import type { FileSystem } from '../../model/index.ts';
import { lendFiles } from './lend-files.ts';
import type { Environment } from '../environment.ts';
import { openRepositoryOf } from '../open-repository.ts';
import { openWorld } from '../open-world.ts';
import type { InputWorld } from '../open-world.ts';

/** Paths in revisions of git. Internally, each revision is a directory, so that paths can be joined and split. */
export interface Revisions {
  /** `main:shop` as a path of `openWorld`; other paths unchanged. Throws a `DiagnosticError` for an unreadable revision. */
  locate(text: string): Promise<string>;
  /** The files that an input can be built from: the disk or the revisions, depending on its path, and files of flags in either. */
  openWorld(path: string, named: readonly string[]): InputWorld;
  /** A text with the paths as the user wrote them. */
  show(text: string): string;
  close(): void;
}

interface Opened extends GitRevision {
  readonly revision: string;
}

const located = /^(?:\.\/)?@git-(\d+)(?:\/([^]*))?$/;

export function openRevisions(environment: Environment): Revisions {
  const { workingDirectory, progress } = environment;
  const opened: Opened[] = [];
  let repository: GitRepository | undefined;

  async function open(revision: string): Promise<number> {
    const index = opened.findIndex((entry) => entry.revision === revision);
    if (index !== -1) return index;
    const reader = (repository ??= openRepositoryOf(environment));
    const { fileSystem, place } = await waitForGit(() => reader.openRevision(revision));
    opened.push({ revision, place, fileSystem: progress?.observeFiles(fileSystem) ?? fileSystem });
    return opened.length - 1;
  }

  async function waitForGit<Result>(ask: () => Result): Promise<Awaited<Result>> {
    return await (progress === undefined ? ask() : progress.wait('git', ask));
  }

  /** A path in a revision that was opened; there may be files on the disk with such a name. */
  function find(path: string): { readonly files: FileSystem; readonly inside: string } | undefined {
    const [, index, inside = ''] = located.exec(path) ?? [];
    const files = index === undefined ? undefined : opened[Number(index)]?.fileSystem;
    return files === undefined ? undefined : { files, inside };
  }

  function divert(disk: FileSystem, isThere: (path: string) => boolean): FileSystem {
    const place = (path: string): { readonly files: FileSystem; readonly inside: string } | undefined =>
      isThere(path) ? (find(path) ?? { files: disk, inside: path }) : undefined;
    const attempt = async <Result>(
      path: string,
      work: (files: FileSystem, inside: string) => PromiseLike<Result> | Result,
    ): Promise<Result> => {
      const { files, inside } = place(path) ?? {};
      if (files === undefined) throw new FileAccessError(path, 'not-found');
      try {
        return await (files === disk ? work(files, inside!) : waitForGit(() => work(files, inside!)));
      } catch (error) {
        if (!(error instanceof FileAccessError) || inside === path) throw error;
        throw new FileAccessError(path, error.reason, { detail: error.detail, cause: error });
      }
    };
    return {
      readText: (path) => attempt(path, (files, inside) => files.readText(inside)),
      readBytes: (path) => attempt(path, (files, inside) => files.readBytes!(inside)),
      list: (path) => attempt(path, (files, inside) => files.list(inside)),
      kindOf: async (path) =>
        place(path) === undefined ? undefined : await attempt(path, (files, inside) => files.kindOf(inside)),
      packageAt: (path) => disk.packageAt?.(path),
    };
  }

  const isLocated = (path: string): boolean => find(path) !== undefined;

  return {
    async locate(text) {
      const split = splitRevision(text);
      if (split === undefined || existsSync(resolve(workingDirectory, text))) return text;
      const { revision, path } = split;
      const index = await open(revision);
      const isRelative = /^\.\.?(?:\/|$)/.test(path);
      const full = posix.normalize(`./${isRelative ? opened[index]!.place : '.'}/${path}`).replace(/\/+$/, '');
      if (full === '..' || full.startsWith('../')) {
        const reason = 'its path points outside the repository';
        throw new DiagnosticError([hostProblems.create('revision-unreadable', { revision, reason })]);
      }
      return full === '.' ? `@git-${index}` : `@git-${index}/${full}`;
    },
    openWorld(path, named) {
      const { fileSystem, valueFiles, programs } = openWorld(environment);
      const isThere = (file: string): boolean =>
        isLocated(file) === isLocated(path) ||
        named.some((name) => `${file}/`.startsWith(`${name.replace(/\/+$/, '')}/`));
      const lent = lendFiles(programs, divert(fileSystem, isThere), isLocated);
      return { ...lent, valueFiles: divert(valueFiles, () => true) };
    },
    show: (text) =>
      text.replaceAll(/(?:\.\/)?@git-(\d+)(?:\/|(?![\w-]))/g, (whole, index: string) => {
        const revision = opened[Number(index)]?.revision;
        return revision === undefined ? whole : `${revision}:`;
      }),
    close: () => repository?.close(),
  };
}

/** At the first colon, as in git; `^{/fix: it}` keeps its own. URLs, Windows drives and paths are not revisions. */
function splitRevision(text: string): { readonly revision: string; readonly path: string } | undefined {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\/|^[A-Za-z]:[\\/]|^\.{0,2}\//.test(text)) return undefined;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '{') depth += 1;
    if (text[index] === '}') depth -= 1;
    if (text[index] === ':' && depth <= 0) return { revision: text.slice(0, index), path: text.slice(index + 1) };
  }
  return undefined;
}
