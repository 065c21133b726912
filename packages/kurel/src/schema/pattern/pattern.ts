/** Whether a character (a code point) is one of a set. */
export type CharacterSet = (code: number) => boolean;

export type PatternNode =
  | { readonly type: 'character'; readonly isIn: CharacterSet }
  | { readonly type: 'assertion'; readonly what: 'start' | 'end' | 'boundary' | 'inside' }
  | { readonly type: 'sequence' | 'choice'; readonly nodes: readonly PatternNode[] }
  | { readonly type: 'repeat'; readonly node: PatternNode; readonly least: number; readonly most: number };

/** Where a pattern is being read; the functions that share it move along. */
export interface PatternReading {
  readonly characters: readonly string[];
  at: number;
  depth: number;
}

/** Thrown for what is no pattern, or has what this reader does not know: looking ahead and behind, and back references. */
export class UnreadablePattern extends Error {}
