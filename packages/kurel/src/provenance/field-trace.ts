import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, KubeObject, Location, Message, Path } from '../model/index.ts';

/** A field of an object with every step that set it, in order. */
export interface FieldTrace {
  /** Path in the final object; for a removed field, its last path. */
  readonly path: Path;
  /** `undefined` for a removed field. */
  readonly value: Json | undefined;
  readonly steps: readonly TraceStep[];
}

/**
 * `base`: the object as read or rendered. `parameter`: a value that was substituted. `generated`: not in any file. `flag`: set on
 * the command line. For applications: `author`, `profile` and `policy` set it explicitly, `default` is the value otherwise.
 */
export type StepKind =
  | 'base'
  | 'parameter'
  | 'patch'
  | 'generated'
  | 'flag'
  | 'author'
  | 'profile'
  | 'policy'
  | 'default';

export interface TraceStep {
  readonly kind: StepKind;
  /** Description of the step: `[deployment.web] replicas`, `--label team=shop`; empty if the location is enough. */
  readonly words: Message;
  readonly location?: Location | undefined;
  /** Location of the value, if known; `location` is that of its key. */
  readonly valueLocation?: Location | undefined;
  /** Locations where a patch names the parents of this field, possibly in its header, by path length. */
  readonly keys?: ReadonlyMap<number, Location> | undefined;
  /** `undefined` if the field did not exist, or no longer exists. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  /** Parameters in the value. */
  readonly parameters: readonly ParameterTrace[];
}

/** A parameter that was used, with the source of its value. */
export interface ParameterTrace {
  /** `image.tag` */
  readonly name: string;
  readonly value: Json | undefined;
  /** The layer that set it: `package`, `--set image.tag=2`. */
  readonly words: Message;
  readonly location?: Location | undefined;
  /** Like `location`, but also for an assignment, which is not in a file. */
  readonly given?: Location | undefined;
  /** Parameters that its value refers to. */
  readonly refersTo: readonly ParameterTrace[];
}

/** A scalar, or an empty object or list. */
export function isLeaf(value: Json): boolean {
  if (isJsonArray(value)) return value.length === 0;
  return !isJsonObject(value) || Object.keys(value).length === 0;
}

/** A scalar as a string, as selectors compare it; `undefined` for anything else. */
export function textOf(value: Json | undefined): string | undefined {
  return value === undefined || value === null || typeof value === 'object' ? undefined : String(value);
}

/** History of one object. Every form describes its objects this way. */
export interface ObjectHistory {
  /** The initial object. */
  readonly start: KubeObject;
  readonly causesOf: CausesOf;
  /** Later changes, in order. */
  readonly events: readonly HistoryEvent[];
}

export interface HistoryEvent {
  /** `insert`, `remove` and `move` apply to list items, and shift the items after them. */
  readonly operation: 'set' | 'insert' | 'remove' | 'move';
  /** Path in the object at that time. */
  readonly path: Path;
  /** Index that an item of the same list had before it was moved. */
  readonly from?: number | undefined;
  /** `undefined` if the field is removed. */
  readonly after: Json | undefined;
  readonly causesOf: CausesOf;
}

/** Causes of a field, in order. The path is in the object after the event; for a removed field, before it. */
export type CausesOf = (path: Path, value: Json | undefined) => readonly Cause[];

export interface Cause extends Pick<TraceStep, 'kind' | 'words' | 'location' | 'valueLocation' | 'keys'> {
  readonly parameters?: TraceStep['parameters'] | undefined;
  /** Whether it names this exact field, and so sets it even if the value does not change. */
  readonly isExplicit: boolean;
  /** Value of the field after this cause if another one follows: a string with references in it. */
  readonly after?: Json | undefined;
}
