import type { Keepsake, Memory } from '../model/index.ts';

// Parsed data takes about ten times as much memory as its text.
const usualCharacters = 10_000_000;

export interface BoundedMemory extends Memory {
  /** The total size of the values. */
  characters(): number;
}

interface Entry {
  readonly value: unknown;
  readonly weight: number;
}

/** Keeps the most recently used values, up to a limit of characters. */
export function createMemory(mostCharacters = usualCharacters): BoundedMemory {
  // Ordered by last use.
  const entries = new Map<string, Entry>();
  let characters = 0;

  function drop(key: string, { weight }: Entry): void {
    entries.delete(key);
    characters -= weight;
  }

  function add(key: string, entry: Entry): void {
    if (entry.weight > mostCharacters) return;
    entries.set(key, entry);
    characters += entry.weight;
    for (const [oldest, other] of entries) {
      if (characters <= mostCharacters) break;
      drop(oldest, other);
    }
  }

  return {
    characters: () => characters,
    keep<Value>({ kind, content, create, weigh }: Keepsake<Value>): Value {
      const key = `${kind} ${content}`;
      const known = entries.get(key);
      if (known !== undefined) {
        drop(key, known);
        add(key, known);
        // All values of a kind have the same type.
        return known.value as Value;
      }
      const value = create();
      add(key, { value, weight: key.length + (weigh?.(value) ?? 0) });
      return value;
    },
  };
}
