import type { Diagnostic, OutputFile } from '../model/index.ts';
import { hostProblems } from './problems.ts';
import { findUnportable } from './relative-path.ts';

/** Checks output paths without looking at the disk. */
export function checkOutputPaths(files: readonly Pick<OutputFile, 'path'>[]): readonly Diagnostic[] {
  const problems: Diagnostic[] = [];
  const seen = new Map<string, string>();
  for (const { path } of files) {
    const reason = findUnportable(path);
    if (reason !== undefined) problems.push(hostProblems.create('output-path-refused', { path, reason }));
    const other = seen.get(foldPath(path));
    if (other !== undefined) problems.push(hostProblems.create('output-path-collision', { path, other }));
    else seen.set(foldPath(path), path);
  }
  for (const { path } of files) {
    const other = parentsOf(path)
      .map((parent) => seen.get(foldPath(parent)))
      .find((found) => found !== undefined);
    if (other !== undefined) problems.push(hostProblems.create('output-path-collision', { path, other }));
  }
  return problems;
}

/** The directories of a relative path, outermost first: `a`, `a/b` for `a/b/c`. */
export function parentsOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** The form in which file systems that ignore case and composition (NTFS, APFS) compare names. */
export function foldPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
