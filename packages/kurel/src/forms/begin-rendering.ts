import {
  carryOrigin,
  eachReference,
  gvkOf,
  isClusterScoped,
  locateObject,
  nameOf,
  namespaceOf,
  putText,
  scopeOf,
  withNamespace,
} from '../kube/index.ts';
import type { Json, KubeObject, Path, RenderContext } from '../model/index.ts';
import { addStage, beginProvenance, eventOfFlag, once } from '../provenance/index.ts';
import type { Facts, Rendering } from '../provenance/index.ts';
import { inputProblems } from './problems.ts';
import { sentence, setting } from '../diagnostics/index.ts';

interface Placement {
  readonly namespace: string | undefined;
  readonly which: 'all' | 'those-without';
}

/** The rendering of objects that were read from texts or printed by a program. */
export function beginRendering(
  objects: readonly KubeObject[],
  { facts = {}, ...placement }: Placement & { readonly facts?: Facts },
  context: RenderContext,
): Rendering {
  const provenance = beginProvenance({ origins: context.origins, objects });
  return placeInNamespace({ objects, provenance, facts }, placement, context);
}

/** Applies `--namespace` to a rendering. */
export function placeInNamespace(
  rendering: Rendering,
  { namespace, which }: Placement,
  context: RenderContext,
): Rendering {
  if (namespace === undefined) return rendering;
  const { origins } = context;
  const objects = putInNamespace(rendering.objects, { namespace, which }, context);
  const objectOf = once(() => new Map(objects.map((object) => [origins.get(object), object])));
  // A chart receives the namespace itself, and may have set it.
  const sets = which === 'all' ? ['metadata', 'namespace'] : undefined;
  const provenance = addStage(rendering.provenance, {
    touches: (origin) => objectOf().has(origin),
    eventsOf(origin) {
      const after = objectOf().get(origin);
      return after === undefined
        ? []
        : [eventOfFlag({ words: sentence`${setting('namespace', namespace)}`, sets, after })];
    },
  });
  const { facts } = rendering;
  return { objects, provenance, facts: { ...facts, namespacesElsewhere: facts.namespacesElsewhere ?? [namespace] } };
}

/**
 * Sets the namespace of namespaced objects. It needs all objects at once, because a CustomResourceDefinition among them determines
 * the scope of its kind; an unknown kind counts as namespaced, as most are, and is reported. If all objects move, references with a
 * namespace are updated as well, such as the service accounts of a binding.
 */
export function putInNamespace(
  objects: readonly KubeObject[],
  { namespace, which }: Placement & { readonly namespace: string },
  { origins, report }: Pick<RenderContext, 'origins' | 'report'>,
): readonly KubeObject[] {
  const guessed = new Set<string>();
  const moving = which === 'all' ? movingAmong(objects) : new Set<string>();
  return objects.map((before) => {
    const object = followMoving(before, { moving, namespace });
    carryOrigin(origins, before, object);
    if (which === 'those-without' && namespaceOf(object) !== '') return object;
    const type = gvkOf(object);
    const scope = type === undefined ? undefined : scopeOf(type, objects);
    if (scope === 'Cluster') return object;
    const kind = `${object.apiVersion}/${object.kind}`;
    if (scope === undefined && !guessed.has(kind)) {
      guessed.add(kind);
      const location = locateObject(object, origins, ['kind']);
      report(inputProblems.create('input-scope-unknown', { kind, namespace }, { location }));
    }
    const placed = withNamespace(object, namespace);
    carryOrigin(origins, object, placed);
    return placed;
  });
}

/** Objects that move, by kind, namespace and name; one without a namespace matches a reference with any. */
function movingAmong(objects: readonly KubeObject[]): ReadonlySet<string> {
  const moving = objects.filter((object) => !isClusterScoped(object, objects));
  return new Set(moving.map((object) => keyOf(object.kind, namespaceOf(object), nameOf(object))));
}

function keyOf(kind: string, namespace: string, name: string): string {
  return `${kind.toLowerCase()}/${namespace}/${name}`;
}

/** Updates references that name the namespace of a moved object. */
function followMoving(
  object: KubeObject,
  { moving, namespace }: { readonly moving: ReadonlySet<string>; readonly namespace: string },
): KubeObject {
  const edits: Path[] = [];
  if (moving.size > 0) {
    eachReference(object, ({ kind, name, namespace: old, path }) => {
      // The service account of a binding must name its namespace; any other reference without one means that of its object.
      if (old === namespace || (old === undefined && path()[0] !== 'subjects')) return;
      const isMoving = moving.has(keyOf(kind, old ?? '', name)) || moving.has(keyOf(kind, '', name));
      if (isMoving) edits.push([...path().slice(0, -1), 'namespace']);
    });
  }
  return edits.reduce<Json>((value, path) => putText(value, path, namespace), object) as KubeObject;
}
