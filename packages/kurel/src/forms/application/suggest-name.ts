import { nearest, quote } from '../../diagnostics/index.ts';

/** A hint for an unknown name: the name it resembles, or all known ones. */
export function suggestName(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near === undefined ? listNames(names) : `did you mean ${quote(near)}?`;
}

/** A hint with the known names, of which there is at least one. */
export function listNames(names: readonly string[]): string {
  return names.length === 1 ? `use ${names[0]!}` : `use one of ${names.join(', ')}`;
}
