import type { Path } from '../../model/index.ts';
import { formatPath } from '../format-path.ts';
import { fieldPlan, itemPlan } from './field-plan.ts';
import type { FieldPlan } from './field-plan.ts';

// Further away it is more likely another field of the same name than the one that was meant.
const furthestUp = 3;
const furthestDown = 2;

/** Where close to `holder` a field of this name belongs: in what surrounds it, or in one of its own fields. */
export function findElsewhere(root: FieldPlan, holder: Path, name: string): string | undefined {
  const plans = plansAlong(root, holder);
  for (let up = 1; up <= furthestUp && up <= holder.length; up += 1) {
    const at = holder.slice(0, -up);
    const plan = plans[at.length];
    // A list has no fields of its own, and the object itself is named by what it is.
    if (plan?.node.propertyNames.includes(name) === true)
      return at.length === 0 ? 'the object itself' : `"${formatPath(at)}"`;
  }
  const here = plans[holder.length];
  return here === undefined ? undefined : findBelow(here, holder, name);
}

function plansAlong(root: FieldPlan, path: Path): readonly (FieldPlan | undefined)[] {
  const plans: (FieldPlan | undefined)[] = [root];
  for (const step of path) {
    const last = plans.at(-1);
    plans.push(last === undefined ? undefined : typeof step === 'number' ? itemPlan(last) : fieldPlan(last, step));
  }
  return plans;
}

interface Below {
  readonly path: Path;
  readonly plan: FieldPlan;
  readonly isRequired: boolean;
}

/** The one field at the least depth that has it; of several the one that must be there anyway. */
function findBelow(plan: FieldPlan, path: Path, name: string): string | undefined {
  let level: readonly Below[] = [{ path, plan, isRequired: true }];
  for (let depth = 0; depth < furthestDown; depth += 1) {
    level = level.flatMap(stepDown);
    const found = level.filter(({ plan: { node } }) => node.propertyNames.includes(name));
    const only = found.length === 1 ? found : found.filter(({ isRequired }) => isRequired);
    if (only.length === 1) return `"${formatPath(only[0]!.path)}"`;
    if (found.length > 0) return undefined;
  }
  return undefined;
}

function stepDown({ path, plan, isRequired }: Below): readonly Below[] {
  return plan.node.propertyNames.flatMap((name) => {
    const child = name === 'status' ? undefined : fieldPlan(plan, name);
    if (child === undefined) return [];
    const at = { path: [...path, name], isRequired: isRequired && plan.node.required?.includes(name) === true };
    if (child.node.type === 'object') return [{ ...at, plan: child }];
    const items = child.node.type === 'list' ? itemPlan(child) : undefined;
    return items?.node.type === 'object' ? [{ ...at, path: [...at.path, 0], plan: items }] : [];
  });
}
