import { didYouMean, nearest } from '../../diagnostics/index.ts';

/** A hint for an unknown name: the name it resembles, or all known ones. */
export function suggestName(name: string, names: readonly string[]): string {
  return didYouMean(nearest(name, names)) ?? listNames(names);
}

/** A hint with the known names, of which there is at least one. */
export function listNames(names: readonly string[]): string {
  return names.length === 1 ? `use ${names[0]!}` : `use one of ${names.join(', ')}`;
}
