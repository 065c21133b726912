import { parseCLI } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** How many cases a property tries at most; as many as it wants when undefined. */
    mostPropertyRuns: number | undefined;
  }
}

/**
 * Whether a run is of some modules, as in `vitest run packages/kurel/src/yaml`. Somebody is editing them and waits for it, so it
 * leaves out what takes long. A complete run does everything, and so does one of test files that are named.
 */
export function isOfModules(words: readonly string[]): boolean {
  const { filter } = parseCLI(['vitest', ...words]);
  return filter.some((word) => !/\.ts(?::\d+)?$/.test(word));
}

/** In a run of modules. */
export const fewPropertyRuns = 50;
