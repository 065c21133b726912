import { escapeControls } from '../diagnostics/index.ts';
import type { Json, KubeObject, Path } from '../model/index.ts';
import { formatKey } from '../provenance/index.ts';
import type { ItemKey } from '../schema/index.ts';

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

/** The object as it is now, or as it was if it was removed. */
export function objectOf(difference: ObjectDifference): KubeObject {
  return difference.operation === 'remove' ? difference.before : difference.after;
}

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

/** Path of a change in patch syntax: `spec.containers[name=web].image`. */
export function formatChangedField(path: readonly ChangeStep[]): string {
  let text = '';
  for (const step of path) text += typeof step === 'string' ? formatKey(shorten(step), text === '') : formatItem(step);
  return escapeControls(text);
}

const longestKey = 100;

function shorten(key: string): string {
  return key.length <= longestKey ? key : `${key.slice(0, longestKey)}…`;
}

/** Names an item by its key if that is short enough to read. */
function formatItem({ before, after, keys = [] }: ItemStep): string {
  const named = keys.map(({ name, value }) => `${name}=${String(value)}`).join(',');
  return /^[\w.$/:@=, -]{1,80}$/.test(named) ? `[${named}]` : `[${after ?? before}]`;
}

/** Path of a change in each of the two objects, if it exists there. */
export function pathsOfChange({ operation, path }: FieldChange): { readonly before?: Path; readonly after?: Path } {
  const [before, after] = (['before', 'after'] as const).map((side) =>
    path.map((step) => (typeof step === 'string' ? step : step[side]!)),
  );
  return {
    ...(operation === 'add' ? {} : { before: before! }),
    ...(operation === 'remove' ? {} : { after: after! }),
  };
}
