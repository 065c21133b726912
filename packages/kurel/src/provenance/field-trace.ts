import type { Json, Location, Path } from '../model/index.ts';

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
