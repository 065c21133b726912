import type { Budget, Diagnostic, Json, Location, Message, Path, Severity } from '../../model/index.ts';
import type { SchemaNode, SchemaRule } from '../schema-node.ts';
import type { Complaint } from './constraints.ts';
import type { DefaultFiller } from './defaults.ts';
import { fieldName, formatPath } from './names.ts';
import type { FieldPlan } from './plan.ts';
import { valueProblems } from './problems.ts';
import type { Noun, ValueFinding } from './problems.ts';

/** A mistake and its position: the key or the value at a path. */
export interface CheckFinding {
  readonly finding: ValueFinding;
  readonly path: Path;
  readonly at?: 'key' | undefined;
  readonly severity?: Severity | undefined;
  readonly related?: { readonly message: string; readonly path: Path } | undefined;
}

/** Differences between the sources of schemas. All other checks are the same for every source. */
export interface CheckSource {
  readonly noun: Noun;
  /** The root value, as messages name it. */
  readonly whole: string;
  /** Built-in kinds are decoded into types, CRDs are pruned: they differ in details. */
  readonly isBuiltIn?: boolean | undefined;
  /** If set, messages name full paths without a parent: `persistence.size`. */
  readonly namePath?: ((path: Path) => string) | undefined;
  /** The message for a mistake, if a specification prescribes it. */
  readonly prescribe?: ((mistake: Mistake) => string | undefined) | undefined;
  /** `allOf` and similar keywords describe fields, as in JSON Schema; in structural schemas they only constrain. */
  readonly isLogicDescribing?: boolean | undefined;
  /** A null in a list is never read as an empty item. */
  readonly refusesNullItems?: boolean | undefined;
  /** How to fix a value of the wrong type, if the source knows better. */
  readonly adviseType?: ((path: Path, node: SchemaNode, value: Json) => Message | undefined) | undefined;
  readonly adviseMissing?: ((path: Path) => Message) | undefined;
  /** A number or boolean as written. */
  readonly writtenAt?: ((path: Path, value: number | bigint | boolean) => string | undefined) | undefined;
  /** Limits of the number and depth of values; beyond them the schema is too complex. */
  readonly most?: { readonly steps: number; readonly depth: number } | undefined;
}

/** A mistake whose message a specification may prescribe. */
export interface Mistake extends Pick<Complaint, 'rule'> {
  readonly field: string;
  readonly value: Json;
  /** The expected types, for a value that has none of them. */
  readonly types?: readonly string[];
}

/** Rules to evaluate once the fields are known to be valid. */
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
  /** Created for the first alternatives. */
  defaults: DefaultFiller | undefined;
  readonly isBuiltIn: boolean;
  readonly rules: PendingRules[];
  /** Set inside alternatives, where a mismatch is not a finding of its own. */
  misfits: CheckFinding[] | undefined;
  /** Above 0 in schemas that only constrain, which ignore fields that they do not name. */
  constraining: number;
  /** Whether steps and depth are counted, which costs time for each value. */
  readonly isLimited: boolean;
  steps: number;
  depth: number;
  readonly deepest: number;
  /** Checks a value; alternatives call it again for the same value. */
  readonly check: (walk: Walk, plan: FieldPlan, value: Json) => void;
}

/** Ends a walk that takes more steps than its source allows. */
export class TooComplex extends Error {}

export function complain(walk: Walk, finding: ValueFinding, place?: Omit<CheckFinding, 'path' | 'finding'>): void {
  hand(walk, { ...place, finding, path: [...walk.path] });
}

/** Inside alternatives, only errors count as a mismatch. */
export function hand(walk: Walk, finding: CheckFinding): void {
  const { misfits, report } = walk;
  // Each is kept until all alternatives were tried.
  if (walk.isLimited) countStep(walk);
  if (misfits === undefined) report(finding);
  else if (finding.severity === undefined) misfits.push(finding);
}

export function countStep(walk: Walk): void {
  walk.steps -= 1;
  if (walk.steps < 0) throw new TooComplex();
}

/** The current value as messages name it. */
export function nameField({ source, path, start }: Walk): string {
  if (path.length === start && start === 0) return source.whole;
  return source.namePath?.(path) ?? fieldName(path);
}

/** The parent so many levels up; undefined if messages name full paths. */
export function nameHolder({ source, path }: Walk, up: number): string | undefined {
  if (source.namePath !== undefined) return undefined;
  return path.length === up ? source.whole : formatPath(path.slice(0, path.length - up));
}

/** A finding ready to report, at a place from `locate`. */
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
