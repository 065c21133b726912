import { isAbsolute, relative, resolve } from 'node:path';

import { findOutputPlace } from '../host/index.ts';
import type { OutputClaim } from '../host/index.ts';
import type { LayoutOptions } from '../index.ts';
import type { Destination } from './choose-destination.ts';
import type { Environment } from './environment.ts';

export interface DirectoryClaim {
  /** With the place that the output directory has for this build. */
  readonly layoutOptions: LayoutOptions;
  /** The claim of what was built, by the name of the package. */
  readonly claimOf: (name: string | undefined) => OutputClaim;
}

interface ClaimedBuild {
  /** What is built, as the user wrote it. */
  readonly paths: readonly string[];
  /** Whether flags drop objects. */
  readonly isPartial: boolean;
}

/** Whose files a build writes, and where in the directory they go. */
export function claimDirectory(
  destination: Destination,
  { paths, isPartial }: ClaimedBuild,
  environment: Environment,
): DirectoryClaim {
  const { path, target, layout, layoutOptions } = destination;
  let directory = '';
  const claimOf = (name: string | undefined): OutputClaim => {
    const instance = layoutOptions.instance ?? name ?? nameInput(paths, path ?? '.', environment);
    return { owner: { instance, layout }, directory, isPartial };
  };
  if (target !== 'directory' || path === undefined) return { layoutOptions, claimOf };
  const placeOf: LayoutOptions['placeOf'] = (name) => {
    const place = findOutputPlace(placeOnDisk(path, environment), claimOf(name));
    ({ directory } = place);
    return place;
  };
  return { layoutOptions: { ...layoutOptions, placeOf }, claimOf };
}

/** Input without a name goes by its way from the output, so that it is the same on every machine. */
function nameInput(paths: readonly string[], output: string, { workingDirectory }: Environment): string {
  const from = resolve(workingDirectory, output);
  const names = paths.map((path) => {
    if (path === '-') return 'stdin';
    const way = relative(from, resolve(workingDirectory, path));
    // On Windows there is no way from one drive to another.
    return (isAbsolute(way) ? path : way).replaceAll('\\', '/');
  });
  return names.join(' ');
}

/** Messages should have the path as it was written, which only works from the directory it was written in. */
export function placeOnDisk(path: string, { workingDirectory }: Environment): string {
  return workingDirectory === process.cwd() ? path : resolve(workingDirectory, path);
}
