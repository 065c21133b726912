import type { Budget, Json, KubeObject, Location, OriginTable, Path, Report, Values } from '../model/index.ts';
import type { WrittenAt } from '../parameters/index.ts';
import type { SchemaStore } from '../schema/index.ts';

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
  /**
   * Also record patches that set a value the field already had, so that `explain` can name them: one change per path, with
   * the full value before and after. A document patch is then a single change of the whole object.
   */
  readonly unchanged?: boolean | undefined;
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
  /** Objects disabled by `enabled: false`, as they were in the input. */
  readonly removed: readonly KubeObject[];
  /** Value of `enabled` by position in the input, for objects on which a patch sets it. */
  readonly enabled: ReadonlyMap<number, boolean>;
  readonly conflicts: readonly ConflictReport[];
}

/** A field of one object that a patch created, changed or deleted. */
export interface Change {
  /** Position of the object in the input. */
  readonly index: number;
  /** `shop/deployment.web` */
  readonly object: string;
  readonly operation: Operation;
  readonly path: Path;
  /** `undefined` if the field did not exist, or no longer exists. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  readonly location: Location;
  /** References used, as written: `values.version`. */
  readonly variables: readonly string[];
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
