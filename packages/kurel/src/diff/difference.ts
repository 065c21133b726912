import type { Json, KubeObject } from '../model/index.ts';

/** Differences between two sets of objects. */
export interface ObjectsDifference {
  /** Objects that differ, in apply order. */
  readonly objects: readonly ObjectDifference[];
  /** Number of equal objects. */
  readonly same: number;
}

export type ObjectDifference =
  | { readonly operation: 'add'; readonly after: KubeObject; readonly hidden?: boolean }
  | { readonly operation: 'remove'; readonly before: KubeObject; readonly hidden?: boolean }
  | {
      readonly operation: 'change';
      readonly before: KubeObject;
      readonly after: KubeObject;
      /** Changes that turn `before` into `after`. */
      readonly changes: readonly FieldChange[];
    };

export interface FieldChange {
  /** `move`: a list item changed position relative to the others. */
  readonly operation: 'add' | 'remove' | 'change' | 'move';
  readonly path: readonly ChangeStep[];
  /** Set for `remove` and `change`. */
  readonly before?: Json;
  /** Set for `add` and `change`. */
  readonly after?: Json;
  /** The values are hidden. */
  readonly hidden?: boolean;
}

/** An object key or a list item. */
export type ChangeStep = string | ItemStep;

export interface ItemStep {
  /** Index in the old list; `undefined` if the item is new. */
  readonly before?: number;
  /** Index in the new list; `undefined` if the item was removed. */
  readonly after?: number;
  /** Keys that identify the item, if the schema has them. */
  readonly keys?: readonly ItemKey[];
}

export interface ItemKey {
  readonly name: string;
  readonly value: string | number | bigint | boolean;
}
