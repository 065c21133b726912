import { reportExhaustion } from '../budget/index.ts';
import type { KubeObject } from '../model/index.ts';
import type { PatchOptions, PatchResult } from './application.ts';
import { applyFile } from './apply/apply-file.ts';
import { finishRun } from './apply/finish-run.ts';
import { startRun } from './apply/patch-run.ts';
import { reportConflicts } from './apply/report-conflicts.ts';
import type { PatchFile } from './patch.ts';

/** New objects with all patches applied, file after file. Nothing given is changed; an error leaves every object as it was. */
export function applyPatches(
  objects: readonly KubeObject[],
  files: readonly PatchFile[],
  options: PatchOptions,
): PatchResult {
  const run = startRun(objects, options);
  const conflicts = reportExhaustion(() => {
    for (const file of files) applyFile(file, run);
    return options.conflicts === true ? reportConflicts(run) : [];
  }, run.report);
  const result = finishRun(run, conflicts ?? []);
  for (const diagnostic of run.limit.omitted()) options.report(diagnostic);
  return result;
}
