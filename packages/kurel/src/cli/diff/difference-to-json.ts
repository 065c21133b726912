import { escapeControlsInJson } from '../../diagnostics/index.ts';
import { formatChangedField, nameOf, namespaceOf, pathsOfChange, writeJson } from '../../index.ts';
import type { FieldChange, ObjectDifference, ObjectsDifference } from '../../index.ts';
import type { JsonObject } from '../../model/index.ts';
import { objectOf } from './change-lines.ts';
import type { ComparedNames } from './format-markdown.ts';
import { nameDifference } from './summary.ts';

/** For other programs: every value whole, but for what Secrets hold. */
export function differenceToJson({ objects, same }: ObjectsDifference, { a, b }: ComparedNames): string {
  const count = (operation: ObjectDifference['operation']): number =>
    objects.filter((one) => one.operation === operation).length;
  const text = writeJson({
    a,
    b,
    summary: { added: count('add'), removed: count('remove'), changed: count('change'), same },
    objects: objects.map(describeDifference),
  });
  return `${escapeControlsInJson(text)}\n`;
}

function describeDifference(difference: ObjectDifference): JsonObject {
  const object = objectOf(difference);
  const namespace = namespaceOf(object);
  const { apiVersion, kind } = object;
  return {
    operation: difference.operation,
    apiVersion,
    kind,
    ...(namespace === '' ? {} : { namespace }),
    name: nameOf(object),
    // As explain takes it.
    words: nameDifference(difference),
    ...(difference.operation === 'change'
      ? { changes: difference.changes.map(describeChange) }
      : { ...(difference.hidden === true ? { hidden: true } : {}), object }),
  };
}

/** `path` leads to it in B, and in A when it is gone; `from` to where it was, when that is another place. */
function describeChange(change: FieldChange): JsonObject {
  const { operation, before, after, hidden } = change;
  const paths = pathsOfChange(change);
  const path = paths.after ?? paths.before!;
  const isElsewhere = paths.before !== undefined && JSON.stringify(paths.before) !== JSON.stringify(path);
  return {
    operation,
    field: formatChangedField(change.path),
    path,
    ...(isElsewhere ? { from: paths.before } : {}),
    ...(hidden === true ? { hidden } : {}),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}
