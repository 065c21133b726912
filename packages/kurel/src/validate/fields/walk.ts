import type { Budget, Json, KubeObject } from '../../model/index.ts';
import type { SchemaNode, SchemaRule } from '../../schema/index.ts';
import type { Finding, FindingPlace, Findings } from '../findings.ts';
import type { FieldPlan } from './field-plan.ts';
import type { DefaultFiller } from './fill-defaults.ts';

/** One walk through an object along its schema. The path is one list that grows and shrinks, so that valid values cost nothing. */
export interface Walk {
  readonly object: KubeObject;
  readonly root: FieldPlan;
  readonly path: (string | number)[];
  readonly findings: Pick<Findings, 'add'>;
  readonly budget: Budget;
  readonly defaults: DefaultFiller;
  /** Kinds that Kubernetes serves itself are decoded into types, CRDs are pruned: they differ in small things. */
  readonly isBuiltIn: boolean;
  /** Rules to evaluate once the fields are known to be right. */
  readonly rules: PendingRules[];
  /** Set inside of alternatives, where a misfit is no finding of its own. */
  misfits: Finding<FieldCode>[] | undefined;
  /** Above 0 in schemas that only constrain: fields that they do not name are no business of theirs. */
  constraining: number;
  /** Checks a value; alternatives call it again on the same value. */
  readonly check: (walk: Walk, plan: FieldPlan, value: Json) => void;
}

export type FieldCode =
  | 'field-unknown'
  | 'field-type'
  | 'field-required'
  | 'field-enum'
  | 'field-format'
  | 'field-value'
  | 'field-alternatives'
  | 'field-deprecated'
  | 'list-duplicate'
  | 'list-item-null'
  | 'object-too-deep'
  | 'rule-not-checked';

export interface PendingRules {
  readonly node: SchemaNode;
  readonly rules: readonly SchemaRule[];
  readonly path: readonly (string | number)[];
  readonly value: Json;
}

export function complain(walk: Walk, finding: Finding<FieldCode>, place?: Omit<FindingPlace, 'path'>): void {
  if (walk.misfits === undefined) walk.findings.add(walk.object, { ...place, path: [...walk.path] }, finding);
  else if (place?.severity === undefined) walk.misfits.push(finding);
}
