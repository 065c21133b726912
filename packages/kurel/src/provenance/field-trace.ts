import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, KubeObject, Location, Path } from '../model/index.ts';

/** One field of an object and everything that made it what it is, in the order in which that happened. */
export interface FieldTrace {
  /** In the object as it came out; of a field that is gone, where it was. */
  readonly path: Path;
  /** `undefined` for a field that is gone. */
  readonly value: Json | undefined;
  readonly steps: readonly TraceStep[];
}

/**
 * `base`: the object as it was read or rendered. `parameter`: values that were put into it. `generated`: no file has it.
 * `flag`: something that was asked for on the command line. Of applications: `author`, `profile` and `policy` say who wrote it,
 * `default` that nobody did.
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
  /** What did it, for people: `[deployment.web] replicas`, `--label team=shop`; empty where the place says it all. */
  readonly words: string;
  readonly location?: Location | undefined;
  /** Where the value stands, when that is known apart from `location`, which is where its key is. */
  readonly valueLocation?: Location | undefined;
  /** Where a patch names the fields around this one, perhaps in its header, by the length of their paths. */
  readonly keys?: ReadonlyMap<number, Location> | undefined;
  /** `undefined` where the field was not there, or is not there any more. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  /** What the value was made of. */
  readonly parameters: readonly ParameterTrace[];
}

/** A parameter that took part, and where its value comes from. */
export interface ParameterTrace {
  /** `image.tag` */
  readonly name: string;
  readonly value: Json | undefined;
  /** The layer that gave it: `package`, `--set image.tag=2`. */
  readonly words: string;
  readonly location?: Location | undefined;
  /** As `location`, and also of an assignment, which is in no file. */
  readonly given?: Location | undefined;
  /** The parameters that its value refers to in turn. */
  readonly refersTo: readonly ParameterTrace[];
}

/** A value that has nothing below it: a scalar, or a mapping or list without anything in it. */
export function isLeaf(value: Json): boolean {
  if (isJsonArray(value)) return value.length === 0;
  return !isJsonObject(value) || Object.keys(value).length === 0;
}

/** A scalar as text, as selectors compare it; `undefined` for everything else. */
export function textOf(value: Json | undefined): string | undefined {
  return value === undefined || value === null || typeof value === 'object' ? undefined : String(value);
}

/** How one object came about. Every form describes its objects in this way. */
export interface ObjectHistory {
  /** As it was first. */
  readonly start: KubeObject;
  readonly causesOf: CausesOf;
  /** What happened to it then, in order. */
  readonly events: readonly HistoryEvent[];
}

export interface HistoryEvent {
  /** `insert` and `remove` are for items of lists: what is behind them moves. */
  readonly operation: 'set' | 'insert' | 'remove';
  /** In the object as it was at that time. */
  readonly path: Path;
  /** `undefined` when the field is taken away. */
  readonly after: Json | undefined;
  readonly causesOf: CausesOf;
}

/**
 * What made a field what it is, in the order of the steps it took. The path is in the object as it is after the event; of a
 * field that is taken away, as it was before.
 */
export type CausesOf = (path: Path, value: Json | undefined) => readonly Cause[];

export interface Cause {
  readonly kind: StepKind;
  readonly words: string;
  readonly location?: Location | undefined;
  readonly valueLocation?: Location | undefined;
  readonly keys?: TraceStep['keys'];
  readonly parameters?: readonly ParameterTrace[] | undefined;
  /** Whether it says this very field, and so would decide it even where it changes nothing. */
  readonly isExplicit: boolean;
  /** What the field was after this cause when another one followed: a text with references in it. */
  readonly after?: Json | undefined;
}
