import type {
  Budget,
  Json,
  KubeObject,
  Location,
  OriginTable,
  Path,
  Range,
  Report,
  SourceFile,
  Values,
} from '../model/index.ts';
import type { FilledTree, Template, WrittenAt } from '../parameters/index.ts';
import type { KindSchema, SchemaStore } from '../schema/index.ts';

/** A parsed patch file: its patches in file order, with unresolved references. */
export interface PatchFile {
  readonly source: SourceFile;
  readonly format: 'kpatch' | 'yaml';
  readonly patches: readonly Patch[];
}

export type Patch = FieldPatch | DocumentPatch;

/** One operation on one path of one or more objects. The last step holds the operation; the default is `replace`. */
export interface FieldPatch {
  readonly type: 'field';
  readonly target: Target;
  /** Steps of the header followed by those of the key. Insertions and deletions come last. */
  readonly steps: readonly Step[];
  readonly value: PatchValue;
  /** Header or target and key as written, for messages and traces: `[deployment.web] spec.replicas`. */
  readonly text: string;
  /** Location of the key. */
  readonly location: Location;
}

/** A document that is merged into one object, or a list of JSON Patch operations on it. */
export interface DocumentPatch {
  readonly type: 'strategic' | 'merge' | 'json';
  readonly target: Target;
  /** An object, or a list of operations for `json`. Strings may contain references. */
  readonly document: Json;
  /** Location of the document. */
  readonly location: Location;
}

export type Target =
  /** Entries before the first header: every object. */
  | { readonly type: 'all' }
  /** A key of a YAML patch without a target: the path determines the object. */
  | { readonly type: 'derived' }
  | HeaderTarget
  /** `target` of a YAML entry: `name`, `kind.name`, `namespace/kind.name`, `kind@group/name` or a kubectl name. */
  | { readonly type: 'text'; readonly text: Template; readonly location: Location };

export interface HeaderTarget {
  readonly type: 'header';
  readonly namespace?: Template | undefined;
  readonly kind: Template;
  /** The API group: `[deployment@apps/web]`. */
  readonly group?: Template | undefined;
  /** Unquoted, `*` and `?` are wildcards. */
  readonly name: Template;
  readonly quoted: boolean;
  readonly location: Location;
}

/** `range` is an offset in the file; for YAML patches, in the key or target string. */
export type Step = PlaceStep | AppendStep | InsertStep | DeleteStep;

export type PlaceStep = FieldStep | IndexStep | MatchStep | AllStep;

export interface FieldStep<Text = Template> {
  readonly type: 'field';
  readonly name: Text;
  /** A quoted name is always a key, even if it looks like an index. */
  readonly quoted: boolean;
  readonly range: Range;
}

/** `[3]`. Digits after a dot are parsed as a field because `data.0` is a key; on a list they are an index. */
export interface IndexStep {
  readonly type: 'index';
  readonly index: number;
  /** May be one past the end of the list: `[-]` inside a new item, whose lists are all new. */
  readonly isNew?: boolean;
  readonly range: Range;
}

/** The first item that satisfies all conditions. */
export interface MatchStep<Text = Template> {
  readonly type: 'match';
  readonly conditions: readonly Condition<Text>[];
  readonly range: Range;
}

export interface Condition<Text = Template> {
  readonly path: readonly string[];
  readonly value: Text;
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
  /** What to delete from the list or object before this step; without it, that list or object itself. */
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
  /** All entries of an insertion form one new item. */
  | { readonly type: 'item'; readonly entries: readonly ItemEntry[] }
  /** A deletion has no value. */
  | { readonly type: 'none' };

/** Value of an entry in a .kpatch file. */
export interface ScalarValue {
  readonly type: 'scalar';
  /** The resulting string: unquoted, unescaped, with block lines joined. */
  readonly template: Template;
  readonly style: 'plain' | 'quoted' | 'block';
  readonly location: Location;
}

/** Value of a YAML patch; strings in it may contain references. `location` is the path of the value in the file. */
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

export interface PatchOptions {
  readonly report: Report;
  /** Source of types, merge keys and short paths. Without it, only the most common ones are known. */
  readonly store?: SchemaStore | undefined;
  /** Without it, `${…}` is left unchanged. */
  readonly variables?: Variables | undefined;
  /** Replaced objects pass their origin on here. */
  readonly origins?: OriginTable | undefined;
  /** Also report where a patch file overrides a field set by another one. Conflicting strategic patches are always reported. */
  readonly conflicts?: boolean | undefined;
  /** Whether patches of the later file are meant to override those of the earlier one, which is then not a conflict. */
  readonly mayOverride?: ((earlier: string, later: string) => boolean) | undefined;
  /** Severity of a missing target. Defaults to `warning`. */
  readonly missingTarget?: 'warning' | 'error' | undefined;
  /** Severity of a selector without a match. Defaults to `error`. */
  readonly missingPath?: 'error' | 'warning' | undefined;
  /** Whether appending to a missing list creates it. Defaults to true. */
  readonly createLists?: boolean | undefined;
  /** Budget of the run. Defaults to a new one. */
  readonly budget?: Budget | undefined;
  /** Receives a line for each step: load, resolve, infer a type. */
  readonly trace?: ((line: string) => void) | undefined;
}

/** Values of the `${…}` references in patches. */
export interface Variables {
  /** `alone`: only `values.*` and `features.*`, and only scalars. `package`: every parameter; those two prefixes are aliases. */
  readonly scope: 'alone' | 'package';
  readonly values: Values;
  /** Whether a parameter name may contain dots: then `a.b` takes precedence over key b of parameter a. */
  readonly hasDottedNames?: boolean | undefined;
  readonly features?: Readonly<Record<string, boolean>> | undefined;
  /** How the value at a path was written, so that 1.10 is not turned into "1.1". */
  readonly writtenAt?: WrittenAt | undefined;
}

export interface PatchResult {
  /** In input order. Untouched objects are the same instances; after an error, all of them are. */
  readonly objects: readonly KubeObject[];
  readonly changes: readonly Change[];
  /** Value of `enabled` by position in the input, for objects on which a patch sets it. */
  readonly enabled: ReadonlyMap<number, boolean>;
  readonly conflicts: readonly ConflictReport[];
}

/**
 * What one patch did to one place of one object, even if the value stayed the same: the patch still determines the field. A
 * merge is a single change of the whole object, a JSON Patch is a change per operation.
 */
export interface Change {
  /** Position of the object in the input. */
  readonly index: number;
  /** `shop/deployment.web` */
  readonly object: string;
  readonly operation: Operation;
  /** Path in the object at that time. A list item without `before` was inserted there. */
  readonly path: Path;
  /** Path before this change, if a JSON Patch moved the value. */
  readonly from?: Path | undefined;
  /** `undefined` if the field did not exist, or no longer exists. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  /** Location of the patch. */
  readonly location: Location;
  readonly source: ChangeSource;
}

/** Data with its references resolved. */
export type FilledData = Pick<FilledTree, 'data' | 'writtenPath'>;

/** The patch of a change, with its references resolved. Changes of several objects share it. */
export type ChangeSource = FieldSource | DocumentSource;

export interface FieldSource {
  readonly patch: FieldPatch;
  /** The value; for a new item one per entry. Empty if none of them contains a reference. */
  readonly values: readonly FilledData[];
  /** For each entry of a new item, the paths that it sets in the item. */
  readonly places?: readonly (readonly Path[])[] | undefined;
}

export interface DocumentSource extends FilledData {
  readonly patch: DocumentPatch;
  /** The kind of the object, which determines how a strategic merge treats lists. */
  readonly kind: KindSchema | undefined;
  /** Position of the operation in a JSON Patch. */
  readonly operation?: number | undefined;
}

export type Operation =
  | 'replace'
  | 'delete'
  | 'append'
  | 'insertBefore'
  | 'insertAfter'
  | 'enabled'
  | 'strategic'
  | 'merge'
  | 'json';

export interface ConflictReport {
  readonly resourceName: string;
  readonly resourceKind: string;
  readonly resourceNamespace?: string;
  /** `shop/deployment.web` */
  readonly resourceKey: string;
  readonly conflicts: readonly PatchConflict[];
}

export interface PatchConflict {
  /** Position among the strategic patches of the resource; A comes before B. */
  readonly patchIndexA: number;
  readonly patchIndexB: number;
  /** The first path that differs: `spec.template.spec.containers[name=main].image`. */
  readonly path: string;
  readonly valueA?: Json;
  readonly valueB?: Json;
  readonly description: string;
}
