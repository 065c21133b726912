import { spend } from '../../budget/index.ts';
import { readObjectName } from '../../kube/index.ts';
import type { Location } from '../../model/index.ts';
import type { Target } from '../patch.ts';
import { describeSteps } from './format-path.ts';
import type { PlainStep } from './prepared.ts';
import { applyProblems } from './problems.ts';
import { single } from './resolve-target.ts';
import type { Resolved, TargetContext } from './resolve-target.ts';

export interface Derivation {
  readonly target: Target;
  readonly location: Location;
  readonly context: TargetContext;
  /** Whether the object currently has the field at the path. */
  readonly exists: (index: number) => boolean;
}

/** Finds the object for a path without a target: the one named at the start of the path, or the only one that has the path. */
export function deriveTarget(steps: readonly PlainStep[], derivation: Derivation): Resolved | undefined {
  const { context, exists, location, target } = derivation;
  const { index, report } = context;
  const named = findNamed(steps, derivation);
  if (named !== undefined) return named.indexes.length === 0 ? undefined : named;
  const text = describeSteps(steps);
  spend(context.budget, 'changes', index.size / objectsOfChange, () => location);
  const found = Array.from({ length: index.size }, (_, position) => position).filter(exists);
  if (found.length > 0) return single(found, { text, target, location, context });
  report(applyProblems.create('target-undetermined', { key: text, known: index.keys() }, { location }));
  return undefined;
}

/** Searching this many objects for a path costs as much of the budget as one change. */
const objectsOfChange = 2;

/** Returns no indexes if the name matches several objects, which is reported. */
function findNamed(steps: readonly PlainStep[], { target, location, context }: Derivation): Resolved | undefined {
  const names: string[] = [];
  for (const step of steps) {
    if (step.type !== 'field') break;
    names.push(step.name);
  }
  const { index } = context;
  const [first = ''] = names;
  const slash = first.indexOf('/');
  const namespace = slash > 0 ? first.slice(0, slash) : undefined;
  const kind = slash > 0 ? first.slice(slash + 1) : first;
  const isGrouped = first.includes('@');
  for (let count = Math.min(names.length, steps.length - 1); count >= (isGrouped ? 1 : 2); count -= 1) {
    const text = names.slice(0, count).join('.');
    const [reading] = isGrouped ? readObjectName(text) : [{ namespace, kind, name: names.slice(1, count).join('.') }];
    const indexes = reading === undefined ? [] : index.byKindAndName(reading);
    if (indexes.length === 0) continue;
    const one = single(indexes, { text, target, location, context });
    return one === undefined ? { indexes: [], consumed: 0 } : { ...one, consumed: count };
  }
  if (steps.length < 2) return undefined;
  const byName = index.byNameInAnyCase(first);
  if (byName.length === 0) return undefined;
  const one = single(byName, { text: first, target, location, context });
  return one === undefined ? { indexes: [], consumed: 0 } : { ...one, consumed: 1 };
}
