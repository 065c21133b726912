import { claimOutput } from './claim-output.ts';
import type { OutputClaim } from './output-owner.ts';
import { readInventory, recordedPaths } from './output-inventory.ts';
import { requireDirectory, surroundingsOf } from './plan-output.ts';
import { reportFailure } from './report-failure.ts';

/** Where the files of an owner go in an output directory. */
export interface OutputPlace {
  /** Where the files begin; empty for the output directory itself. */
  readonly directory: string;
  /** Files of the owner that stay if they are not written again, as paths in that place. */
  readonly kept: readonly string[];
}

/** An instance stays where it was first written. Throws when the directory is not for the owner. */
export function findOutputPlace(directory: string, { owner, isPartial }: OutputClaim): OutputPlace {
  return reportFailure(directory, () => {
    requireDirectory(directory);
    const surroundings = surroundingsOf(directory);
    const { own } = claimOutput(readInventory(directory), owner, surroundings);
    const start = own.directory === '' ? '' : `${own.directory}/`;
    const paths = isPartial === true ? [...recordedPaths(own)].filter(surroundings.isFile) : [];
    const kept = paths.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
    return { directory: own.directory, kept: kept.toSorted() };
  });
}
