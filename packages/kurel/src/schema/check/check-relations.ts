import { nearest } from '../../diagnostics/index.ts';
import type { JsonObject } from '../../model/index.ts';
import { mostMisspelt } from './names.ts';
import { fieldPlan } from './plan.ts';
import type { FieldPlan } from './plan.ts';
import { findBroken } from './relations.ts';
import type { Relation } from './relations.ts';
import { hand, nameHolder } from './walk.ts';
import type { Walk } from './walk.ts';

/** Checks which fields of an object are set together. Their values are checked elsewhere. */
export function checkRelations(walk: Walk, plan: FieldPlan, mapping: JsonObject): void {
  const holder = (): string => nameHolder(walk, 0) ?? walk.source.whole;
  for (const relation of plan.relations!) {
    const broken = findBroken(relation, { holder, isSet: (name) => isSet(plan, mapping, { name, relation }) });
    for (const { finding, field } of broken) {
      // A misspelled key is already reported as unknown, which is enough.
      if (finding[0] === 'field-choice-missing' && isMisspelled(plan, mapping, finding[1].fields)) continue;
      const path = field === undefined ? [...walk.path] : [...walk.path, field];
      hand(walk, { finding, path, at: 'key' });
    }
  }
}

function isMisspelled({ node }: FieldPlan, mapping: JsonObject, fields: readonly string[]): boolean {
  const others = Object.keys(mapping).filter((key) => !node.propertyNames.includes(key));
  return others.slice(0, mostMisspelt).some((key) => nearest(key, fields) !== undefined);
}

interface RelatedField {
  readonly name: string;
  readonly relation: Relation;
}

/** Whether a field has a value. A flag that is false has the effect of none. */
function isSet(plan: FieldPlan, mapping: JsonObject, { name, relation }: RelatedField): boolean {
  const value = Object.hasOwn(mapping, name) ? mapping[name]! : null;
  if (value === null || value === false) return false;
  if (value === '') return fieldPlan(plan, name)?.emptyIsAbsent !== true;
  return relation.ignoresEmpty !== true || typeof value !== 'object' || Object.keys(value).length > 0;
}
