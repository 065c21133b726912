import { inject } from 'vitest';

/** How many of the wanted cases a property tries in this run, for what is expected of all of them together. */
export function propertyRuns(wanted: number): number {
  return Math.min(wanted, inject('mostPropertyRuns') ?? wanted);
}
