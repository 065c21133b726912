import { claimOutput } from './claim-output.ts';
import type { OutputClaim } from './output-owner.ts';
import { readInventory, recordedPaths } from './output-inventory.ts';
import { requireDirectory, surroundingsOf } from './plan-output.ts';
import { reportFailure } from './report-failure.ts';

/** The location of an owner's files in an output directory. */
export interface OutputPlace {
  /** A subdirectory, or empty for the output directory itself. */
  readonly directory: string;
  /** Files of the owner that a partial build keeps, relative to that directory. */
  readonly kept: readonly string[];
}

/** An instance keeps its first location. Throws if the owner may not use the directory. */
export function findOutputPlace(directory: string, claim: OutputClaim): OutputPlace {
  return reportFailure(directory, () => {
    requireDirectory(directory);
    const surroundings = surroundingsOf(directory);
    const { own } = claimOutput(readInventory(directory), claim, surroundings);
    const start = own.directory === '' ? '' : `${own.directory}/`;
    const paths = claim.isPartial === true ? [...recordedPaths(own)].filter(surroundings.isFile) : [];
    const kept = paths.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
    return { directory: own.directory, kept: kept.toSorted() };
  });
}
