import { isJsonArray, isJsonObject } from './json.ts';
import type { Json, JsonObject, Path } from './json.ts';

/**
 * Copies trees with changes; everything else is shared with the original. A copied part is owned by the editor and changed in
 * place from then on, because each of a thousand changes would copy all its siblings.
 */
export class TreeEdits {
  /** Parents of an owned part are owned as well, so a part that is not owned contains no owned ones. Most objects change once. */
  #owned: Set<object> | undefined;
  readonly #onCopy: ((count: number) => void) | undefined;

  /** `onCopy` receives the number of siblings that are copied with a value. */
  constructor(onCopy?: (count: number) => void) {
    this.#onCopy = onCopy;
  }

  owns(part: Json): boolean {
    return typeof part === 'object' && part !== null && this.#owned?.has(part) === true;
  }

  #add(part: object): void {
    this.#owned ??= new Set();
    this.#owned.add(part);
  }

  /** Gives up all parts, so that later changes copy them: something else refers to them as they are now. */
  release(): void {
    this.#owned = undefined;
  }

  /** Replaces the value at a path with the result of `change`; `undefined` deletes it. Missing parents are created. */
  editAt(root: Json, path: Path, change: (value: Json | undefined) => Json | undefined): Json {
    const edit = (current: Json | undefined, depth: number): Json | undefined => {
      const step = path[depth];
      if (step === undefined) return change(current);
      if (typeof step === 'number') {
        const list = isJsonArray(current) ? current : [];
        const item = edit(list[step], depth + 1);
        if (item === list[step]) return list;
        if (!this.owns(list)) this.#onCopy?.(list.length);
        return this.putItem(list, step, item);
      }
      const mapping = isJsonObject(current) ? current : {};
      const before = Object.hasOwn(mapping, step) ? mapping[step] : undefined;
      const value = edit(before, depth + 1);
      if (value === before) return current ?? mapping;
      if (!this.owns(mapping)) this.#onCopy?.(Object.keys(mapping).length);
      return this.putField(mapping, step, value);
    };
    const edited = edit(root, 0);
    return edited === undefined ? {} : edited;
  }

  /** Objects merge key by key; any other value of `overlay` replaces, including `null`. */
  merge(base: JsonObject, overlay: JsonObject): JsonObject {
    let merged = base;
    for (const [key, value] of Object.entries(overlay)) {
      const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
      const areObjects = isJsonObject(before) && isJsonObject(value);
      merged = this.putField(merged, key, areObjects ? this.merge(before, value) : value);
    }
    return merged;
  }

  /** The part itself if it is owned, otherwise its copy, which is owned from now on. */
  own<Part extends object>(part: Part, copy: () => Part): Part {
    if (this.#owned?.has(part) === true) return part;
    const copied = copy();
    this.#add(copied);
    return copied;
  }

  insertItem<Item>(list: readonly Item[], index: number, item: Item): readonly Item[] {
    const items = this.own(list, () => [...list]) as Item[];
    if (index === items.length) items.push(item);
    else items.splice(index, 0, item);
    return items;
  }

  /** `undefined` removes the item. */
  putItem<Item>(list: readonly Item[], index: number, item: Item | undefined): readonly Item[] {
    const items = this.own(list, () => [...list]) as Item[];
    if (item === undefined) items.splice(index, 1);
    else if (index < items.length) items[index] = item;
    else items.push(item);
    return items;
  }

  /** `undefined` removes the field. */
  putField(mapping: JsonObject, key: string, value: Json | undefined): JsonObject {
    // Assigning to `__proto__` would set the prototype.
    if (this.owns(mapping) && key !== '__proto__') {
      const fields = mapping as Record<string, Json>;
      if (value === undefined) delete fields[key];
      else fields[key] = value;
      return fields;
    }
    const copy = value === undefined ? withoutKey(mapping, key) : { ...mapping, [key]: value };
    this.#add(copy);
    return copy;
  }
}

function withoutKey(mapping: JsonObject, key: string): JsonObject {
  const { [key]: _, ...rest } = mapping;
  return rest;
}
