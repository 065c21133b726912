import type { Json } from '../model/index.ts';
import type { Anchors } from './edit-anchors.ts';
import type { Sheet } from './edit-sheet.ts';
import type { Splice } from './edit-splice.ts';
import type { CollectionMark, EntryMark } from './marks.ts';

/**
 * What is printed as a whole where something changes in it: only the values that changed, the smallest collection around
 * them, or all that stands under a key of the root.
 */
export type Reprint = 'nothing' | 'collections' | 'sections';

/** One attempt to edit a document. */
export interface Edit {
  readonly sheet: Sheet;
  /** Collected on the way, applied once at the end. */
  readonly splices: Splice[];
  /** Only for documents with aliases, where a value can depend on text that stands elsewhere. */
  readonly anchors: Anchors | undefined;
  readonly reprint: Reprint;
  /** Whether a block scalar that ends with the text, without a line break, is written so that something can follow. */
  readonly closes: boolean;
  /** Passed along, since collections and their values are edited by each other. */
  readonly editValue: (edit: Edit, change: Change) => void;
}

/** A collection on the way down from the root. */
export interface Trail {
  readonly mark: CollectionMark;
  readonly up?: Trail | undefined;
}

/** What one entry of the collection at the end of the trail says, and what it should say. */
export interface Change {
  readonly trail: Trail;
  readonly entry: EntryMark;
  readonly said: Json;
  readonly wanted: Json;
}
