/** Whether a character (a code point) is one of a set. */
export type CharacterSet = (code: number) => boolean;

export type PatternNode =
  | { readonly type: 'character'; readonly isIn: CharacterSet }
  | { readonly type: 'assertion'; readonly what: PatternAssertion }
  | { readonly type: 'sequence' | 'choice'; readonly nodes: readonly PatternNode[] }
  | {
      readonly type: 'repeat';
      readonly node: PatternNode;
      readonly least: number;
      readonly most: number;
      /** Takes as little as it can, which decides what is found, not whether something is. */
      readonly isLazy: boolean;
    };

export type PatternAssertion = 'start' | 'end' | 'line-start' | 'line-end' | 'boundary' | 'inside';

/** What differs between the languages in which patterns are written. */
export interface PatternDialect {
  /** Go's, as in CustomResourceDefinitions; JSON Schema's otherwise. */
  readonly isGo: boolean;
  readonly ignoresCase: boolean;
  /** `.` is every character. */
  readonly dotIsAll: boolean;
  /** `^` and `$` are the ends of lines. */
  readonly isByLine: boolean;
}

export const jsonSchemaDialect: PatternDialect = { isGo: false, ignoresCase: false, dotIsAll: false, isByLine: false };

/** Where a pattern is being read; the functions that share it move along. */
export interface PatternReading {
  readonly characters: readonly string[];
  readonly dialect: PatternDialect;
  at: number;
  depth: number;
}

/** Thrown for what is no pattern, or has what this reader does not know: looking ahead and behind, and back references. */
export class UnreadablePattern extends Error {}
