import type { Json, Location, Path, Range } from '../../model/index.ts';
import type { AllStep, FieldPatch, FromEndStep } from '../patch.ts';

/** A field patch with resolved references, ready to be applied to any object. */
export interface PreparedField {
  readonly patch: FieldPatch;
  readonly steps: readonly PlainStep[];
  readonly operation: PreparedOperation;
  /** References used, as written. */
  readonly variables: readonly string[];
}

export type PlainStep = PlainField | PlainIndex | PlainMatch | AllStep;

export interface PlainField {
  readonly type: 'field';
  readonly name: string;
  readonly quoted: boolean;
  /** Range in the source; absent for steps that a short path omits. */
  readonly range?: Range | undefined;
}

export interface PlainIndex {
  readonly type: 'index';
  readonly index: number;
  readonly isNew?: boolean;
  readonly range?: Range | undefined;
}

export interface PlainMatch {
  readonly type: 'match';
  readonly conditions: readonly { readonly path: readonly string[]; readonly value: string }[];
  readonly range?: Range | undefined;
}

export type PreparedOperation =
  | { readonly type: 'replace'; readonly value: PreparedValue }
  | { readonly type: 'append'; readonly value: PreparedValue }
  | {
      readonly type: 'insert';
      readonly where: 'before' | 'after';
      readonly at: PlainIndex | PlainMatch;
      readonly value: PreparedValue;
    }
  | { readonly type: 'delete'; readonly what: PlainIndex | PlainMatch | PlainField | FromEndStep | undefined };

export type PreparedValue =
  /** A string that is converted to the type of its field. */
  | { readonly type: 'lexeme'; readonly text: string; readonly isPlain: boolean }
  | {
      readonly type: 'data';
      readonly data: Json;
      /** Whether to merge into the existing value: an object that comes from a single reference. */
      readonly merges: boolean;
      /** How a scalar of the data was written; 1.10 must not become "1.1" in a string field. */
      readonly lexemeAt: (path: Path) => string | undefined;
    }
  | { readonly type: 'item'; readonly entries: readonly PreparedEntry[] };

export interface PreparedEntry {
  readonly steps: readonly PlainStep[];
  readonly value: Exclude<PreparedValue, { readonly type: 'item' }>;
  readonly location: Location;
  readonly valueLocation: Location;
}
