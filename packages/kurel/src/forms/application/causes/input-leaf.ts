import { listAt, mappingAt, textAt } from '../../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject, Path } from '../../../model/index.ts';
import type { CompositionInput } from '../compose/composition.ts';
import { fieldIn } from '../documents/field.ts';
import type { Field, Fields } from '../documents/field.ts';

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
  for (const [index, component] of listAt(mappingAt(application.data, 'spec'), 'components').entries()) {
    const path = ['spec', 'components', index];
    show(component, path, catalog.components);
    for (const [position, trait] of listAt(component, 'traits').entries()) {
      show(trait, [...path, 'traits', position], catalog.traits);
    }
  }

  function show(part: Json, path: Path, handlers: ReadonlyMap<string, { readonly properties: Fields }>): void {
    const table = handlers.get(textAt(part, 'type') ?? '')?.properties;
    if (table !== undefined)
      visit({ written: mappingAt(part, 'properties') ?? {}, path: [...path, 'properties'], table });
  }
}

const platformParts: ReadonlySet<string> = new Set([
  'capabilities',
  'fluxNamespace',
  'argocdNamespace',
  'labelPods',
  'podSecurity',
  'networkPolicies',
]);

/** The header of a document does not affect the result. */
function isPart({ input, path }: InputLeaf): boolean {
  const [first, second] = path;
  if (first === 'apiVersion' || first === 'kind') return false;
  if (input === 'profile') return platformParts.has(String(second));
  return input !== 'policy' || second === 'defaults' || second === 'enforced';
}

function walk(value: Json, path: Path, onLeaf: (path: Path, value: Json) => void): void {
  const entries: readonly (readonly [string | number, Json])[] = isJsonArray(value)
    ? [...value.entries()]
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  if (entries.length === 0) onLeaf(path, value);
  for (const [step, inner] of entries) walk(inner, [...path, step], onLeaf);
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
  if (isKey === true) {
    const renamed = renameAt(source.data, path, text);
    return { ...input, [name]: { ...source, data: renamed } };
  }
  return { ...input, [name]: { ...source, data: putAt(source.data, path, value) } };
}

export function putAt(data: Json, path: Path, value: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (isJsonArray(data)) return data.map((item, index) => (index === step ? putAt(item, rest, value) : item));
  // A default can also belong to a component without any properties.
  const mapping = isJsonObject(data) ? data : {};
  return { ...mapping, [step]: putAt(Object.hasOwn(mapping, step) ? mapping[step]! : {}, rest, value) };
}

function renameAt(data: Json, path: Path, key: string): Json {
  const [step, ...rest] = path;
  if (isJsonArray(data)) return data.map((item, index) => (index === step ? renameAt(item, rest, key) : item));
  const entries = Object.entries(isJsonObject(data) ? data : {}).map(([own, inner]): [string, Json] => {
    if (own !== step) return [own, inner];
    return rest.length === 0 ? [key, inner] : [own, renameAt(inner, rest, key)];
  });
  return Object.fromEntries(entries);
}
