import { spend } from '../budget/index.ts';
import type { Budget, Location, Path } from '../model/index.ts';

/** Draws on the budget of the run for everything that multiplies in a fleet, and ends with the entry at which it runs out. */
export interface FleetSteps {
  /** Steps that take about the same time each. */
  readonly take: (count: number, path: Path) => void;
  /** Text that is copied or compared. */
  readonly takeText: (characters: number, path: Path) => void;
  /** Files or directories that are looked up on the disk. */
  readonly takeLookUp: (path: Path) => void;
  /** Comparisons of characters with patterns. */
  readonly takePattern: (count: number, path: Path) => void;
}

/** Text takes little time, but it is printed for each target. */
export const charactersPerStep = 16;
/** The disk takes this much longer than memory. */
const stepsPerLookUp = 40;

export function createFleetSteps(budget: Budget, locate: (path: Path) => Location): FleetSteps {
  const take: FleetSteps['take'] = (count, path) => spend(budget, 'fleetSteps', count, () => locate(path));
  return {
    take,
    takeText: (characters, path) => take(characters / charactersPerStep, path),
    takeLookUp: (path) => take(stepsPerLookUp, path),
    takePattern: (count, path) => spend(budget, 'patternSteps', count, () => locate(path)),
  };
}
