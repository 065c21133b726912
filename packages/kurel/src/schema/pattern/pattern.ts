/** Whether a character (a code point) is in a set. */
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
      /** Matches as little as possible, which changes the match but not whether there is one. */
      readonly isLazy: boolean;
    };

export type PatternAssertion = 'start' | 'end' | 'line-start' | 'line-end' | 'boundary' | 'inside';

/** Differences between the dialects of patterns. */
export interface PatternDialect {
  /** Go's dialect, as in CustomResourceDefinitions; otherwise JSON Schema's. */
  readonly isGo: boolean;
  readonly ignoresCase: boolean;
  /** `.` matches every character. */
  readonly dotIsAll: boolean;
  /** `^` and `$` match at line ends. */
  readonly isByLine: boolean;
}

export const jsonSchemaDialect: PatternDialect = { isGo: false, ignoresCase: false, dotIsAll: false, isByLine: false };

/** The state of reading a pattern, shared by the functions that advance it. */
export interface PatternReading {
  readonly characters: readonly string[];
  readonly dialect: PatternDialect;
  at: number;
  depth: number;
}

/** Thrown for invalid patterns, and for unsupported ones with lookaround or back references. */
export class UnreadablePattern extends Error {}
