import type { Budget, Diagnostic, Json, Location, Path, Severity } from '../../model/index.ts';
import type { SchemaNode, SchemaRule } from '../schema-node.ts';
import type { Complaint } from './constraints.ts';
import type { DefaultFiller } from './defaults.ts';
import { fieldName, formatPath } from './names.ts';
import type { FieldPlan } from './plan.ts';
import { valueProblems } from './problems.ts';
import type { Noun, ValueFinding } from './problems.ts';

/** What is wrong, and where: at the key or the value at a path. */
export interface CheckFinding {
  readonly finding: ValueFinding;
  readonly path: Path;
  readonly at?: 'key' | undefined;
  readonly severity?: Severity | undefined;
  readonly related?: { readonly message: string; readonly path: Path } | undefined;
}

/** What differs between the sources of schemas. Everything else about a value is the same wherever its schema comes from. */
export interface CheckSource {
  readonly noun: Noun;
  /** The value as a whole, in messages. */
  readonly whole: string;
  /** Kinds that Kubernetes serves itself are decoded into types, CRDs are pruned: they differ in small things. */
  readonly isBuiltIn?: boolean | undefined;
  /** Messages name whole paths and have no holder: `persistence.size`. */
  readonly namePath?: ((path: Path) => string) | undefined;
  /** The words of messages that a specification prescribes. */
  readonly prescribe?: ((mistake: Mistake) => string | undefined) | undefined;
  /** `allOf` and its like describe fields, as in JSON Schema; in structural schemas they only constrain. */
  readonly isLogicDescribing?: boolean | undefined;
  /** A null in a list is never taken for an empty item. */
  readonly refusesNullItems?: boolean | undefined;
  /** How to mend a value of the wrong type, where that is known better here. */
  readonly adviseType?: ((path: Path, node: SchemaNode, value: Json) => string | undefined) | undefined;
  readonly adviseMissing?: ((path: Path) => string) | undefined;
  /** A number or boolean as its author wrote it. */
  readonly writtenAt?: ((path: Path, value: number | bigint | boolean) => string | undefined) | undefined;
  /** Values that may be looked at, and levels of them; beyond that the schema is too complex. */
  readonly most?: { readonly steps: number; readonly depth: number } | undefined;
}

/** A mistake whose words a specification may prescribe. */
export interface Mistake extends Pick<Complaint, 'rule'> {
  readonly field: string;
  readonly value: Json;
  /** The types that were wanted, of a value that has none of them. */
  readonly types?: readonly string[];
}

/** Rules to evaluate once the fields are known to be right. */
export interface PendingRules {
  readonly node: SchemaNode;
  readonly rules: readonly SchemaRule[];
  readonly path: Path;
  readonly value: Json;
}

/** One walk through a value along its schema. The path is one list that grows and shrinks, so that valid values cost nothing. */
export interface Walk {
  readonly source: CheckSource;
  readonly root: FieldPlan;
  /** Length of the path to the root. */
  readonly start: number;
  readonly path: (string | number)[];
  readonly report: (finding: CheckFinding) => void;
  readonly budget: Budget;
  /** Made for the first alternatives. */
  defaults: DefaultFiller | undefined;
  readonly isBuiltIn: boolean;
  readonly rules: PendingRules[];
  /** Set inside of alternatives, where a misfit is no finding of its own. */
  misfits: CheckFinding[] | undefined;
  /** Above 0 in schemas that only constrain: fields that they do not name are no business of theirs. */
  constraining: number;
  steps: number;
  depth: number;
  readonly deepest: number;
  /** Checks a value; alternatives call it again on the same value. */
  readonly check: (walk: Walk, plan: FieldPlan, value: Json) => void;
}

/** Ends a walk that takes more steps than its source allows. */
export class TooComplex extends Error {}

export function complain(walk: Walk, finding: ValueFinding, place?: Omit<CheckFinding, 'path' | 'finding'>): void {
  hand(walk, { ...place, finding, path: [...walk.path] });
}

/** Inside of alternatives only errors keep a value from fitting. */
export function hand(walk: Walk, finding: CheckFinding): void {
  const { misfits, report } = walk;
  // Each is kept until all are known.
  walk.steps -= 1;
  if (walk.steps < 0) throw new TooComplex();
  if (misfits === undefined) report(finding);
  else if (finding.severity === undefined) misfits.push(finding);
}

/** The value at hand as messages name it. */
export function nameField({ source, path, start }: Walk): string {
  if (path.length === start && start === 0) return source.whole;
  return source.namePath?.(path) ?? fieldName(path);
}

/** What has the field so many levels up; nothing where messages name whole paths. */
export function nameHolder({ source, path }: Walk, up: number): string | undefined {
  if (source.namePath !== undefined) return undefined;
  return path.length === up ? source.whole : formatPath(path.slice(0, path.length - up));
}

/** A finding as it is reported, in a place that `locate` knows. */
export function createFinding(
  { finding: [code, args], path, at, severity, related }: CheckFinding,
  locate: (path: Path) => Location | undefined,
): Diagnostic {
  const place = locate(path);
  const other = related === undefined ? undefined : locate(related.path);
  return valueProblems.create(code, args, {
    location: at === 'key' && place?.path !== undefined ? { ...place, at } : place,
    ...(other === undefined ? {} : { related: [{ message: related!.message, location: other }] }),
    ...(severity === undefined ? {} : { severity }),
  });
}
