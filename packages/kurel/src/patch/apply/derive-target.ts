import { spend } from '../../budget/index.ts';
import { quote } from '../../diagnostics/index.ts';
import { formatWithGroup, readObjectName } from '../../kube/index.ts';
import type { Location } from '../../model/index.ts';
import type { Target } from '../patch.ts';
import { describeSteps } from './format-path.ts';
import { startsPath } from './kind-shape.ts';
import type { PatchRun } from './patch-run.ts';
import type { PlainStep } from './prepare-field.ts';
import { applyProblems } from './problems.ts';
import { describeReading, onlyReading, restInFull } from './target-readings.ts';
import type { Reading, Resolved } from './target-readings.ts';

interface Derivation {
  readonly target: Target;
  readonly location: Location;
  readonly context: PatchRun;
  /** Whether the object currently has the field at the path. */
  readonly exists: (index: number) => boolean;
}

/** Finds the object for a path without a target: the one named at the start of the path, or the only one that has the path. */
export function deriveTarget(steps: readonly PlainStep[], derivation: Derivation): Resolved | undefined {
  const { context, exists, location, target } = derivation;
  const { index, report } = context;
  const text = describeSteps(steps);
  const named = findNamed(steps, context);
  const [first] = steps;
  const name = first?.type === 'field' ? first.name : '';
  // A name such as "data" may be that of an object, or the start of a path.
  if (named.length > 0) spend(context.budget, 'changes', index.size / startsOfChange, () => location);
  const positions = Array.from({ length: index.size }, (_, position) => position).filter(
    (position) => named.length === 0 || startsPathOf(name, position, context),
  );
  spend(context.budget, 'changes', positions.length / objectsOfChange, () => location);
  const holders = positions.filter(exists);
  const readings = [...named, ...(holders.length === 0 ? [] : [{ indexes: holders, consumed: 0 }])];
  if (readings.length > 0) {
    const [{ consumed }] = readings as [Reading];
    return onlyReading(readings, {
      text: readings.length > 1 || consumed === 0 ? text : describeSteps(steps.slice(0, consumed)),
      target,
      location,
      context,
      explain(position, own) {
        const object = context.objects[position]!;
        const rest = steps.slice(own);
        const inside = describeSteps(restInFull(rest, position, context));
        const spelling = `${quote(inside)} below \`target: ${formatWithGroup(object)}\``;
        return { meaning: describeReading(object, rest), spelling };
      },
    });
  }
  report(applyProblems.create('target-undetermined', { key: text, available: index.keys() }, { location }));
  return undefined;
}

/** Searching this many objects for a path costs as much of the budget as one change. */
const objectsOfChange = 2;

/** Looking up only the first name costs much less. */
const startsOfChange = 64;

function startsPathOf(name: string, position: number, { objects, open }: PatchRun): boolean {
  const object = objects[position]!;
  return startsPath(name, object, open(position).shape);
}

/** Every object whose name the path may start with: `kind.name`, where the name may contain dots, or the name alone. */
function findNamed(steps: readonly PlainStep[], { index }: PatchRun): readonly Reading[] {
  const names: string[] = [];
  for (const step of steps) {
    if (step.type !== 'field') break;
    names.push(step.name);
  }
  const [first = ''] = names;
  const slash = first.indexOf('/');
  const namespace = slash > 0 ? first.slice(0, slash) : undefined;
  const kind = slash > 0 ? first.slice(slash + 1) : first;
  const isGrouped = first.includes('@');
  const readings: Reading[] = [];
  for (let count = isGrouped ? 1 : 2; count <= Math.min(names.length, steps.length - 1); count += 1) {
    const name = names.slice(1, count).join('.');
    // A group has dots, too.
    if (!isGrouped && name.length > index.maxNameLength) break;
    const [reading] = isGrouped ? readObjectName(names.slice(0, count).join('.')) : [{ namespace, kind, name }];
    const indexes = reading === undefined ? [] : index.byKindAndName(reading);
    if (indexes.length > 0) readings.push({ indexes, consumed: count });
  }
  const byName = steps.length < 2 ? [] : index.byNameInAnyCase(first);
  return byName.length === 0 ? readings : [...readings, { indexes: byName, consumed: 1 }];
}
