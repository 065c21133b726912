import type { Diagnostic, OutputFile } from '../model/index.ts';
import { hostProblems } from './problems.ts';
import { findUnportable, foldPath, parentsOf } from './relative-path.ts';

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
      .find((earlier) => earlier !== undefined);
    if (other !== undefined) problems.push(hostProblems.create('output-path-collision', { path, other }));
  }
  return problems;
}
