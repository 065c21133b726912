import { DiagnosticError } from '../diagnostics/index.ts';
import type { Diagnostic, OutputFile } from '../model/index.ts';
import type { OutputClaim } from './output-owner.ts';
import { planOutput } from './plan-output.ts';
import { reportFailure } from './report-failure.ts';

/** How a directory differs from the output of a build. Foreign files that differ count as changed. */
export interface OutputComparison {
  readonly added: readonly OutputFile[];
  readonly changed: readonly { readonly path: string; readonly before: string; readonly after: string }[];
  /** Written by an earlier build of the owner and no longer part of the output. */
  readonly removed: readonly OutputFile[];
  readonly unchanged: readonly string[];
  /** Warnings about files that are no longer part of the output, but would be kept because they were edited. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns what `writeOutputDirectory` would do, without doing it. Files of other owners are ignored. */
export function compareOutputDirectory(
  directory: string,
  files: readonly OutputFile[],
  claim: OutputClaim,
): OutputComparison {
  return reportFailure(directory, () => {
    const { added, changed, removed, unchanged, refusals, warnings } = planOutput(directory, files, claim);
    if (refusals.length > 0) throw new DiagnosticError(refusals);
    return {
      added: added.map(({ path, text }) => ({ path, text })),
      changed: changed.map(({ path, text, before }) => ({ path, before: before.toString('utf8'), after: text })),
      removed: removed.map(({ path, before }) => ({ path, text: before.toString('utf8') })),
      unchanged,
      diagnostics: warnings,
    };
  });
}
