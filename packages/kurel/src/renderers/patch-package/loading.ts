import { FileAccessError } from '../../model/index.ts';
import type { FileSystem, Report, SourceFile } from '../../model/index.ts';
import { joinPath } from '../paths.ts';
import { findLinksOut, listFiles } from './list-files.ts';
import { packageProblems } from './problems.ts';

export interface PackageRequest {
  readonly fileSystem: FileSystem;
  /** The directory of the package. */
  readonly path: string;
  /** The directory of the local extension, or `false` for none; unless given, the one beside the package if it is there. */
  readonly local?: string | false | undefined;
}

/** Of all files of a package together, in characters. */
export const mostText = 50 * 1024 * 1024;

/** Reads the files of one directory, and remembers whether something was wrong. */
export interface Loading {
  readonly root: string;
  readonly report: Report;
  /** The paths below a folder, in order. */
  list(folder: string): Promise<readonly string[]>;
  /** `undefined` when the file is not there, or cannot be read, which is told. */
  read(file: string): Promise<SourceFile | undefined>;
  readAll(folder: string, names: RegExp): Promise<readonly SourceFile[]>;
  failed(): boolean;
  /** Characters that were read. */
  size(): number;
}

export function createLoading({ fileSystem, path: root }: PackageRequest, report: Report): Loading {
  let failed = false;
  let size = 0;
  let links: Promise<ReadonlySet<string>> | undefined;
  /** Asked before anything is opened by its name; what a walk finds is looked at there. */
  async function isBarred(name: string): Promise<boolean> {
    links ??= findLinksOut({ fileSystem, root, report: loading.report });
    const barred = await links;
    const parts = name.split('/');
    return parts.some((_, index) => barred.has(parts.slice(0, index + 1).join('/')));
  }
  const loading: Loading = {
    root,
    report(diagnostic) {
      if (diagnostic.severity === 'error') failed = true;
      report(diagnostic);
    },
    async list(folder) {
      if (await isBarred(folder)) return [];
      return await listFiles(folder, { fileSystem, root, report: loading.report });
    },
    async read(file) {
      const path = joinPath(root, file);
      try {
        if ((await isBarred(file)) || (await fileSystem.kindOf(path)) === undefined) return undefined;
        const text = await fileSystem.readText(path);
        size += text.length;
        return { path, text };
      } catch (error) {
        if (!(error instanceof FileAccessError)) throw error;
        const place = { location: { file: path } };
        loading.report(packageProblems.create('package-file-unreadable', { reason: error.message }, place));
        return undefined;
      }
    },
    async readAll(folder, names) {
      const files: SourceFile[] = [];
      for (const name of await loading.list(folder)) {
        const file = names.test(name) ? await loading.read(`${folder}/${name}`) : undefined;
        if (file !== undefined) files.push(file);
        if (size > mostText) break;
      }
      return files;
    },
    failed: () => failed,
    size: () => size,
  };
  return loading;
}
