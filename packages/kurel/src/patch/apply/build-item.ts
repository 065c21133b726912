import { isJsonObject } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';
import { editAt, mergeDeep } from './edit-json.ts';
import { findPlaces } from './find-places.ts';
import type { Place } from './find-places.ts';
import { formatPath } from './format-path.ts';
import { setImagePart } from './image-parts.ts';
import type { Patching } from './patch-run.ts';
import type { PreparedEntry } from './prepared.ts';
import { applyProblems } from './problems.ts';
import { reportPartType } from './replace-image-part.ts';
import { reportFailure } from './report-failure.ts';
import { textOfValue } from './type-value.ts';
import { typeAndTrace } from './trace-values.ts';

/** Builds one new list item from all entries of an insertion; `undefined` if a problem was reported. */
export function buildItem(
  entries: readonly PreparedEntry[],
  itemPlace: Place,
  { prepared, patching }: Patching,
): Json | undefined {
  let item: Json = {};
  const owned = new Set<object>();
  let isComplete = true;
  for (const entry of repositoriesFirst(entries)) {
    const { steps, value, location } = entry;
    const places = findPlaces({ value: item, node: itemPlace.node, path: itemPlace.path }, steps, {
      isIngress: false,
      fail(failure) {
        if (failure.type === 'unknown') return;
        isComplete = false;
        reportFailure(failure, { patching, location, text: prepared.patch.text });
      },
    });
    for (const place of places) {
      const made = valueFor(place, value, { patching, location });
      if (made === undefined) isComplete = false;
      else if (made !== null)
        item = editAt(item, { path: place.path.slice(itemPlace.path.length), change: () => made, owned });
    }
  }
  return isComplete ? item : undefined;
}

function valueFor(
  place: Place,
  value: PreparedEntry['value'],
  { patching, location }: Pick<Patching, 'patching'> & Pick<PreparedEntry, 'location'>,
): Json | undefined {
  const { imagePart } = place;
  if (imagePart === undefined) {
    const typed = typeAndTrace(value, place, patching);
    const merges = value.type === 'data' && value.merges;
    return merges && isJsonObject(place.value) && isJsonObject(typed) ? mergeDeep(place.value, typed) : typed;
  }
  const text = textOfValue(value);
  if (text === undefined) {
    reportPartType(place, value, { patching, location });
    return undefined;
  }
  const image = setImagePart(typeof place.value === 'string' ? place.value : undefined, imagePart, text);
  if (image === undefined) {
    const args = { part: `${formatPath(place.path.slice(-1))}.${imagePart}`, object: patching.key };
    patching.report(applyProblems.create('image-incomplete', args, { location }));
  }
  return image;
}

/** A tag can only be set on an existing image, so repositories come first. */
function repositoriesFirst(entries: readonly PreparedEntry[]): readonly PreparedEntry[] {
  const waits = ({ steps }: PreparedEntry): boolean => {
    const [image, part] = steps.slice(-2);
    return image?.type === 'field' && image.name === 'image' && part?.type === 'field' && part.name !== 'repository';
  };
  return [...entries.filter((entry) => !waits(entry)), ...entries.filter(waits)];
}
