import { FileAccessError } from '../model/index.ts';
import type { FileSystem, Report } from '../model/index.ts';
import { fileProblem } from './file-problem.ts';
import { cliProblems } from './problems.ts';

const deepest = 100;

/**
 * The `.kpatch` files in a directory and below, by path. Hidden ones are passed over, and so are links: what they lead to is
 * formatted where it is.
 */
export async function findKpatchFiles(
  directory: string,
  fileSystem: FileSystem,
  report: Report,
): Promise<readonly string[]> {
  const found: string[] = [];
  const pending = [directory];
  const start = directory.split('/').length;
  let hasFailed = false;
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    if (current.split('/').length - start > deepest) {
      report(fileProblem(new FileAccessError(current, 'failed', { detail: `is in more than ${deepest} directories` })));
      hasFailed = true;
      continue;
    }
    const prefix = current === '.' ? '' : `${current.replace(/\/+$/, '')}/`;
    try {
      for (const { name, kind, target } of await fileSystem.list(current)) {
        if (name.startsWith('.') || target !== undefined) continue;
        if (kind === 'directory') pending.push(`${prefix}${name}`);
        else if (kind === 'file' && name.endsWith('.kpatch')) found.push(`${prefix}${name}`);
      }
    } catch (error) {
      report(fileProblem(error));
      hasFailed = true;
    }
  }
  if (found.length === 0 && !hasFailed) report(cliProblems.create('fmt-nothing', { path: directory }));
  return found.toSorted((a, b) => (a < b ? -1 : 1));
}
