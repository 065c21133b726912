import { stepInto, valueAt } from '../../../model/index.ts';
import type { Json, Location, Path } from '../../../model/index.ts';
import type { ComposedObject, CompositionInput } from '../compose/composition.ts';
import { locateNearest } from '../../../documents/index.ts';
import type { LocatedData } from '../../../documents/index.ts';
import type { CausesOf } from './find-causes.ts';
import { entriesOf } from './input-leaf.ts';
import type { InputLeaf, InputName } from './input-leaf.ts';

export type LocateField = (composed: ComposedObject, path: Path, at?: Location['at']) => Location;

/**
 * The location where a user would change a field of an object. A structure copied unchanged into the object is located
 * directly; for all others, the causes of the field are searched.
 */
export function createLocateField(input: CompositionInput, causesOf: CausesOf): LocateField {
  let places: ReadonlyMap<Json, Place> | undefined;
  return (composed, path, at) => {
    if (composed.locate !== undefined) return composed.locate(path, at);
    places ??= indexStructures(input);
    const shared = findShared(composed.object, path, places);
    if (shared !== undefined) return locateNearest(shared.source, shared.path);
    for (let length = path.length; length > 0; length -= 1) {
      const causes = causesOf(composed, path.slice(0, length));
      if (causes === 'unknown') break;
      const leaf = choose(causes);
      if (leaf !== undefined) return locateNearest(input[leaf.input]!, leaf.path);
      if (holdsEnds(composed.object, path.slice(0, length))) break;
    }
    return locateNearest(input.application, composed.path);
  };
}

type DocumentLeaf = InputLeaf & { readonly input: InputName };

/** The last value the author wrote: if a name consists of the component name and another value, the other one should change. */
function choose(leaves: readonly InputLeaf[]): DocumentLeaf | undefined {
  // Namespaces set by flags have no location.
  const documents = leaves.filter(
    (leaf): leaf is DocumentLeaf => leaf.input !== 'namespace' && leaf.input !== 'fluxNamespace',
  );
  return documents.findLast(({ input }) => input === 'application') ?? documents.at(-1);
}

interface Place {
  readonly source: LocatedData;
  readonly path: Path;
}

/** Every non-empty list and object of the documents. */
function indexStructures({ application, profile, policy }: CompositionInput): ReadonlyMap<Json, Place> {
  const places = new Map<Json, Place>();
  for (const source of [policy, profile, application]) if (source !== undefined) add(source.data, { source, path: [] });
  return places;

  function add(value: Json, place: Place): void {
    if (typeof value === 'object' && value !== null) places.set(value, place);
    for (const [step, inner] of entriesOf(value)) add(inner, { ...place, path: [...place.path, step] });
  }
}

/** The innermost structure on the path that comes directly from a document. */
function findShared(object: Json, path: Path, places: ReadonlyMap<Json, Place>): Place | undefined {
  let value: Json | undefined = object;
  let shared: Place | undefined;
  for (const [depth, step] of path.entries()) {
    value = stepInto(value, step);
    if (value === undefined) break;
    const place = places.get(value);
    if (place !== undefined) shared = { ...place, path: [...place.path, ...path.slice(depth + 1)] };
  }
  return shared;
}

/** Whether the path contains leaves whose causes can be searched. */
function holdsEnds(object: Json, path: Path): boolean {
  const value = valueAt(object, path);
  return value !== undefined && typeof value !== 'object';
}
