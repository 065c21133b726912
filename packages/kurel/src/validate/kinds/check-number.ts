import { describeValue } from '../../diagnostics/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { int32 } from '../../schema/index.ts';
import { fieldName } from '../../schema/index.ts';
import type { KindCheck } from './kind-check.ts';

interface RangeRule {
  /** Of the number. */
  readonly path: Path;
  readonly least: number;
  readonly most?: number;
  /** The field holds 64 bits; others hold 32. */
  readonly isLong?: boolean;
}

interface NumberRule extends RangeRule {
  /** Of what holds the field. */
  readonly path: Path;
  readonly name: string;
}

/** Numbers whose limits Kubernetes checks in code and not in its schemas. */
export function checkNumber(check: KindCheck, holder: Json | undefined, rule: NumberRule): void {
  const value = isJsonObject(holder) ? holder[rule.name] : undefined;
  if (value !== undefined && isOutside(value, rule)) report(check, value, { ...rule, path: [...rule.path, rule.name] });
}

/** The same for an item of a list. */
export function checkRange(check: KindCheck, value: Json, rule: RangeRule): void {
  if (isOutside(value, rule)) report(check, value, rule);
}

function isOutside(value: Json, { least, most = Number.POSITIVE_INFINITY, isLong = false }: RangeRule): boolean {
  if ((typeof value !== 'number' && typeof value !== 'bigint') || (value >= least && value <= most)) return false;
  // What is no whole number, or does not fit into 32 bits, has been reported.
  if (typeof value === 'number' && !Number.isInteger(value)) return false;
  return isLong || int32.fits(value);
}

function report({ object, findings }: KindCheck, value: Json, { path, least, most }: RangeRule): void {
  const demand = most === undefined ? `must be at least ${least}` : `must be between ${least} and ${most}`;
  findings.add(object, { path }, ['field-range', { field: fieldName(path), demand, found: describeValue(value) }]);
}

export const portRange = { least: 1, most: 65_535 } as const;
