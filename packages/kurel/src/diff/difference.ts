import type { Json, KubeObject } from '../model/index.ts';

/** How one set of objects becomes another. */
export interface ObjectsDifference {
  /** Those that differ, in the order in which they would be applied. */
  readonly objects: readonly ObjectDifference[];
  /** How many are the same. */
  readonly same: number;
}

export type ObjectDifference =
  | { readonly operation: 'add'; readonly after: KubeObject; readonly hidden?: boolean }
  | { readonly operation: 'remove'; readonly before: KubeObject; readonly hidden?: boolean }
  | {
      readonly operation: 'change';
      readonly before: KubeObject;
      readonly after: KubeObject;
      /** All of them together make `after` of `before`. */
      readonly changes: readonly FieldChange[];
    };

export interface FieldChange {
  /** `move`: an item of a list that has another place among those that stay. */
  readonly operation: 'add' | 'remove' | 'change' | 'move';
  readonly path: readonly ChangeStep[];
  /** Of `remove` and `change`. */
  readonly before?: Json;
  /** Of `add` and `change`. */
  readonly after?: Json;
  /** The values are kept back. */
  readonly hidden?: boolean;
}

/** The key of a mapping, or an item of a list. */
export type ChangeStep = string | ItemStep;

export interface ItemStep {
  /** Its index in the list before; none when it is new. */
  readonly before?: number;
  /** Its index in the list after; none when it is gone. */
  readonly after?: number;
  /** What tells it from the others, where the schema has such a key. */
  readonly keys?: readonly ItemKey[];
}

export interface ItemKey {
  readonly name: string;
  readonly value: string | number | bigint | boolean;
}
