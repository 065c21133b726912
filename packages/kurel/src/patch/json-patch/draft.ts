import { isJsonArray } from '../../model/index.ts';
import type { Json, JsonArray, JsonObject, Path } from '../../model/index.ts';

type Collection = JsonArray | JsonObject;

/**
 * Data that is changed step by step while what was given stays as it is. A collection is copied when it is changed for the
 * first time and then belongs to the draft, so that many changes of one list copy it once.
 */
export class Draft {
  #root: Json;
  /** Holders of an owned collection are owned too, so what is not owned has nothing owned in it. */
  #owned = new Set<Json>();

  constructor(root: Json) {
    this.#root = root;
  }

  get root(): Json {
    return this.#root;
  }

  /** Takes a value out of the draft's hands: it will not change, whatever happens to the place where it stands. */
  share<T extends Json | undefined>(value: T): T {
    if (value !== undefined && this.#owned.has(value)) this.#owned = new Set();
    return value;
  }

  /** Puts a value in place of what is there, or under a new key. */
  set(path: Path, value: Json): void {
    const step = path.at(-1);
    if (step === undefined) this.#root = value;
    else (this.#own(path) as Record<string | number, Json>)[step] = value;
  }

  /** Makes room for a value in a list. */
  insert(path: Path, value: Json): void {
    const list = this.#own(path) as Json[];
    const index = path.at(-1) as number;
    if (index === list.length) list.push(value);
    else list.splice(index, 0, value);
  }

  /** Takes away a key or an item; the items behind it move up. */
  remove(path: Path): void {
    const holder = this.#own(path) as Json[] | Record<string, Json>;
    const step = path.at(-1)!;
    if (Array.isArray(holder)) holder.splice(step as number, 1);
    else delete holder[step];
  }

  /** The collection that holds the place, its own copy. */
  #own(path: Path): Collection {
    let holder = (this.#root = this.#copy(this.#root as Collection));
    for (const step of path.slice(0, -1)) {
      const inner = holder as Record<string | number, Collection>;
      holder = inner[step] = this.#copy(inner[step]!);
    }
    return holder;
  }

  #copy(collection: Collection): Collection {
    if (this.#owned.has(collection)) return collection;
    const copy = isJsonArray(collection) ? [...collection] : { ...collection };
    this.#owned.add(copy);
    return copy;
  }
}
