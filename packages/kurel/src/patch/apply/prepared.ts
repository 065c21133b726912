import type { Json, Location, Path, Range } from '../../model/index.ts';
import type { AllStep, FieldPatch, FromEndStep } from '../patch.ts';

/** A field patch whose variables are replaced; what is left to find out depends on the object. */
export interface PreparedField {
  readonly patch: FieldPatch;
  readonly steps: readonly PlainStep[];
  readonly operation: PreparedOperation;
  /** The variables that took part, as they were written. */
  readonly variables: readonly string[];
}

export type PlainStep = PlainField | PlainIndex | PlainMatch | AllStep;

export interface PlainField {
  readonly type: 'field';
  readonly name: string;
  readonly quoted: boolean;
  /** Where it was written; absent for what a short path leaves out. */
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
  /** Text that becomes what its field takes. */
  | { readonly type: 'lexeme'; readonly text: string; readonly isPlain: boolean }
  | {
      readonly type: 'data';
      readonly data: Json;
      /** A mapping that one variable stands for is merged into what is there. */
      readonly merges: boolean;
      /** How a scalar of the data was written; a version 1.10 must not become 1.1 where a text is wanted. */
      readonly lexemeAt: (path: Path) => string | undefined;
    }
  | { readonly type: 'item'; readonly entries: readonly PreparedEntry[] };

export interface PreparedEntry {
  readonly steps: readonly PlainStep[];
  readonly value: Exclude<PreparedValue, { readonly type: 'item' }>;
  readonly location: Location;
  readonly valueLocation: Location;
}
