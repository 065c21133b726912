import { createBudget, limitFindings } from '../../budget/index.ts';
import type { FindingLimit } from '../../budget/index.ts';
import type { Budget, Diagnostic, KubeObject, Location, Report } from '../../model/index.ts';
import type { JsonObject } from '../../model/index.ts';
import type { Substitution } from '../../parameters/index.ts';
import type { Change, PatchOptions } from '../application.ts';
import type { Target } from '../patch.ts';
import { createShapes } from './kind-shape.ts';
import type { ObjectPatching } from './object-patching.ts';
import { createPatchSubstitution } from './substitute.ts';
import { createTargetIndex } from './target-index.ts';
import type { TargetIndex } from './target-index.ts';

/** A set of patches on its way through a set of objects. */
export interface PatchRun {
  readonly objects: readonly KubeObject[];
  readonly options: PatchOptions;
  readonly index: TargetIndex;
  readonly substitution: Substitution;
  readonly report: Report;
  readonly budget: Budget;
  readonly limit: FindingLimit;
  readonly told: Set<Target>;
  readonly changes: Change[];
  /** The objects that a patch was for, by position; all others stay as they are without a look at them. */
  readonly patchings: Map<number, ObjectPatching>;
  readonly open: (index: number) => ObjectPatching;
  /** Strategic patches by object, for the search for conflicts. */
  readonly strategic: Map<number, StrategicUse[]>;
  readonly state: { failed: boolean };
}

export interface StrategicUse {
  readonly document: JsonObject;
  readonly location: Location;
}

export function startRun(objects: readonly KubeObject[], options: PatchOptions): PatchRun {
  const { trace, budget = createBudget() } = options;
  const limit = limitFindings(budget);
  const index = createTargetIndex(objects);
  const state = { failed: false };
  const shapeOf = createShapes(options.store);
  const said = new Set<string>();
  const changes: Change[] = [];
  const patchings = new Map<number, ObjectPatching>();
  const report = (diagnostic: Diagnostic): void => {
    if (diagnostic.severity === 'error') state.failed = true;
    if (limit.takes(diagnostic)) options.report(diagnostic);
  };
  if (trace !== undefined)
    for (const object of objects) trace(`resource loaded: ${object.kind} ${nameForTrace(object)}`);

  function open(position: number): ObjectPatching {
    const known = patchings.get(position);
    if (known !== undefined) return known;
    const object = objects[position]!;
    const patching: ObjectPatching = {
      index: position,
      key: index.keyOf(position),
      shape: shapeOf(object),
      options,
      budget,
      changes,
      settings: options.conflicts === true ? [] : undefined,
      report(diagnostic) {
        if (diagnostic.severity === 'error') patching.failed = true;
        report(diagnostic);
      },
      reportOnce(diagnostic) {
        const key = `${diagnostic.code} ${object.kind} ${diagnostic.message} ${JSON.stringify(diagnostic.location)}`;
        if (said.has(key)) return;
        said.add(key);
        patching.report(diagnostic);
      },
      isFull: limit.isFull,
      trace,
      pendingImages: new Map(),
      object,
      owned: new Set(),
      failed: false,
      enabled: undefined,
    };
    patchings.set(position, patching);
    return patching;
  }

  return {
    objects,
    options,
    index,
    substitution: createPatchSubstitution(options.variables, { report, budget }),
    report,
    budget,
    limit,
    told: new Set(),
    changes,
    patchings,
    open,
    strategic: new Map(),
    state,
  };
}

function nameForTrace({ metadata }: KubeObject): string {
  const name = typeof metadata === 'object' && metadata !== null && 'name' in metadata ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : '(without a name)';
}
