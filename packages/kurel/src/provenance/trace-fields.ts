import { DiagnosticError } from '../diagnostics/index.ts';
import type { Json, KubeObject } from '../model/index.ts';
import type { FieldTrace } from './field-trace.ts';
import { changeAt, insertItem, listFields, removeItem, renew } from './field-tree.ts';
import type { FieldNode } from './field-tree.ts';
import { formatObject } from './find-object.ts';
import { traceProblems } from './problems.ts';
import type { Owned } from './put-at.ts';
import type { HistoryEvent, ObjectHistory } from './object-history.ts';
import type { Provenance } from './rendering.ts';

// A field takes memory for its steps and for its path, whose length is its depth.
const weightOfField = 10;
const mostWeight = 2_600_000;

function weigh(value: Json | undefined, depth = 0): number {
  if (typeof value !== 'object' || value === null) return weightOfField + depth;
  let weight = weightOfField;
  for (const inner of Object.values(value) as readonly Json[]) weight += weigh(inner, depth + 1);
  return weight;
}

/** Where each field of an object comes from. */
export function traceOf(object: KubeObject, provenance: Provenance): readonly FieldTrace[] {
  return traceFields(object, provenance.historyOf(object));
}

/** Where every field of an object comes from. Items of lists are followed wherever they were moved. */
export function traceFields(object: KubeObject, { start, causesOf, events }: ObjectHistory): readonly FieldTrace[] {
  if (weigh(start) + weigh(object) > 2 * mostWeight) {
    throw new DiagnosticError([traceProblems.create('explain-too-large', { object: formatObject(object) })]);
  }
  let tree = renew(undefined, start, { path: [], causesOf });
  const owned: Owned = new WeakSet();
  for (const event of events) tree = applyEvent(tree, event, owned);
  return listFields(tree, object);
}

function applyEvent(tree: FieldNode, { operation, path, after, causesOf }: HistoryEvent, owned: Owned): FieldNode {
  const index = path.at(-1);
  const parent = path.slice(0, -1);
  if (operation === 'insert' && typeof index === 'number') {
    const item = renew(undefined, after, { path, causesOf });
    return changeAt(tree, parent, { change: (list) => insertItem(list, index, { item, owned }), owned });
  }
  if (operation === 'remove' && typeof index === 'number') {
    return changeAt(tree, parent, {
      change: (list) => removeItem(list, index, { path: parent, causesOf }),
      owned,
    });
  }
  return changeAt(tree, path, { change: (node) => renew(node, after, { path, causesOf }), owned });
}
