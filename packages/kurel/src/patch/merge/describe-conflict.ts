import { isJsonObject } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';
import { describeValue } from '../apply/format-path.ts';
import type { PatchConflict } from '../application.ts';
import { patchDirective } from './directives.ts';

/** What two patches say about the first place where they disagree. */
export type Clash = {
  readonly path: string;
  readonly a: Json;
  readonly b: Json;
} & (
  | { readonly type: 'values' | 'directives' | 'orders' | 'retained' }
  | { readonly type: 'deletion'; readonly value: Json }
);

export function describeConflict(clash: Clash): Pick<PatchConflict, 'path' | 'valueA' | 'valueB' | 'description'> {
  const { path, a, b } = clash;
  return { path, valueA: a, valueB: b, description: describe(clash, path === '' ? 'the object' : path) };
}

function describe(clash: Clash, place: string): string {
  const { a, b } = clash;
  switch (clash.type) {
    case 'orders':
      return `the patches want the items of ${place} in different orders`;
    case 'retained':
      return `one patch sets ${place}, the other does not have it among the keys that it keeps`;
    case 'deletion':
      return `one patch puts ${describeValue(clash.value)} into ${place}, the other deletes it from there`;
    case 'directives':
      return describeDirectives(clash, place);
    default:
      if (a === null) return `one patch removes ${place}, the other sets it to ${describeValue(b)}`;
      if (b === null) return `one patch sets ${place} to ${describeValue(a)}, the other removes it`;
      return `one patch sets ${place} to ${describeValue(a)}, the other to ${describeValue(b)}`;
  }
}

const verbs = new Map<Json | undefined, string>([
  ['delete', 'deletes'],
  ['replace', 'replaces'],
]);

function describeDirectives({ a, b }: Clash, place: string): string {
  const [one = 'changes', other = 'changes'] = [a, b].map((side) =>
    isJsonObject(side) ? verbs.get(side[patchDirective]) : undefined,
  );
  return one === other
    ? `both patches ${one === 'replaces' ? 'replace' : 'change'} ${place}, and with something else`
    : `one patch ${one} ${place}, the other ${other} it`;
}
