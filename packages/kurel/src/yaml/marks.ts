import type { JsonArray, JsonObject, Range } from '../model/index.ts';

/** Positions of the parts of one object or list in the text. All offsets count from the start of the whole file. */
export interface CollectionMark {
  readonly style: 'block' | 'flow';
  /**
   * From the first character of the collection (its bracket, its first entry) to the end of its last content, which is a
   * line break if that is a block scalar. The object in `[key: value]` is flow style but has no brackets.
   */
  readonly range: Range;
  /** Column, from 0, of the keys or dashes of a block collection; 0 in flow style. */
  readonly indent: number;
  /** In text order. */
  readonly entries: readonly EntryMark[];
}

export interface EntryMark {
  /** The key as data, or the index in a list. `<<` for a merge key. */
  readonly key: string | number;
  /**
   * From the key with its anchor and tag (or the `?` before it; the dash; in a flow list, the value) to the end of
   * the value's content, without the trailing comment.
   */
  readonly range: Range;
  /** The text of the key, including quotes; in a list the dash, in a flow list an empty range at the value. */
  readonly keyRange: Range;
  /**
   * The text of the value with its anchor and tag; a block scalar includes its header and its last line break (with `+`
   * also the blank lines after it). For a missing value (`key:`), an empty range right after the colon or dash, or right
   * after the key if no colon follows it (`{key}`).
   */
  readonly valueRange: Range;
  /** How the value is written. `missing` is the empty value of `key:`. */
  readonly value:
    | 'plain'
    | 'single-quoted'
    | 'double-quoted'
    | 'literal'
    | 'folded'
    | 'missing'
    | 'alias'
    | 'mapping'
    | 'list';
  /** The value has an anchor or a tag. */
  readonly decorated: boolean;
}

/**
 * The marks of a document, by the collection that the reader created there. Objects and lists reached through an
 * alias or a merge key are copies and have no marks of their own.
 */
export type Marks = ReadonlyMap<JsonObject | JsonArray, CollectionMark>;
