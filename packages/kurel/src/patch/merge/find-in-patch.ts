import { isJsonArray, isJsonObject, stepInto } from '../../model/index.ts';
import type { Json, JsonArray, Path } from '../../model/index.ts';
import { identityOfItem } from '../../schema/index.ts';
import type { SchemaNode } from '../../schema/index.ts';
import { identityOfScalar } from './merge-list.ts';
import { listRuleOf } from './merging.ts';
import type { ListRule } from './merging.ts';

interface Merged {
  /** The object after the merge; for a field that the merge removed, before it. */
  readonly object: Json | undefined;
  /** Schema of the object, if lists were merged. Without one, all lists are replaced. */
  readonly schema?: SchemaNode | undefined;
  readonly builtIn: boolean;
}

interface InPatch {
  /** Path of the last value on the way that the patch has. */
  readonly path: Path;
  /** Whether the patch sets the field, rather than using it only to match an item. */
  readonly isExplicit: boolean;
}

/** Finds the value in a merge patch that a field of the merged object comes from. */
export function findInPatch(patch: Json, field: Path, { object, schema, builtIn }: Merged): InPatch {
  const path: (string | number)[] = [];
  let [value, merged, node]: [Json, Json | undefined, SchemaNode | undefined] = [patch, object, schema];
  let rule: ListRule | undefined;
  for (const step of field) {
    const [item, list] = [stepInto(merged, step), node];
    const isKey =
      rule?.type === 'keyed' && path.length === field.length - 1 && rule.keys.some(({ name }) => name === step);
    rule = typeof step === 'number' ? listRuleOf(list, builtIn) : undefined;
    const next =
      rule === undefined || !isJsonArray(value) ? step : indexIn(value, { step: step as number, item, rule });
    const inner = stepInto(value, next);
    if (inner === undefined) return { path, isExplicit: false };
    path.push(next);
    if (isKey) return { path, isExplicit: false };
    [value, merged, node] = [inner, item, typeof step === 'number' ? list?.items : list?.property(step)];
  }
  return { path, isExplicit: rule?.type !== 'set' };
}

interface MergedItem {
  /** Index in the merged list. */
  readonly step: number;
  readonly item: Json | undefined;
  readonly rule: ListRule;
}

/** A merged item comes from the item with the same identity, which may have another index in the patch; -1 if there is none. */
function indexIn(list: JsonArray, { step, item, rule }: MergedItem): number {
  if (rule.type === 'replace') return step;
  const identify = (candidate: Json | undefined): string | undefined =>
    rule.type === 'set'
      ? identityOfScalar(candidate)
      : isJsonObject(candidate)
        ? identityOfItem(candidate, rule.keys)
        : undefined;
  const id = identify(item);
  return list.findIndex((candidate) => identify(candidate) === id);
}
