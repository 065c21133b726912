export interface Identified<Value> {
  readonly id: string;
  readonly value: Value;
}

export interface Order {
  /** Identities as the patch has them; they come in this order, one after the other. */
  readonly wanted: readonly string[];
  /** Identities as the object has them. Items that the patch does not name keep this order. */
  readonly before: readonly string[];
}

/**
 * Kubernetes' order of a merged list: named and other items are two sequences, and the next of the others comes first only
 * when the object has both next ones and has it in front.
 */
export function orderItems<Value>(
  items: readonly Identified<Value>[],
  { wanted, before }: Order,
): readonly Identified<Value>[] {
  const wantedAt = firstPositions(wanted);
  const beforeAt = firstPositions(before);
  const named = sortBy(wantedAt, (id) => wantedAt.has(id));
  const others = sortBy(beforeAt, (id) => !wantedAt.has(id));
  const ordered: Identified<Value>[] = [];
  let next = 0;
  for (const item of named) {
    const position = beforeAt.get(item.id) ?? -1;
    for (; next < others.length && (beforeAt.get(others[next]!.id) ?? Infinity) < position; next += 1) {
      ordered.push(others[next]!);
    }
    ordered.push(item);
  }
  for (const item of others.slice(next)) ordered.push(item);
  return ordered;

  function sortBy(positions: ReadonlyMap<string, number>, belongs: (id: string) => boolean) {
    return items
      .filter(({ id }) => belongs(id))
      .toSorted((a, b) => (positions.get(a.id) ?? 0) - (positions.get(b.id) ?? 0));
  }
}

function firstPositions(ids: readonly string[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (const [index, id] of ids.entries()) if (!positions.has(id)) positions.set(id, index);
  return positions;
}
