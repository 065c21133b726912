import type { Json, KubeObject, Location, Path } from '../model/index.ts';
import type { ParameterTrace, StepKind } from './field-trace.ts';

/** How one object came about. Whoever makes objects tells it in these words, whatever made them. */
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
  readonly parameters?: readonly ParameterTrace[] | undefined;
  /** Whether it says this very field, and so would decide it even where it changes nothing. */
  readonly isSaid: boolean;
  /** What the field was after this cause when another one followed: a text with references in it. */
  readonly after?: Json | undefined;
}
