import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { GroupVersionKind, Json, JsonObject, KubeObject, Path } from '../model/index.ts';
import { mappingAt } from './metadata.ts';

/** The pods that an object is or creates. */
export interface PodSite {
  readonly object: KubeObject;
  readonly gvk: GroupVersionKind;
  /** Path of the metadata and spec of the pods; empty for a Pod. */
  readonly templatePath: Path;
  readonly template: JsonObject;
  readonly specPath: Path;
  readonly spec: JsonObject;
}

interface PodPaths {
  readonly group: string;
  readonly template: readonly string[];
  readonly spec: readonly string[];
}

function pathsOf(group: string, template = ['spec', 'template']): PodPaths {
  return { group, template, spec: [...template, 'spec'] };
}

/** By kind only, to avoid building a string per object: the kinds of all groups here are distinct. */
const podPaths = new Map<string, PodPaths>([
  ['Pod', pathsOf('', [])],
  ['PodTemplate', pathsOf('', ['template'])],
  ['ReplicationController', pathsOf('')],
  ['DaemonSet', pathsOf('apps')],
  ['Deployment', pathsOf('apps')],
  ['ReplicaSet', pathsOf('apps')],
  ['StatefulSet', pathsOf('apps')],
  ['Job', pathsOf('batch')],
  ['CronJob', pathsOf('batch', ['spec', 'jobTemplate', 'spec', 'template'])],
]);

/** Where a kind has the pods that it creates; `undefined` for kinds without pods. */
export function podPathsOf({ group, kind }: Pick<GroupVersionKind, 'group' | 'kind'>): PodPaths | undefined {
  const paths = podPaths.get(kind);
  return paths?.group === group ? paths : undefined;
}

/** `undefined` for kinds without pods, and for objects that omit them. */
export function podSiteOf(object: KubeObject, gvk: GroupVersionKind): PodSite | undefined {
  const paths = podPathsOf(gvk);
  if (paths === undefined) return undefined;
  let template: Json | undefined = object;
  for (const step of paths.template) template = mappingAt(template, step);
  const spec = mappingAt(template, 'spec');
  if (!isJsonObject(template) || spec === undefined) return undefined;
  return { object, gvk, templatePath: paths.template, template, specPath: paths.spec, spec };
}

/** The labels that the pods will have. */
export function podLabels({ template }: PodSite): JsonObject {
  return mappingAt(mappingAt(template, 'metadata'), 'labels') ?? {};
}

/** Containers of all lists, with their paths. */
export interface ContainerSite {
  readonly pod: PodSite;
  readonly list: (typeof containerLists)[number];
  readonly index: number;
  readonly container: JsonObject;
}

export const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

export function containersOf(pod: PodSite): readonly ContainerSite[] {
  const sites: ContainerSite[] = [];
  for (const list of containerLists) {
    const containers = pod.spec[list];
    if (!Array.isArray(containers)) continue;
    containers.forEach((container: Json, index) => {
      if (isJsonObject(container)) sites.push({ pod, list, index, container });
    });
  }
  return sites;
}

/** A step into a value; only the top has none. */
interface Descent {
  readonly above?: Descent | undefined;
  readonly step?: string | number | undefined;
}

/** A value inside another, with its path. */
export interface Place extends Descent {
  readonly value: Json;
  readonly above?: Place;
}

/** In document order. With an explicit stack, because objects may be nested deeper than calls. */
export function eachMapping(start: Json, visit: (mapping: JsonObject, place: Place) => void): void {
  const left: Place[] = [{ value: start }];
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    const { value } = place;
    if (isJsonObject(value)) visit(value, place);
    pushInner(left, place);
  }
}

/** Puts the objects and lists inside a value on a stack, the first one on top. */
export function pushInner(left: Place[], above: Place, isTaken?: (key: string) => boolean): void {
  const { value } = above;
  if (isJsonArray(value)) {
    for (let step = value.length - 1; step >= 0; step -= 1) {
      if (isInner(value[step]!)) left.push({ value: value[step]!, above, step });
    }
  } else if (isJsonObject(value)) {
    const first = left.length;
    for (const step in value) {
      const inner = value[step]!;
      if (isInner(inner) && (isTaken === undefined || isTaken(step))) left.push({ value: inner, above, step });
    }
    for (let [low, high] = [first, left.length - 1]; low < high; low += 1, high -= 1) {
      [left[low], left[high]] = [left[high]!, left[low]!];
    }
  }
}

function isInner(value: Json): boolean {
  return typeof value === 'object' && value !== null;
}

export function pathTo(place: Descent): Path {
  const steps: (string | number)[] = [];
  for (let at: Descent | undefined = place; at?.step !== undefined; at = at.above) steps.push(at.step);
  return steps.toReversed();
}

/** The field that contains a value, directly or as an item of its list; empty at the top. */
export function fieldOf(place: Place): string {
  let at: Place | undefined = place;
  while (typeof at?.step === 'number') at = at.above;
  return at?.step ?? '';
}
