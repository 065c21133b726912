import { nearest, quote } from '../../diagnostics/index.ts';

/** A hint for an unknown name: the name it resembles, or all known ones. */
export function suggestName(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? listNames(known) : `did you mean ${quote(near)}?`;
}

/** A hint with the known names, of which there is at least one. */
export function listNames(known: readonly string[]): string {
  return known.length === 1 ? `use ${known[0]!}` : `use one of ${known.join(', ')}`;
}
