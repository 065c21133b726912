import { nameOf, namespaceOf } from '../kube/index.ts';
import type { Json, KubeObject } from '../model/index.ts';
import { formatChangedField } from './changed-field.ts';
import type { FieldChange, ObjectDifference, ObjectsDifference } from './difference.ts';
import { riskOfChange, riskOfObject } from './rate-risks.ts';
import type { Risk } from './rate-risks.ts';

/** The same change in several builds. */
export interface GroupedChange {
  readonly operation: 'add' | 'remove' | 'change' | 'move';
  readonly kind: string;
  readonly name: string;
  /** Absent if the whole object was added or removed. */
  readonly field?: string | undefined;
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
  /** The values are hidden, because they are those of a Secret. */
  readonly hidden?: boolean | undefined;
  readonly risk?: Risk | undefined;
  /** The builds, in the given order. */
  readonly targets: readonly string[];
}

export interface ComparedTarget {
  readonly target: string;
  readonly difference: ObjectsDifference;
}

/** Identical changes once, with all builds that have them: additions and removals first, then the most frequent changes. */
export function groupChanges(compared: readonly ComparedTarget[]): readonly GroupedChange[] {
  const groups = new Map<string, GroupedChange & { readonly targets: string[] }>();
  for (const { target, difference } of compared) {
    for (const change of difference.objects.flatMap(changesOf)) {
      const { operation, kind, name, field, before, after, hidden } = change;
      const key = keyOf([operation, kind, name, field, before, after, hidden]);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { ...change, targets: [target] });
      else if (group.targets.at(-1) !== target) group.targets.push(target);
    }
  }
  return [...groups.values()].toSorted(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      b.targets.length - a.targets.length ||
      compareTexts(a.kind, b.kind) ||
      compareTexts(a.name, b.name) ||
      compareTexts(a.field ?? '', b.field ?? ''),
  );
}

function keyOf(parts: readonly unknown[]): string {
  return JSON.stringify(parts, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

/** Risky changes first, then whole objects. */
function rankOf({ risk, field, operation }: GroupedChange): number {
  if (risk !== undefined) return 0;
  if (field !== undefined) return 3;
  return operation === 'remove' ? 1 : 2;
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

type Change = Omit<GroupedChange, 'targets'>;

function changesOf(difference: ObjectDifference): readonly Change[] {
  if (difference.operation !== 'change') {
    const object = difference.operation === 'add' ? difference.after : difference.before;
    const risk = riskOfObject(difference);
    return [{ operation: difference.operation, ...namesOf(object), risk }];
  }
  const { before, after, changes } = difference;
  const moved = namespaceOf(before) === namespaceOf(after) ? [] : [moveOf(before, after)];
  return [
    ...moved,
    ...changes
      .filter((change) => moved.length === 0 || formatChangedField(change.path) !== 'metadata.namespace')
      .map((change) => describe(after, change)),
  ];
}

function moveOf(before: KubeObject, after: KubeObject): Change {
  const [from, to] = [namespaceOf(before), namespaceOf(after)];
  const field = 'metadata.namespace';
  return { operation: 'change', ...namesOf(after), field, before: from, after: to, risk: 'namespace' };
}

function describe(object: KubeObject, change: FieldChange): Change {
  const { operation, path, before, after, hidden } = change;
  const field = formatChangedField(path);
  return { operation, ...namesOf(object), field, before, after, hidden, risk: riskOfChange(object, change) };
}

function namesOf(object: KubeObject): Pick<Change, 'kind' | 'name'> {
  return { kind: object.kind, name: nameOf(object) };
}
