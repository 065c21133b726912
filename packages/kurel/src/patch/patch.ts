import type { Json, Location, Range, SourceFile } from '../model/index.ts';
import type { Template } from '../parameters/index.ts';

/** A patch file as it was read: what it asks for, in the order of the file, with its variables still in it. */
export interface PatchFile {
  readonly source: SourceFile;
  readonly format: 'kpatch' | 'yaml';
  readonly patches: readonly Patch[];
}

export type Patch = FieldPatch | DocumentPatch;

/** One operation on one path of one or many objects. The operation is in the last step; without one it is `replace`. */
export interface FieldPatch {
  readonly type: 'field';
  readonly target: Target;
  /** The steps of the header and of the key. Insertions and deletions stand last. */
  readonly steps: readonly Step[];
  readonly value: PatchValue;
  /** The header or target and the key as the user wrote them, for messages and traces: `[deployment.web] spec.replicas`. */
  readonly text: string;
  /** Where the key stands. */
  readonly location: Location;
}

/** A document that is merged into one object, or a list of JSON Patch operations on it. */
export interface DocumentPatch {
  readonly type: 'strategic' | 'merge' | 'json';
  readonly target: Target;
  /** A mapping; a list of operations for `json`. Text in it may hold variables. */
  readonly document: Json;
  /** Where the document stands. */
  readonly location: Location;
}

export type Target =
  /** Entries in front of the first header: every object. */
  | { readonly type: 'all' }
  /** A key of a YAML mapping without a target: the path says which object is meant. */
  | { readonly type: 'derived' }
  | HeaderTarget
  /** The `target` of a YAML entry: `name`, `kind.name`, `namespace/kind.name` or `kind@group/name`, or as kubectl has it. */
  | { readonly type: 'text'; readonly text: Template; readonly location: Location };

export interface HeaderTarget {
  readonly type: 'header';
  readonly namespace?: Template | undefined;
  readonly kind: Template;
  /** The API group: `[deployment@apps/web]`. */
  readonly group?: Template | undefined;
  /** `*` and `?` in it match any text and any character, unless it was quoted. */
  readonly name: Template;
  readonly quoted: boolean;
  readonly location: Location;
}

/** `range` is in the text of the file; of YAML patches it is in the text of the key or target. */
export type Step = PlaceStep | AppendStep | InsertStep | DeleteStep;

export type PlaceStep = FieldStep | IndexStep | MatchStep | AllStep;

export interface FieldStep {
  readonly type: 'field';
  readonly name: Template;
  /** A quoted name is a key, whatever it looks like. */
  readonly quoted: boolean;
  readonly range: Range;
}

/** `[3]`. Digits behind a dot are a field, for `data.0` is a key; on a list they are taken for an index. */
export interface IndexStep {
  readonly type: 'index';
  readonly index: number;
  /** It may be the first item behind the end of its list: `[-]` inside a new item, whose lists are all new. */
  readonly isNew?: boolean;
  readonly range: Range;
}

/** The first item that meets all conditions. */
export interface MatchStep {
  readonly type: 'match';
  readonly conditions: readonly Condition[];
  readonly range: Range;
}

export interface Condition {
  readonly path: readonly string[];
  readonly value: Template;
}

export interface AllStep {
  readonly type: 'all';
  readonly range: Range;
}

export interface AppendStep {
  readonly type: 'append';
  readonly range: Range;
}

export interface InsertStep {
  readonly type: 'insert';
  readonly where: 'before' | 'after';
  readonly at: IndexStep | MatchStep;
  readonly range: Range;
}

export interface DeleteStep {
  readonly type: 'delete';
  /** What of the list or mapping before the step is deleted; without it, that itself. */
  readonly what?: IndexStep | MatchStep | FieldStep | FromEndStep;
  readonly range: Range;
}

/** `-1` is the last item. */
export interface FromEndStep {
  readonly type: 'from-end';
  readonly count: number;
  readonly range: Range;
}

export type PatchValue =
  | ScalarValue
  | DataValue
  /** All entries of an insertion: together they make one new item. */
  | { readonly type: 'item'; readonly entries: readonly ItemEntry[] }
  /** Of a deletion. */
  | { readonly type: 'none' };

/** The value of an entry of a kpatch file. */
export interface ScalarValue {
  readonly type: 'scalar';
  /** The text that is meant: without quotes and their escapes, and with the lines of a block joined. */
  readonly template: Template;
  readonly style: 'plain' | 'quoted' | 'block';
  readonly location: Location;
}

/** A value of a YAML patch; texts in it may hold variables. `location` names the file and the path of the value in it. */
export interface DataValue {
  readonly type: 'data';
  readonly data: Json;
  readonly location: Location;
}

export interface ItemEntry {
  readonly steps: readonly PlaceStep[];
  readonly value: ScalarValue | DataValue;
  readonly location: Location;
}
