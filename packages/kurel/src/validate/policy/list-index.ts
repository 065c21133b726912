/** An index of a list, built once because every object is compared with the same lists. */
export function indexList<Entry>(
  index: WeakMap<readonly string[], Entry>,
  list: readonly string[],
  make: (list: readonly string[]) => Entry,
): Entry {
  const known = index.get(list) ?? make(list);
  index.set(list, known);
  return known;
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

export function isListed(list: readonly string[], name: string): boolean {
  return indexList(sets, list, (names) => new Set(names)).has(name);
}

const shownEntries = 20;

/** The entries for a hint; a policy may list thousands. */
export function showList(list: readonly string[]): string {
  if (list.length === 0) return 'none';
  const shown = list.slice(0, shownEntries).join(', ');
  return list.length > shownEntries ? `${shown} and ${list.length - shownEntries} more` : shown;
}
