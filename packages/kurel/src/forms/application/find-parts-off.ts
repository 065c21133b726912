import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import { applicationSyntax, referencesIn } from '../../parameters/index.ts';

/** A component or trait with an `enabled` field. */
export interface OptionalPart {
  /** Path in the application. */
  readonly path: Path;
  readonly enabled: Json;
}

/** Components and traits with `enabled`, in document order. */
export function findOptionalParts(application: Json): readonly OptionalPart[] {
  const parts: OptionalPart[] = [];
  for (const [index, component] of entriesOf(enter(enter(application, 'spec'), 'components'))) {
    const path = ['spec', 'components', index];
    addPart(component, path, parts);
    for (const [position, trait] of entriesOf(component['traits']))
      addPart(trait, [...path, 'traits', position], parts);
  }
  return parts;
}

function addPart(part: JsonObject, path: Path, parts: OptionalPart[]): void {
  if (Object.hasOwn(part, 'enabled')) parts.push({ path, enabled: part['enabled']! });
}

function enter(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function entriesOf(list: Json | undefined): readonly (readonly [number, JsonObject])[] {
  return isJsonArray(list)
    ? [...list.entries()].filter((entry): entry is [number, JsonObject] => isJsonObject(entry[1]))
    : [];
}

/** The references in an application as written, separately for enabled and disabled parts. */
export function findReferences(
  application: Json,
  isOff: (path: Path) => boolean,
): { readonly on: ReadonlySet<string>; readonly off: ReadonlySet<string> } {
  const found = { on: new Set<string>(), off: new Set<string>() };
  walk(application, [], found.on);
  return found;

  function walk(value: Json, path: Path, into: Set<string>): void {
    if (typeof value === 'string') for (const { text } of referencesIn(value, applicationSyntax)) into.add(text);
    if (typeof value !== 'object' || value === null) return;
    const inside = isOff(path) ? found.off : into;
    const entries: Iterable<readonly [string | number, Json]> = isJsonArray(value)
      ? value.entries()
      : Object.entries(value);
    // The condition is evaluated even when it disables the part.
    for (const [step, inner] of entries)
      walk(inner, [...path, step], step === 'enabled' && isOff(path) ? found.on : inside);
  }
}

/** The application without the given parts, and a function that maps new paths to the original ones. */
export function leaveOut(
  application: Json,
  off: readonly Path[],
): { readonly data: Json; readonly pathBefore: (path: Path) => Path } {
  if (off.length === 0) return { data: application, pathBefore: (path) => path };
  const isOff = new Set(off.map((path) => JSON.stringify(path)));
  const kept = new Map<string, readonly number[]>();
  const data = copy(application, []);
  return { data, pathBefore };

  function copy(value: Json, path: Path): Json {
    // Parts are at spec.components[i] and spec.components[i].traits[j], never deeper.
    if (path.length > 4) return value;
    if (isJsonArray(value)) {
      const indexes = [...value.keys()].filter((index) => !isOff.has(JSON.stringify([...path, index])));
      kept.set(JSON.stringify(path), indexes);
      return indexes.map((index) => copy(value[index]!, [...path, index]));
    }
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copy(inner, [...path, key])]));
  }

  function pathBefore(path: Path): Path {
    const before: (string | number)[] = [];
    for (const step of path) {
      const indexes = typeof step === 'number' ? kept.get(JSON.stringify(before)) : undefined;
      before.push(indexes === undefined ? step : (indexes[step as number] ?? step));
    }
    return before;
  }
}
