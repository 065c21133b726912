import type { Diagnostic, OutputFile } from '../model/index.ts';
import { planOutput } from './plan-output.ts';
import { reportFailure } from './report-failure.ts';

/** How a directory differs from what a build gives. Foreign files that differ count as changed. */
export interface OutputComparison {
  readonly added: readonly OutputFile[];
  readonly changed: readonly { readonly path: string; readonly before: string; readonly after: string }[];
  /** Written by the last run and no longer produced. */
  readonly removed: readonly OutputFile[];
  readonly unchanged: readonly string[];
  /** Warnings about files of the last run that are no longer produced and would stay, because they were edited. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Says what `writeOutputDirectory` would do, without doing it. */
export function compareOutputDirectory(directory: string, files: readonly OutputFile[]): OutputComparison {
  return reportFailure(directory, () => {
    const { added, changed, removed, unchanged, warnings } = planOutput(directory, files);
    return {
      added,
      changed: changed.map(({ path, text, before }) => ({ path, before: before.toString('utf8'), after: text })),
      removed: removed.map(({ path, before }) => ({ path, text: before.toString('utf8') })),
      unchanged,
      diagnostics: warnings,
    };
  });
}
