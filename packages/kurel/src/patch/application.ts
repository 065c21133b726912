import type { Budget, Json, KubeObject, Location, OriginTable, Path, Report, Values } from '../model/index.ts';
import type { WrittenAt } from '../parameters/index.ts';
import type { SchemaStore } from '../schema/index.ts';

export interface PatchOptions {
  readonly report: Report;
  /** Types, merge keys and shorthands come from here; without it only the most usual ones are known. */
  readonly store?: SchemaStore | undefined;
  /** Without it the text of variables stays as it is. */
  readonly variables?: Variables | undefined;
  /** Where objects that are replaced hand on their origin. */
  readonly origins?: OriginTable | undefined;
  /** Also notes where a patch file sets a field that another one has set. Strategic patches that disagree are always reported. */
  readonly conflicts?: boolean | undefined;
  /** Whether the patches of a file are there to override those of an earlier one: then they do not disagree. */
  readonly mayOverride?: ((earlier: string, later: string) => boolean) | undefined;
  /** A target that is not there is a warning unless said. */
  readonly missingTarget?: 'warning' | 'error' | undefined;
  /** A selector that matches nothing is an error unless said. */
  readonly missingPath?: 'error' | 'warning' | undefined;
  /** Appending to a list that is not there makes it, unless false. */
  readonly createLists?: boolean | undefined;
  /**
   * Also records what patches say and was so already, for those who ask what decides a field: one change for each place,
   * with the whole value there before and after. A document is one change of the whole object then.
   */
  readonly unchanged?: boolean | undefined;
  /** Of the run that the patches are applied in; one of their own without it. */
  readonly budget?: Budget | undefined;
  /** Gets a line for everything that is loaded, resolved and inferred. */
  readonly trace?: ((line: string) => void) | undefined;
}

/** What `${…}` in patches stands for. */
export interface Variables {
  /** `alone`: only `values.*` and `features.*`, and only scalars. `package`: every parameter, with those two as other names. */
  readonly scope: 'alone' | 'package';
  readonly values: Values;
  /** Whether a parameter may be called `a.b`, which then comes before the key b of a parameter a. */
  readonly hasDottedNames?: boolean | undefined;
  readonly features?: Readonly<Record<string, boolean>> | undefined;
  /** How the value at a path was written, which counts where it becomes a text. */
  readonly writtenAt?: WrittenAt | undefined;
}

export interface PatchResult {
  /** In the order of the input. Untouched objects are the very same; when an error was reported, all are. */
  readonly objects: readonly KubeObject[];
  readonly changes: readonly Change[];
  /** Objects that `enabled: false` takes out, as they were given. */
  readonly removed: readonly KubeObject[];
  /** What `enabled` says of objects, by their position in the input; objects that no patch says it of are not in it. */
  readonly enabled: ReadonlyMap<number, boolean>;
  readonly conflicts: readonly ConflictReport[];
}

/** One field of one object that a patch made, changed or took away. */
export interface Change {
  /** Position of the object in the input. */
  readonly index: number;
  /** `shop/deployment.web` */
  readonly object: string;
  readonly operation: Operation;
  readonly path: Path;
  /** `undefined` where nothing was, or nothing is left. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  readonly location: Location;
  /** Variables that took part, as they were written: `values.version`. */
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
  /** Among the strategic patches of the resource, A before B. */
  readonly patchIndexA: number;
  readonly patchIndexB: number;
  /** The first path that differs: `spec.template.spec.containers[name=main].image`. */
  readonly path: string;
  readonly valueA?: Json;
  readonly valueB?: Json;
  readonly description: string;
}
