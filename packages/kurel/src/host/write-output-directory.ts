import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DiagnosticError } from '../diagnostics/index.ts';
import type { Diagnostic, OutputFile } from '../model/index.ts';
import { holdSignals } from './hold-signals.ts';
import { digestsOf, formatInventory, formatPending, inventoryName } from './output-inventory.ts';
import { placeDirectory } from './place-directory.ts';
import { planOutput } from './plan-output.ts';
import { replaceFiles } from './replace-files.ts';
import { reportFailure } from './report-failure.ts';
import { removeStaleStagings } from './staging-directory.ts';

export interface OutputSummary {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Warnings about files of the last run that are no longer produced and stay, because they were edited. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Makes the directory hold exactly these files, beside whatever foreign files it has: all of it or, when anything fails,
 * none, and a signal waits until it is done. A process that is killed leaves a directory that is not there yet as it is; in
 * one that is there, it may have exchanged some of the files, each of them whole, and the next run does the rest. Files of the
 * last run that are no longer given are removed if they are still as they were written; files that are already right are not
 * touched.
 */
export function writeOutputDirectory(directory: string, files: readonly OutputFile[]): OutputSummary {
  return reportFailure(directory, () => {
    const plan = planOutput(directory, files);
    if (plan.problems.length > 0) throw new DiagnosticError(plan.problems);
    const digests = digestsOf(files);
    const text = formatInventory(digests);
    const before = readIfThere(join(directory, inventoryName));
    const summary = {
      added: plan.added.length,
      changed: plan.changed.length,
      removed: plan.removed.length,
      unchanged: plan.unchanged.length,
      diagnostics: plan.warnings,
    };
    removeStaleStagings(directory);
    removeStaleStagings(dirname(directory));
    if (before === text && summary.added + summary.changed + summary.removed === 0) return summary;
    const release = holdSignals();
    try {
      if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) {
        placeDirectory(directory, [...files, { path: inventoryName, text }]);
      } else {
        const inventory = { path: inventoryName, text, exists: before !== undefined };
        replaceFiles(directory, { plan, pending: formatPending(plan.before, digests), inventory });
      }
    } finally {
      release();
    }
    return summary;
  });
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
