import system, { type PlatformPath } from 'node:path';

import { toSlashes } from '../host/index.ts';

export interface InputPlace {
  readonly output: string;
  readonly workingDirectory: string;
  readonly platform?: PlatformPath;
}

/** Input without a name goes by its way from the output, so that it is the same on every machine. */
export function nameInput(
  paths: readonly string[],
  { output, workingDirectory, platform = system }: InputPlace,
): string {
  const from = platform.resolve(workingDirectory, output);
  const names = paths.map((path) => {
    if (path === '-') return 'stdin';
    const way = platform.relative(from, platform.resolve(workingDirectory, path));
    // On Windows there is no way from one drive to another.
    return toSlashes(platform.isAbsolute(way) ? path : way, platform);
  });
  return names.join(' ');
}
