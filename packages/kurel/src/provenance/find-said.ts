import type { Json, Location, Path } from '../model/index.ts';
import { parseTemplate, wholeReference } from '../parameters/index.ts';
import type { FieldPatch, ItemEntry, PlaceStep } from '../patch/index.ts';
import { parametersIn } from './parameter-sources.ts';
import type { FindParameter } from './parameter-sources.ts';
import { stepInto } from './value-at.ts';

/** The part of a patch that says what a field is. */
export interface Said {
  readonly location: Location;
  /** Where the value stands, when `location` is where its key is. */
  readonly valueLocation?: Location | undefined;
  readonly parameters: readonly Path[];
}

export interface SaidQuestion {
  /** Of the field, in the object. */
  readonly path: Path;
  /** How much of the path the recorded change has; the place that the patch names may lie further up. */
  readonly changed: number;
  readonly find: FindParameter;
}

/** A key of a patch file with its value. */
type Entry = Pick<ItemEntry, 'value' | 'location'>;

/** What of a patch's value is the value of a field; `undefined` when the field is only touched, not said. */
export function findSaid({ value, location }: FieldPatch, question: SaidQuestion): Said | undefined {
  if (value.type === 'none') return undefined;
  if (value.type === 'item') return findInItem(value.entries, question);
  const { path, changed, find } = question;
  // A mapping is recorded as the fields in it that differ, so the longest way into the value that exists is the right one.
  for (let start = Math.min(1, changed); start <= changed; start += 1) {
    const found = findInEntry({ value, location }, path.slice(start), find);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findInEntry({ value, location }: Entry, path: Path, find: FindParameter): Said | undefined {
  if (value.type === 'data') {
    const found = findInData(value.data, path, { location: value.location, find });
    return found === undefined || path.length > 0 ? found : { ...found, location, valueLocation: found.location };
  }
  const { text } = value.template;
  const parameters = parametersOf(text, path, find);
  const valueLocation = value.location;
  if (parameters !== undefined) return { location, valueLocation, parameters };
  // A text may be read as a list; what is in it has no place of its own.
  return wholeReference(value.template) === undefined
    ? { location, valueLocation, parameters: parametersIn(text) }
    : undefined;
}

/** The references in a text; of one that stands for a mapping or list, the one to what is at a path in that. */
function parametersOf(text: string, path: Path, find: FindParameter): readonly Path[] | undefined {
  if (path.length === 0) return parametersIn(text);
  const whole = wholeReference(parseTemplate(text))?.path;
  if (whole === undefined) return undefined;
  const inside = [...whole, ...path];
  return find(inside) === undefined ? undefined : [inside];
}

/** Data in a patch file: each field in it has a line of its own. */
function findInData(
  data: Json,
  path: Path,
  { location, find }: { readonly location: Location; readonly find: FindParameter },
): Said | undefined {
  let value: Json | undefined = data;
  for (const [index, step] of path.entries()) {
    if (typeof value === 'string') {
      const parameters = parametersOf(value, path.slice(index), find);
      return parameters === undefined ? undefined : { location: below(location, path.slice(0, index)), parameters };
    }
    value = stepInto(value, step);
    if (value === undefined) return undefined;
  }
  return { location: below(location, path), parameters: typeof value === 'string' ? parametersIn(value) : [] };
}

/** The last entry of an insertion that says something about a field of the new item. */
function findInItem(entries: readonly ItemEntry[], { path, changed, find }: SaidQuestion): Said | undefined {
  const inside = path.slice(changed);
  const wanted = inside.join('.');
  for (const { steps, ...entry } of entries.toReversed()) {
    const name = steps.map(describeStep).join('.');
    // `image.tag` says a part of `image`.
    const isPart = name.startsWith(`${wanted}.`);
    if (wanted !== name && !isPart && !wanted.startsWith(`${name}.`)) continue;
    const found = findInEntry(entry, isPart ? [] : restOf(inside, name), find);
    if (found !== undefined) return found;
  }
  return undefined;
}

function describeStep(step: PlaceStep): string {
  if (step.type === 'field') return step.name.text;
  return step.type === 'index' ? String(step.index) : '*';
}

/** What of a path is behind a name that may be one step of it or several. */
function restOf(path: Path, name: string): Path {
  let length = 0;
  while (length < path.length && path.slice(0, length).join('.') !== name) length += 1;
  return path.slice(length);
}

export function below(location: Location, path: Path): Location {
  if (path.length === 0 || location.range !== undefined) return location;
  return { ...location, path: [...(location.path ?? []), ...path], at: 'value' };
}
