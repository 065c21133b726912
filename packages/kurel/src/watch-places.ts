import type { KubeObject, Location, OriginTable, Path } from './model/index.ts';

/** A field of an object, or where one is missing. */
export interface ObjectField {
  readonly object: KubeObject;
  readonly path: Path;
}

export interface WatchedPlaces {
  /** The same origins, for those who look for places. */
  readonly origins: OriginTable;
  readonly unwatched: OriginTable;
  /** The field of one of some objects that a place was looked for. */
  readonly createFieldOf: (objects: readonly KubeObject[]) => (location: Location) => ObjectField | undefined;
}

/**
 * Findings have places and say no more of what they are about. A place in the text of an object says it all; for an object that was
 * put together from several texts, it is kept which field a place was looked up for.
 */
export function watchPlaces(origins: OriginTable): WatchedPlaces {
  const fields = new WeakMap<Location, ObjectField>();
  return {
    unwatched: origins,
    origins: {
      set: (object, origin) => origins.set(object, origin),
      get(object) {
        const origin = origins.get(object);
        const locate = origin?.text === undefined ? origin?.locate : undefined;
        if (origin === undefined || locate === undefined) return origin;
        const watched = (path: Path): Location => {
          const location = { ...locate(path) };
          fields.set(location, { object, path });
          return location;
        };
        return { ...origin, locate: watched };
      },
    },
    createFieldOf(objects) {
      const inTexts = indexTexts(objects, origins);
      return (location) => fields.get(location) ?? findInText(location, inTexts);
    },
  };
}

interface InText {
  readonly object: KubeObject;
  /** Where the object stands in its document. */
  readonly above: Path;
}

type Texts = ReadonlyMap<string, ReadonlyMap<number, readonly InText[]>>;

function indexTexts(objects: readonly KubeObject[], origins: OriginTable): Texts {
  const texts = new Map<string, Map<number, InText[]>>();
  for (const object of objects) {
    const text = origins.get(object)?.text;
    if (text === undefined) continue;
    const { source, document, path: above = [] } = text;
    const documents = texts.get(source.path) ?? new Map<number, InText[]>();
    texts.set(source.path, documents);
    const known = documents.get(document);
    if (known === undefined) documents.set(document, [{ object, above }]);
    else known.push({ object, above });
  }
  return texts;
}

function findInText({ file, document = 0, path, range }: Location, texts: Texts): ObjectField | undefined {
  if (path === undefined || range !== undefined) return undefined;
  const found = texts
    .get(file)
    ?.get(document)
    ?.find(({ above }) => above.every((step, depth) => path[depth] === step));
  return found === undefined ? undefined : { object: found.object, path: path.slice(found.above.length) };
}
