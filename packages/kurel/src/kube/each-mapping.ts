import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonObject, Path } from '../model/index.ts';

/** A value inside another, with the way to it. */
export interface Place {
  readonly value: Json;
  readonly above?: Place;
  readonly step?: string | number;
}

/** In the order of the document. With a list of what is left to do, for objects may be deeper than calls. */
export function eachMapping(start: Json, visit: (mapping: JsonObject, place: Place) => void): void {
  const left: Place[] = [{ value: start }];
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    const { value } = place;
    const above = place;
    if (isJsonObject(value)) visit(value, place);
    const entries = isJsonArray(value) ? [...value.entries()] : isJsonObject(value) ? Object.entries(value) : [];
    for (const [step, inner] of entries.toReversed()) {
      if (typeof inner === 'object' && inner !== null) left.push({ value: inner, above, step });
    }
  }
}

export function pathTo(place: Place): Path {
  const steps: (string | number)[] = [];
  for (let at: Place | undefined = place; at?.step !== undefined; at = at.above) steps.push(at.step);
  return steps.toReversed();
}

/** The field that holds a value, by itself or as an item of its list; empty at the top. */
export function fieldOf(place: Place): string {
  let at: Place | undefined = place;
  while (typeof at?.step === 'number') at = at.above;
  return at?.step ?? '';
}
