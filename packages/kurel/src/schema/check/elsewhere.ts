import type { Path } from '../../model/index.ts';
import { formatPath } from './names.ts';
import { fieldPlan, itemPlan } from './plan.ts';
import type { FieldPlan } from './plan.ts';

// Further away, it is more likely a different field with the same name.
const furthestUp = 3;
const furthestDown = 2;

interface Misplaced {
  /** Path from the root to the object with the field. */
  readonly holder: Path;
  readonly name: string;
  /** Path to the root. */
  readonly prefix: Path;
  /** The root, as messages name it. */
  readonly whole: string;
}

/** Where a field with this name exists near `holder`: in one of its parents, or in one of its own fields. */
export function findElsewhere(root: FieldPlan, { holder, name, prefix, whole }: Misplaced): string | undefined {
  const plans = plansAlong(root, holder);
  for (let up = 1; up <= furthestUp && up <= holder.length; up += 1) {
    const at = holder.slice(0, -up);
    const plan = plans[at.length];
    // A list has no fields of its own.
    if (plan?.node.propertyNames.includes(name) === true)
      return formatPath([...prefix, ...at]) || `the top level of ${whole}`;
  }
  const here = plans[holder.length];
  const below = here === undefined ? undefined : findBelow(here, holder, name);
  return below === undefined ? undefined : formatPath([...prefix, ...below]);
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

/** The only field at the smallest depth that has it; of several, the only required one. */
function findBelow(plan: FieldPlan, path: Path, name: string): Path | undefined {
  let level: readonly Below[] = [{ path, plan, isRequired: true }];
  for (let depth = 0; depth < furthestDown; depth += 1) {
    level = level.flatMap(stepDown);
    const holders = level.filter(({ plan: { node } }) => node.propertyNames.includes(name));
    const only = holders.length === 1 ? holders : holders.filter(({ isRequired }) => isRequired);
    if (only.length === 1) return only[0]!.path;
    if (holders.length > 0) return undefined;
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

/** A field of the parent object that allows any key. */
export function findFree(plan: FieldPlan | undefined, holder: Path): string | undefined {
  const name = plan?.node.propertyNames.find((field) => {
    const node = plan.node.property(field);
    return node?.type === 'object' && node.open === true;
  });
  return name === undefined ? undefined : formatPath([...holder, name]);
}
