import { quote } from '../diagnostics/index.ts';
import {
  annotationOf,
  annotationsOf,
  describeObject,
  gvkOf,
  installPhaseAnnotation,
  installPhaseOf,
  installPhases,
  isOfKind,
  kindDefinedBy,
  nameOf,
  namespaceOf,
  ownAnnotationPrefix,
  timeoutAnnotation,
  timeoutOf,
  waitForPreviousAnnotation,
  waitForPreviousOf,
  waitForReadyAnnotation,
  waitForReadyOf,
  withAnnotations,
} from '../kube/index.ts';
import type { InstallPhase } from '../kube/index.ts';
import type { GroupVersionKind, KubeObject, OriginTable, Report } from '../model/index.ts';
import type { LayoutInput } from './layout.ts';
import { layoutProblems } from './problems.ts';

export interface Phase {
  readonly name: InstallPhase;
  readonly objects: readonly KubeObject[];
}

/** A phase in a tree that may contain files of an earlier build. */
export interface PhaseInTree extends Phase {
  /** Dropped by filters; still part of the phase while files of an earlier build are kept. */
  readonly dropped: readonly KubeObject[];
  /** Names of kept files in its directory. */
  readonly kept: readonly string[];
}

/** Phases with objects, in apply order; objects keep their order within a phase. */
export function splitByPhase(objects: readonly KubeObject[]): readonly Phase[] {
  return installPhases
    .map((name) => ({ name, objects: objects.filter((object) => phaseOf(object) === name) }))
    .filter((phase) => phase.objects.length > 0);
}

/** Phases with objects or kept files, in apply order. */
export function phasesInTree({ objects, dropped = [], place }: LayoutInput): readonly PhaseInTree[] {
  const of = (list: readonly KubeObject[], name: InstallPhase) => list.filter((object) => phaseOf(object) === name);
  return installPhases
    .map((name) => ({
      name,
      objects: of(objects, name),
      dropped: of(dropped, name),
      kept: (place?.kept ?? []).flatMap((path) => (path.startsWith(`${name}/`) ? [path.slice(name.length + 1)] : [])),
    }))
    .filter((phase) => phase.objects.length + phase.kept.length > 0);
}

/** All known objects of a phase in the tree. */
export function everythingIn({ objects, dropped, kept }: PhaseInTree): readonly KubeObject[] {
  return kept.length === 0 ? objects : [...objects, ...dropped];
}

/** Earlier phases first; objects keep their order within a phase. */
export function orderByPhase(objects: readonly KubeObject[]): readonly KubeObject[] {
  return splitByPhase(objects).flatMap((phase) => phase.objects);
}

/** An invalid phase is reported elsewhere, so its position does not matter. */
function phaseOf(object: KubeObject): InstallPhase {
  return installPhaseOf(object) ?? 'main';
}

/** Reports invalid phase annotations, and objects that come before their Namespace or definition. */
export function checkPhases(objects: readonly KubeObject[], report: Report): void {
  const needs = findNeeds(objects);
  for (const object of objects) {
    checkOwnAnnotations(object, report);
    checkNeeds(object, needs, report);
    const argsOf = (key: string) => ({ object: describeObject(object), value: annotationOf(object, key)! });
    const placeOf = (key: string) => ({ subject: { object, path: ['metadata', 'annotations', key] } });
    if (installPhaseOf(object) === undefined) {
      const key = installPhaseAnnotation;
      report(layoutProblems.create('phase-unknown', { ...argsOf(key), phases: installPhases }, placeOf(key)));
    }
    for (const [key, isWaiting] of waits) {
      if (isWaiting(object) !== undefined) continue;
      const annotation = key.slice(ownAnnotationPrefix.length);
      report(layoutProblems.create('phase-wait-invalid', { ...argsOf(key), annotation }, placeOf(key)));
    }
    if (timeoutOf(object) === undefined) {
      const key = timeoutAnnotation;
      report(layoutProblems.create('phase-timeout-invalid', argsOf(key), placeOf(key)));
    }
  }
}

const waits = [
  [waitForReadyAnnotation, waitForReadyOf],
  [waitForPreviousAnnotation, waitForPreviousOf],
] as const;

const ownAnnotations: readonly string[] = [
  installPhaseAnnotation,
  waitForReadyAnnotation,
  waitForPreviousAnnotation,
  timeoutAnnotation,
  // Package parameters often add these to all objects.
  `${ownAnnotationPrefix}package`,
  `${ownAnnotationPrefix}version`,
];

function checkOwnAnnotations(object: KubeObject, report: Report): void {
  for (const annotation of Object.keys(annotationsOf(object))) {
    if (!annotation.startsWith(ownAnnotationPrefix) || ownAnnotations.includes(annotation)) continue;
    const args = { object: describeObject(object), annotation, known: ownAnnotations };
    const subject = { object, path: ['metadata', 'annotations', annotation], at: 'key' as const };
    report(layoutProblems.create('annotation-unknown', args, { subject }));
  }
}

/** Namespaces by name, and CustomResourceDefinitions by the kind that they define. */
type Needs = ReadonlyMap<string, KubeObject>;

function findNeeds(objects: readonly KubeObject[]): Needs {
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

function checkNeeds(object: KubeObject, needs: Needs, report: Report): void {
  const phase = installPhases.indexOf(phaseOf(object));
  const type = gvkOf(object);
  for (const key of [namespaceOf(object), ...(type === undefined ? [] : [keyOfKind(type)])]) {
    const need = needs.get(key);
    // An unknown phase is reported separately.
    const isKnown = need !== undefined && installPhaseOf(need) !== undefined && installPhaseOf(object) !== undefined;
    if (!isKnown || need === object || installPhases.indexOf(phaseOf(need)) <= phase) continue;
    const phases = { phase: phaseOf(object), later: phaseOf(need) };
    const args = { object: describeObject(object), need: `${need.kind} ${quote(nameOf(need))}`, ...phases };
    const path = ['metadata', 'annotations', installPhaseAnnotation];
    const related = [{ message: `the ${need.kind} is here`, object: need, path: ['metadata', 'name'] }];
    report(layoutProblems.create('phase-too-early', args, { subject: { object, path, related } }));
  }
}

/** Reports definitions in one stream with objects of their kind, which are applied before the kind is served. */
export function checkStream(objects: readonly KubeObject[], report: Report): void {
  const definitions = findNeeds(objects);
  const instances = new Map<KubeObject, KubeObject[]>();
  for (const object of objects) {
    const type = gvkOf(object);
    const definition = type === undefined ? undefined : definitions.get(keyOfKind(type));
    if (definition === undefined || definition === object) continue;
    const others = instances.get(definition);
    if (others === undefined) instances.set(definition, [object]);
    else others.push(object);
  }
  for (const [object, others] of instances) {
    const isSamePhase = others.some((other) => phaseOf(other) === phaseOf(object));
    const args = { definition: nameOf(object), count: others.length, isSamePhase };
    report(layoutProblems.create('definition-in-stream', args, { subject: { object, path: ['metadata', 'name'] } }));
  }
}

/** Name of a phase where several instances may exist: `gitea-main`. */
export function phaseName({ name: phase }: Pick<Phase, 'name'>, instance: string | undefined): string {
  return instance === undefined ? phase : `${instance}-${phase}`;
}

const annotation = 'argocd.argoproj.io/sync-wave';
const waves: Readonly<Record<InstallPhase, string>> = { 'pre-install': '-1', main: '0', 'post-install': '1' };

/** Adds a sync wave to each object that has none. */
export function addSyncWaves(objects: readonly KubeObject[], origins: OriginTable): readonly KubeObject[] {
  return objects.map((object) => {
    if (annotationOf(object, annotation) !== undefined) return object;
    const changed = withAnnotations(object, { [annotation]: waves[phaseOf(object)] });
    const origin = origins.get(object);
    if (origin !== undefined) origins.set(changed, origin);
    return changed;
  });
}
