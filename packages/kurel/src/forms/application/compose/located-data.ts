import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, Location, Path } from '../../../model/index.ts';

/** Data and where its author wrote it. */
export interface LocatedData {
  readonly data: Json;
  readonly locate: (path: Path) => Location;
  /** The parameters that determine the value at a path. */
  readonly referencesAt?: ((path: Path) => readonly string[]) | undefined;
  /** Whether the value at a path is a string with references inside. */
  readonly isMixedAt?: ((path: Path) => boolean) | undefined;
}

/** How many steps of the path exist in the data. */
function reach(data: Json | undefined, path: Path): number {
  let value = data;
  for (const [depth, step] of path.entries()) {
    value = enter(value, step);
    if (value === undefined) return depth;
  }
  return path.length;
}

export function holds(data: Json | undefined, path: Path): boolean {
  return data !== undefined && reach(data, path) === path.length;
}

/** The value at a path, if there is one. */
export function dataAt(data: Json | undefined, path: Path): Json | undefined {
  let value = data;
  for (const step of path) value = enter(value, step);
  return value;
}

function enter(value: Json | undefined, step: string | number): Json | undefined {
  if (isJsonArray(value)) return value[Number(step)];
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** The location of the last step of the path that exists. */
export function locateNearest({ data, locate }: LocatedData, path: Path): Location {
  return locate(path.slice(0, reach(data, path)));
}
