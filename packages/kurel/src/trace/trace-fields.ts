import type { KubeObject } from '../model/index.ts';
import type { FieldTrace } from './field-trace.ts';
import { changeAt, insertItem, listFields, removeItem, renew } from './field-tree.ts';
import type { FieldNode } from './field-tree.ts';
import type { HistoryEvent, ObjectHistory } from './object-history.ts';

/** Where every field of an object comes from. Items of lists are followed wherever they were moved. */
export function traceFields(object: KubeObject, { start, causesOf, events }: ObjectHistory): readonly FieldTrace[] {
  let tree = renew(undefined, start, { path: [], causesOf });
  for (const event of events) tree = applyEvent(tree, event);
  return listFields(tree, object);
}

function applyEvent(tree: FieldNode, { operation, path, after, causesOf }: HistoryEvent): FieldNode {
  const index = path.at(-1);
  const parent = path.slice(0, -1);
  if (operation === 'insert' && typeof index === 'number') {
    const item = renew(undefined, after, { path, causesOf });
    return changeAt(tree, parent, (list) => insertItem(list, index, item));
  }
  if (operation === 'remove' && typeof index === 'number') {
    return changeAt(tree, parent, (list) => removeItem(list, index, { path: parent, causesOf }));
  }
  return changeAt(tree, path, (node) => renew(node, after, { path, causesOf }));
}
