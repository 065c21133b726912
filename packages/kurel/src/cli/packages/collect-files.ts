import { largestContent } from '../../archive/index.ts';
import type { ArchiveFile } from '../../archive/index.ts';
import { isLeftOut } from '../../artifact/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import { inventoryName } from '../../host/index.ts';
import type { Diagnostic, DirectoryEntry, FileSystem } from '../../model/index.ts';
import { fileProblem } from '../file-problem.ts';
import { cliProblems } from '../problems.ts';

/**
 * All files of a package directory, with paths relative to it, except hidden ones, local extensions and output of kurel. Throws a
 * `DiagnosticError` with everything that cannot be part of a package.
 */
export async function collectFiles(path: string, fileSystem: FileSystem): Promise<readonly ArchiveFile[]> {
  const root = path.replace(/\/+$/, '');
  const files: ArchiveFile[] = [];
  const problems: Diagnostic[] = [];
  let size = 0;

  function refuse(path: string, reason: string, hint?: string): void {
    const location = { file: `${root}/${path}` };
    problems.push(cliProblems.create('push-file-refused', { path: location.file, reason, hint }, { location }));
  }

  async function add(path: string): Promise<void> {
    // Everything beyond it is too much, so nothing more is read.
    if (size > largestContent) return;
    try {
      const bytes = await fileSystem.readBytes!(`${root}/${path}`);
      size += bytes.length;
      files.push({ path, bytes });
      if (size > largestContent) refuse(path, `the package has more than ${largestContent / 1_048_576} MiB`);
    } catch (error) {
      problems.push(fileProblem(error));
    }
  }

  async function walk(directory: string): Promise<void> {
    for (const entry of await list(directory)) {
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (isLeftOut(entry.name)) continue;
      if (entry.target !== undefined || entry.escapes === true) refuse(path, 'it is a link', 'replace it with a copy');
      else if (entry.kind === 'other') refuse(path, 'it is a broken link, a device, a pipe or a socket', 'remove it');
      else if (entry.kind === 'file') await add(path);
      else await walk(path);
    }
  }

  async function list(directory: string): Promise<readonly DirectoryEntry[]> {
    try {
      const entries = await fileSystem.list(directory === '' ? root : `${root}/${directory}`);
      const isOutput = directory !== '' && entries.some(({ name }) => name === inventoryName);
      return isOutput ? [] : entries;
    } catch (error) {
      problems.push(fileProblem(error));
      return [];
    }
  }

  await walk('');
  if (problems.length > 0) throw new DiagnosticError(problems);
  return files;
}
