import { sentence, setting } from '../../diagnostics/index.ts';
import { createBudget, limitFindings, spend } from '../../budget/index.ts';
import type { FindingLimit } from '../../budget/index.ts';
import { nameOf } from '../../kube/index.ts';
import { TreeEdits } from '../../model/index.ts';
import type {
  Budget,
  Diagnostic,
  Json,
  JsonObject,
  KubeObject,
  Location,
  Message,
  Path,
  Report,
  Values,
} from '../../model/index.ts';
import {
  createResolver,
  createSubstitution,
  formatReferencePath,
  joinName,
  lookUpIn,
  unfilledTree,
} from '../../parameters/index.ts';
import type { LookUp, Substitution } from '../../parameters/index.ts';
import type { Change, FieldSource, PatchOptions, Target, Variables } from '../patch.ts';

import { createShapes } from './kind-shape.ts';
import type { KindShape } from './kind-shape.ts';
import type { ImagePart, PreparedField } from './prepare-field.ts';
import { createTargetIndex } from './target-index.ts';
import type { TargetIndex } from './target-index.ts';

/** State of applying a set of patches to a set of objects. */
export interface PatchRun {
  readonly objects: readonly KubeObject[];
  readonly options: PatchOptions;
  readonly index: TargetIndex;
  readonly substitution: Substitution;
  readonly report: Report;
  readonly budget: Budget;
  readonly limit: FindingLimit;
  readonly reported: Set<Target>;
  readonly changes: Change[];
  /** Objects with at least one patch, by position; all others are not even opened. */
  readonly patchings: Map<number, ObjectPatching>;
  readonly open: (index: number) => ObjectPatching;
  /** Strategic patches by object, to find conflicts. */
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
  // Copying a sibling costs much less than a change, but there may be many.
  const onCopy = (count: number): void => spend(budget, 'changes', count / neighboursOfChange);
  const parsed = new Set<string>();
  const patchings = new Map<number, ObjectPatching>();
  const report = (diagnostic: Diagnostic): void => {
    if (diagnostic.severity === 'error') state.failed = true;
    if (limit.takes(diagnostic)) options.report(diagnostic);
  };
  if (trace !== undefined)
    for (const object of objects) trace(`resource loaded: ${object.kind} ${nameOf(object) || '(without a name)'}`);

  function open(position: number): ObjectPatching {
    const existing = patchings.get(position);
    if (existing !== undefined) return existing;
    const object = objects[position]!;
    const patching: ObjectPatching = {
      index: position,
      key: index.keyOf(position),
      shape: shapeOf(object),
      run,
      settings: options.conflicts === true ? [] : undefined,
      report(diagnostic) {
        if (diagnostic.severity === 'error') patching.failed = true;
        report(diagnostic);
      },
      reportOnce(diagnostic) {
        const key = `${diagnostic.code} ${object.kind} ${diagnostic.message} ${JSON.stringify(diagnostic.location)}`;
        if (parsed.has(key)) return;
        parsed.add(key);
        patching.report(diagnostic);
      },
      pendingImages: undefined,
      object,
      edits: new TreeEdits(onCopy),
      failed: false,
      enabled: undefined,
    };
    patchings.set(position, patching);
    return patching;
  }

  const run: PatchRun = {
    objects,
    options,
    index,
    substitution: createPatchSubstitution(options.variables, { report, budget }),
    report,
    budget,
    limit,
    reported: new Set(),
    changes: [],
    patchings,
    open,
    strategic: new Map(),
    state,
  };
  return run;
}

const neighboursOfChange = 64;

/** Resolves the references of patches. Without variables, strings are left unchanged. */
export function createPatchSubstitution(
  variables: Variables | undefined,
  { report, budget }: { readonly report: Report; readonly budget: Budget },
): Substitution {
  if (variables === undefined) return identity;
  const lookUp = variables.scope === 'alone' ? lookUpAlone(variables, budget) : lookUpInPackage(variables);
  return createSubstitution({ lookUp, report, budget });
}

const identity: Substitution = {
  fillText: ({ text }) => text,
  fillValue: ({ text }) => ({ value: text }),
  fillTree: (data) => unfilledTree(data),
};

/** Values of standalone patches may refer to each other; problems are reported at the patch. */
function lookUpAlone({ values, features = {}, writtenAt }: Variables, budget: Budget): LookUp {
  const root = { values, features };
  let reportAtPatch: Report;
  const resolver = createResolver(root, {
    report: (diagnostic) => reportAtPatch(diagnostic),
    locate: () => undefined,
    maxDepth: Infinity,
    writtenAt: ([first, ...path]) => (first === 'values' ? writtenAt?.(path) : undefined),
    isScalarOnly: true,
    adviceFor: ([first]) => explainScopes(first, { values, features }),
    budget,
  });
  return (reference, report) => {
    reportAtPatch = report;
    return resolver.lookUp(reference, report);
  };
}

function explainScopes(
  first: Path[number] | undefined,
  { values, features }: { readonly values: Values; readonly features: Values },
): Message | undefined {
  if (first !== 'values' && first !== 'features') return 'start the reference with values. or features.';
  if (first === 'features')
    return Object.keys(features).length === 0 ? sentence`pass it with ${setting('features')}` : undefined;
  return Object.keys(values).length === 0
    ? sentence`pass it with ${setting('set')} or ${setting('values')}`
    : undefined;
}

/** Package parameters are already resolved here, so a `${…}` in their values is a literal string. */
function lookUpInPackage({ values, writtenAt, hasDottedNames = false }: Variables): LookUp {
  return lookUpIn(values, writtenAt, (written) => {
    const isAlias = isScopeAlias(written, values);
    const own = isAlias ? written.slice(1) : written;
    const format = isAlias ? (meant: Path): string => formatReferencePath([written[0]!, ...meant]) : undefined;
    return { path: (hasDottedNames ? joinName(own, values) : undefined) ?? own, format };
  });
}

/** In a package, `values.x` and `features.x` are aliases of parameter x, unless parameters with these names exist. */
export function isScopeAlias([first, ...rest]: Path, values: Values): boolean {
  return (first === 'values' || first === 'features') && rest.length > 0 && !Object.hasOwn(values, first);
}

/** State of patching one object. */
export interface ObjectPatching {
  /** Position in the input. */
  readonly index: number;
  /** `shop/deployment.web` */
  readonly key: string;
  readonly shape: KindShape;
  readonly run: PatchRun;
  /** Values that patches set, including unchanged ones; recorded only to find conflicts. */
  readonly settings: Setting[] | undefined;
  /** Reports a finding; after an error the object cannot be patched. */
  readonly report: (diagnostic: Diagnostic) => void;
  /** Like `report`, but only once for all objects of a kind. */
  readonly reportOnce: (diagnostic: Diagnostic) => void;
  /** Image parts, by path, that wait for a repository from the same file. */
  pendingImages: Map<string, PendingPart[]> | undefined;
  readonly edits: TreeEdits;
  object: KubeObject;
  failed: boolean;
  enabled: { readonly value: boolean; readonly source: FieldSource } | undefined;
}

export interface Setting {
  /** Path with names instead of indexes, which other patches may change: `containers[name=main].image`. */
  readonly path: string;
  readonly value: Json | undefined;
  readonly location: Location;
}

/** A patch being applied to an object. */
export interface Patching {
  readonly prepared: PreparedField;
  readonly patching: ObjectPatching;
}

interface PendingPart {
  readonly part: ImagePart;
  readonly text: string;
  readonly location: Location;
}
