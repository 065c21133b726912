import {
  annotationOf,
  gvkOf,
  installPhaseAnnotation,
  installPhaseOf,
  installPhases,
  isOfKind,
  kindDefinedBy,
  nameOf,
  namespaceOf,
} from '../kube/index.ts';
import type { InstallPhase } from '../kube/index.ts';
import type { GroupVersionKind, KubeObject } from '../model/index.ts';

/** Namespaces by name, and CustomResourceDefinitions by the kind that they define. */
export type Needs = ReadonlyMap<string, KubeObject>;

export function findNeeds(objects: readonly KubeObject[]): Needs {
  const needs = new Map<string, KubeObject>();
  for (const object of objects) {
    if (isOfKind(object, { group: '', kind: 'Namespace' })) needs.set(nameOf(object), object);
    const defined = kindDefinedBy(object);
    if (defined !== undefined) needs.set(keyOfKind(defined), object);
  }
  return needs;
}

function keyOfKind({ group, kind }: Pick<GroupVersionKind, 'group' | 'kind'>): string {
  return `${group}/${kind}`;
}

/** The definition of its kind among the objects of the build. */
export function definitionOf(object: KubeObject, needs: Needs): KubeObject | undefined {
  const type = gvkOf(object);
  const definition = type === undefined ? undefined : needs.get(keyOfKind(type));
  return definition === object ? undefined : definition;
}

/** Its Namespace and the definition of its kind, as far as they are among the objects of the build. */
export function needsOf(object: KubeObject, needs: Needs): readonly KubeObject[] {
  return [needs.get(namespaceOf(object)), definitionOf(object, needs)].filter((need) => need !== undefined);
}

/** A Namespace or definition that is applied earlier than by default, because `by` needs it. */
export interface Move {
  readonly phase: InstallPhase;
  readonly by: KubeObject;
}

export interface PhaseTable {
  readonly phaseOf: (object: KubeObject) => InstallPhase;
  readonly moves: ReadonlyMap<KubeObject, Move>;
}

export interface PhaseOptions {
  /** Moves those with a phase of their own, too: without phases to wait for, only the order counts. */
  readonly isOrderOnly?: boolean;
}

/**
 * The phase of each object. A Namespace or CustomResourceDefinition without a phase of its own moves to that of the first object
 * that needs it, so that each phase can be applied with what the phases before it have made.
 */
export function assignPhases(objects: readonly KubeObject[], { isOrderOnly = false }: PhaseOptions = {}): PhaseTable {
  const needs = findNeeds(objects);
  const moves = new Map<KubeObject, Move>();
  const phaseOf = (object: KubeObject): InstallPhase => moves.get(object)?.phase ?? ownPhaseOf(object);
  for (const by of objects) {
    const phase = ownPhaseOf(by);
    for (const need of needsOf(by, needs)) {
      if (!isOrderOnly && annotationOf(need, installPhaseAnnotation) !== undefined) continue;
      if (isEarlier(phase, phaseOf(need))) moves.set(need, { phase, by });
    }
  }
  return { phaseOf, moves };
}

export function isEarlier(phase: InstallPhase, other: InstallPhase): boolean {
  return installPhases.indexOf(phase) < installPhases.indexOf(other);
}

/** An invalid phase is reported elsewhere, so its position does not matter. */
function ownPhaseOf(object: KubeObject): InstallPhase {
  return installPhaseOf(object) ?? 'main';
}
