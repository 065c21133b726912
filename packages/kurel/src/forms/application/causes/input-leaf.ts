import { mappingAt, textAt } from '../../../kube/index.ts';
import { isJsonArray, isJsonObject, valueAt } from '../../../model/index.ts';
import type { Json, JsonObject, Path } from '../../../model/index.ts';
import type { CompositionInput } from '../compose/composition.ts';
import { fieldIn } from '../../../documents/index.ts';
import type { Field, Fields } from '../../../documents/index.ts';
import { listParts } from '../application-parts.ts';
import { putAt } from '../pods/change-pods.ts';

/** The documents that determine the result of an application. */
export type InputName = 'application' | 'profile' | 'policy';

/** A value in one of the documents. */
export interface InputLeaf {
  readonly input: InputName | 'namespace' | 'fluxNamespace';
  readonly path: Path;
  readonly value: Json;
  /** Not written anywhere: the default of the handler. */
  readonly isDefault?: true;
  /** Refers to the key at the path, which the author chose. */
  readonly isKey?: true;
}

const inputNames = ['application', 'profile', 'policy'] as const;

/** Every value that could affect the objects of an application. */
export function listLeaves(input: CompositionInput): readonly InputLeaf[] {
  const leaves: InputLeaf[] = [];
  for (const name of inputNames) {
    const source = input[name];
    if (source !== undefined) walk(source.data, [], (path, value) => leaves.push({ input: name, path, value }));
  }
  for (const name of ['namespace', 'fluxNamespace'] as const) {
    const value = input[name];
    if (value !== undefined) leaves.push({ input: name, path: [], value });
  }
  return [...leaves.filter(isPart), ...listDefaults(input)];
}

/** Keys of maps that accept any key: such a key may become a value. */
export function listKeys(input: CompositionInput): readonly InputLeaf[] {
  const leaves: InputLeaf[] = [];
  eachPart(input, ({ written, path, table }) => visit({ type: 'object', properties: table }, written, path));
  return leaves;

  function visit(field: Field, value: Json, path: Path): void {
    if (field.kubernetes !== undefined) return;
    if (isJsonArray(value) && field.items !== undefined) {
      for (const [index, item] of value.entries()) visit(field.items, item, [...path, index]);
    }
    if (!isJsonObject(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      const below = fieldIn(field, key);
      if (below === undefined) continue;
      const isNamed = Object.hasOwn(field.properties ?? {}, key);
      if (!isNamed) leaves.push({ input: 'application', path: [...path, key], value: key, isKey: true });
      visit(below, inner, [...path, key]);
    }
  }
}

/** Properties that are not set and have a default. */
function listDefaults(input: CompositionInput): readonly InputLeaf[] {
  const leaves: InputLeaf[] = [];
  eachPart(input, ({ written, path, table }) => {
    for (const [key, { default: value }] of Object.entries(table)) {
      if (value === undefined || Object.hasOwn(written, key)) continue;
      leaves.push({ input: 'application', path: [...path, key], value, isDefault: true });
    }
  });
  return leaves;
}

interface Part {
  readonly written: JsonObject;
  /** Path of the properties. */
  readonly path: Path;
  readonly table: Fields;
}

function eachPart({ application, catalog }: CompositionInput, visit: (part: Part) => void): void {
  for (const { part, path, isTrait } of listParts(application.data)) {
    const handlers = isTrait ? catalog.traits : catalog.components;
    const table = handlers.get(textAt(part, 'type') ?? '')?.properties;
    if (table === undefined) continue;
    visit({ written: mappingAt(part, 'properties') ?? {}, path: [...path, 'properties'], table });
  }
}

/** The header of a document does not affect the result. Another engine would change every object. */
function isPart({ input, path }: InputLeaf): boolean {
  const [first, second] = path;
  if (first === 'apiVersion' || first === 'kind') return false;
  if (input === 'profile') return first === 'spec' && second !== 'gitopsEngine' && second !== 'signatures';
  return input !== 'policy' || second === 'defaults' || second === 'enforced';
}

function walk(value: Json, path: Path, onLeaf: (path: Path, value: Json) => void): void {
  const entries = entriesOf(value);
  if (entries.length === 0) onLeaf(path, value);
  for (const [step, inner] of entries) walk(inner, [...path, step], onLeaf);
}

/** The items of a list or the entries of an object. */
export function entriesOf(value: Json): readonly (readonly [string | number, Json])[] {
  if (isJsonArray(value)) return [...value.entries()];
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** The same input with another value at one path. */
export function withLeaf(
  input: CompositionInput,
  { input: name, path, isKey }: InputLeaf,
  value: Json,
): CompositionInput {
  // Namespaces can only be strings.
  const text = typeof value === 'string' ? value : '';
  if (name === 'namespace' || name === 'fluxNamespace') return { ...input, [name]: text };
  const source = input[name]!;
  const holder = path.slice(0, -1);
  const data =
    isKey === true
      ? putAt(source.data, holder, renameKey(valueAt(source.data, holder), path.at(-1), text))
      : putAt(source.data, path, value);
  return { ...input, [name]: { ...source, data } };
}

function renameKey(mapping: Json | undefined, from: Path[number] | undefined, to: string): JsonObject {
  const entries = Object.entries(isJsonObject(mapping) ? mapping : {});
  return Object.fromEntries(entries.map(([key, value]) => [key === from ? to : key, value]));
}
