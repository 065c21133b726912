import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiagnosticError } from '../diagnostics/index.ts';
import type { OutputFile } from '../model/index.ts';
import { formatInventory, inventoryName } from './output-inventory.ts';
import { planOutput } from './plan-output.ts';
import { replaceFiles } from './replace-files.ts';
import { reportFailure } from './report-failure.ts';

export interface OutputSummary {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
}

/**
 * Makes the directory hold exactly these files, beside whatever foreign files it has: all of it or, when anything fails,
 * none. Files of the last run that are no longer given are removed; files that are already right are not touched.
 */
export function writeOutputDirectory(directory: string, files: readonly OutputFile[]): OutputSummary {
  return reportFailure(directory, () => {
    const plan = planOutput(directory, files);
    if (plan.problems.length > 0) throw new DiagnosticError(plan.problems);
    const text = formatInventory(files.map((file) => file.path));
    const before = readIfThere(join(directory, inventoryName));
    const summary = {
      added: plan.added.length,
      changed: plan.changed.length,
      removed: plan.removed.length,
      unchanged: plan.unchanged.length,
    };
    if (before === text && summary.added + summary.changed + summary.removed === 0) return summary;
    replaceFiles(directory, { plan, inventory: { path: inventoryName, text, exists: before !== undefined } });
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
