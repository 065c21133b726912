import { decodeObjects } from '../kube/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, KubeObject, Path } from '../model/index.ts';

export interface SourceObject {
  /** What the text says. */
  readonly said: KubeObject;
  readonly before: KubeObject;
  /** `undefined` when it is gone. */
  readonly now: KubeObject | undefined;
}

/** What a List says once its objects are what they are now. */
export function stateListItems(list: Json, objects: readonly SourceObject[]): Json {
  return placeItems(list, objects, stateItem);
}

/** The List without the objects that are gone; the others are as they were. */
export function cutListItems(list: Json, objects: readonly SourceObject[]): Json {
  return placeItems(list, objects, (item, { now }) => (now === undefined ? undefined : item));
}

/** Items of typed lists have their type from the list, so the text of the item need not say it. */
function stateItem(item: Json, { said, before, now }: SourceObject): Json | undefined {
  if (now === undefined) return undefined;
  if (now === before) return item;
  const stated = isJsonObject(item) ? item : {};
  const inherited = ['apiVersion', 'kind'].filter((key) => !Object.hasOwn(stated, key) && now[key] === said[key]);
  return Object.fromEntries(Object.entries(now).filter(([key]) => !inherited.includes(key)));
}

type Place = (item: Json, object: SourceObject) => Json | undefined;

function placeItems(list: Json, objects: readonly SourceObject[], place: Place): Json {
  const found = decodeObjects([{ index: 0, data: list }], { file: '', report: () => {}, onSkip: () => {} });
  const byKey = new Map(found.map(({ path = [] }, index) => [keyOf(path), objects[index]!]));
  return placeIn(list, '', { byKey, place }) ?? null;
}

interface Placing {
  readonly byKey: ReadonlyMap<string, SourceObject>;
  readonly place: Place;
}

/** A List goes with the last of its items. */
function placeIn(data: Json, key: string, placing: Placing): Json | undefined {
  const object = placing.byKey.get(key);
  if (object !== undefined) return placing.place(data, object);
  if (!isJsonObject(data) || !isJsonArray(data['items'])) return data;
  const { items } = data;
  const left = items
    .map((item, index) => placeIn(item, `${key}.${index}`, placing))
    .filter((item) => item !== undefined);
  return left.length === 0 && items.length > 0 ? undefined : { ...data, items: left };
}

function keyOf(path: Path): string {
  return path.map((step) => (typeof step === 'number' ? `.${step}` : '')).join('');
}
