import { createBudget } from '../../budget/index.ts';
import { groupNamed, readObjectName } from '../../kube/index.ts';
import type { ObjectReading } from '../../kube/index.ts';
import type { KubeObject } from '../../model/index.ts';
import type { Substitution } from '../../parameters/index.ts';
import { findKinds } from '../../schema/index.ts';
import type { SchemaStore } from '../../schema/index.ts';
import { deriveTarget, resolveTarget } from '../apply/resolve-target.ts';
import { createShapes } from '../apply/kind-shape.ts';
import type { KindShape } from '../apply/kind-shape.ts';
import { isMeantGlobally, isReached, pathExists } from '../apply/find-places.ts';
import { kindAliases } from '../apply/target-index.ts';
import { startRun } from '../apply/patch-run.ts';
import type { ObjectPatching, PatchRun } from '../apply/patch-run.ts';
import type { PlainStep, PreparedField } from '../apply/prepare-field.ts';
import type { DocumentPatch, Target, Variables } from '../patch.ts';

type NamingTarget = Extract<Target, { readonly type: 'header' | 'text' }>;

/** A kind that a patch applies to, with one object of it. */
export interface Holder {
  readonly object: KubeObject;
  readonly shape: KindShape;
  /** Number of leading steps that are part of the object name. */
  readonly consumed: number;
}

export interface HolderSearch {
  /** Fills in names; a name with an undefined reference is kept as written, because names rarely affect types. */
  readonly names: Substitution;
  ofField(prepared: PreparedField): readonly Holder[];
  ofDocument(patch: DocumentPatch): readonly Holder[];
}

/** Finds the kinds that patches apply to. Invalid targets are reported when patches are applied, not here. */
export function createHolderSearch(
  objects: readonly KubeObject[],
  { store, variables }: { readonly store: SchemaStore | undefined; readonly variables?: Variables | undefined },
): HolderSearch {
  // The same search was already charged when the patches were applied.
  const budget = createBudget({ maxChanges: Infinity });
  const run = startRun(objects, { report: () => undefined, store, variables, budget });
  const shapeOf = createShapes(store);
  const byKind = groupByKind(objects);
  const known = new Map<Target, readonly Holder[]>();
  let aliases: ((kind: string) => string) | undefined;

  function ofIndexes(indexes: readonly number[], consumed: number): readonly Holder[] {
    const kinds = new Map(indexes.map((index) => [keyOfKind(objects[index]!), objects[index]!]));
    return Array.from(kinds.values(), (object) => ({ object, shape: shapeOf(object), consumed }));
  }

  /** No object with this name exists; its kind is enough. */
  function ofKind(target: Target): readonly Holder[] {
    const reading = kindIn(target, run);
    if (reading === undefined || store === undefined) return [];
    aliases ??= kindAliases(new Set(store.kinds().map(({ kind }) => kind.toLowerCase())));
    const { groups } = reading;
    const gvk = findKinds(store, aliases(reading.kind)).find(
      ({ group: one }) => groups === undefined || groups.has(one),
    );
    if (gvk === undefined) return [];
    const { group, version, kind } = gvk;
    const object = { apiVersion: group === '' ? version : `${group}/${version}`, kind };
    return [{ object, shape: shapeOf(object), consumed: 0 }];
  }

  function ofField(prepared: PreparedField): readonly Holder[] {
    const { patch, steps } = prepared;
    const { target, location } = patch;
    if (target.type === 'all') {
      const meant = [...byKind.values()].flatMap((indexes) => {
        const found = indexes.find((index) => isMeantGlobally(prepared, run.open(index)));
        return found === undefined ? [] : [found];
      });
      return ofIndexes(meant, 0);
    }
    if (target.type === 'derived') {
      if (steps.length === 0) return [];
      const exists = (index: number): boolean => pathExists(prepared, run.open(index));
      const found = deriveTarget(steps, { target, location, context: run, exists });
      return found === undefined ? [] : ofIndexes(found.indexes, found.consumed);
    }
    const holders = ofTarget(target, steps);
    const isAnyKind = target.type === 'header' && target.kind.text === '*';
    return isAnyKind ? holders.filter(({ object }) => isReached(prepared, openKind(object))) : holders;
  }

  /** Any object of the kind. */
  function openKind(object: KubeObject): ObjectPatching {
    return run.open(byKind.get(keyOfKind(object))![0]!);
  }

  function ofTarget(target: NamingTarget, steps: readonly PlainStep[]): readonly Holder[] {
    const remembered = known.get(target);
    if (remembered !== undefined) return remembered;
    const found = resolveTarget(target, steps, run);
    if (found === undefined || found.indexes.length === 0) return ofKind(target);
    const holders = ofIndexes(found.indexes, found.consumed);
    // All entries of a section share one header, unless part of it turns out to belong to the name.
    if (found.consumed === 0) known.set(target, holders);
    return holders;
  }

  function ofDocument({ target }: DocumentPatch): readonly Holder[] {
    return target.type === 'header' || target.type === 'text' ? ofTarget(target, []) : [];
  }

  const names: Substitution = {
    ...run.substitution,
    fillText: (template, locate) => run.substitution.fillText(template, locate) ?? template.text,
  };
  return { names, ofField, ofDocument };
}

function groupByKind(objects: readonly KubeObject[]): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, object] of objects.entries()) {
    const group = groups.get(keyOfKind(object)) ?? [];
    group.push(index);
    groups.set(keyOfKind(object), group);
  }
  return groups;
}

function keyOfKind({ apiVersion, kind }: KubeObject): string {
  return `${apiVersion}/${kind}`;
}

function kindIn(target: Target, { substitution }: PatchRun): Pick<ObjectReading, 'kind' | 'groups'> | undefined {
  if (target.type === 'header') {
    const { location } = target;
    const kind = substitution.fillText(target.kind, () => location);
    const group = target.group === undefined ? undefined : substitution.fillText(target.group, () => location);
    if (kind === undefined) return undefined;
    return { kind, groups: group === undefined ? undefined : new Set([groupNamed(group)]) };
  }
  if (target.type !== 'text') return undefined;
  return readObjectName(substitution.fillText(target.text, () => target.location) ?? target.text.text)[0];
}
