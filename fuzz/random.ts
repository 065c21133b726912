/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** An integer from 0 up to, but not including, `limit`. */
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
}

/** mulberry32: 32 bits of state, good enough to choose with, and quick. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return { below, pick: (items) => items[below(items.length)]! };
}
