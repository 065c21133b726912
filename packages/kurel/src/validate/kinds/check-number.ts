import type { Json, Path } from '../../model/index.ts';
import { fieldName } from '../format-path.ts';
import { isJsonObject } from '../../model/index.ts';
import type { KindCheck } from './kind-check.ts';

interface NumberRule {
  /** Of what holds the field. */
  readonly path: Path;
  readonly name: string;
  readonly least: number;
  readonly most?: number;
}

/** Numbers whose limits Kubernetes checks in code and not in its schemas. */
export function checkNumber({ object, findings }: KindCheck, holder: Json | undefined, rule: NumberRule): void {
  const value = isJsonObject(holder) ? holder[rule.name] : undefined;
  const { least, most = Number.POSITIVE_INFINITY } = rule;
  // What does not fit into 32 bits has been reported.
  if (typeof value !== 'number' || (value >= least && value <= most) || value !== (value | 0)) return;
  const path = [...rule.path, rule.name];
  const demand = Number.isFinite(most) ? `be between ${least} and ${most}` : `be at least ${least}`;
  findings.add(object, { path }, ['field-value', { field: fieldName(path), demand, found: `is ${value}` }]);
}

export const portRange = { least: 1, most: 65_535 } as const;
