import { isJsonArray, isJsonObject } from '../../packages/kurel/src/model/index.ts';
import type { Json, JsonObject, KubeObject, Path } from '../../packages/kurel/src/model/index.ts';
import type { KindObjects } from './read-objects.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { metadataValues, stringValues, numberValues, keyValues, mapNames, statusValues } from './values.ts';

/** One change of one object; the same seed gives the same ones in every run. */
export interface Mutation {
  readonly path: Path;
  /** What was done, in a word: `delete`, `null`, `graft`. */
  readonly operation: string;
  readonly object: KubeObject;
}

export interface MutatedKind {
  readonly kind: string;
  readonly mutations: readonly Mutation[];
}

interface Change {
  readonly path: Path;
  readonly operation: string;
  /** Takes the place of the value; left out to delete it. */
  readonly value?: Json;
}

interface Options {
  readonly seed: number;
  /** Of each kind. */
  readonly count: number;
}

export function mutateKinds(kinds: readonly KindObjects[], { seed, count }: Options): readonly MutatedKind[] {
  const grafts = collectGrafts(kinds);
  return kinds.map(({ kind, objects }) => {
    const random = createRandom(`${seed} ${kind}`);
    const seen = new Set(objects.map((object) => JSON.stringify(object)));
    const mutations: Mutation[] = [];
    for (let attempt = 0; attempt < count * 20 && mutations.length < count; attempt += 1) {
      const object = random.pick(objects);
      const { path, operation, value } = chooseChange(object, grafts, random);
      const changed = replaceAt(object, path, value) as KubeObject;
      const text = JSON.stringify(changed);
      if (seen.has(text)) continue;
      seen.add(text);
      mutations.push({ path, operation, object: changed });
    }
    return { kind, mutations };
  });
}

function chooseChange(object: KubeObject, grafts: Grafts, random: Random): Change {
  const choice = random.next();
  if (choice < 0.12) {
    const [field, value] = random.pick(metadataValues);
    return { path: ['metadata', field], operation: 'metadata', value };
  }
  if (choice < 0.13) return { path: ['status'], operation: 'status', value: random.pick(statusValues) };
  const { path, value } = random.pick(listPlaces(object));
  if (choice < 0.23) return { path, operation: 'delete' };
  if (choice < 0.29) return { path, operation: 'null', value: null };
  if (choice < 0.4) return { path, operation: 'other type', value: random.pick(otherTypes(value)) };
  if (typeof value === 'string') return changeString({ path, value, grafts, random });
  if (typeof value === 'number') {
    return { path, operation: 'number', value: random.pick([...numberValues, value + 0.5, -value, String(value)]) };
  }
  if (isJsonArray(value)) return changeList(path, value, random);
  if (isJsonObject(value)) return changeMapping({ path, grafts, random });
  return { path, operation: 'boolean', value: random.pick([value !== true, 'true', 'yes', 1]) };
}

function otherTypes(value: Json): readonly Json[] {
  const all: readonly Json[] = ['text', '', 7, true, [], {}, [value], { value }];
  return all.filter((one) => typeof one !== typeof value || isJsonArray(one) !== isJsonArray(value));
}

interface Place<Value extends Json> {
  readonly path: Path;
  readonly value: Value;
  readonly grafts: Grafts;
  readonly random: Random;
}

function changeString({ path, value, grafts, random }: Place<string>): Change {
  // A value that the same field has elsewhere, or another field close by: often another member of an enum.
  const others = [...(grafts.strings.get(fieldOf(path)) ?? [])];
  if (others.length > 0 && random.next() < 0.3) return { path, operation: 'other word', value: random.pick(others) };
  const own = [`${value}X`, `${value}.`, value.toUpperCase(), `${value} x`, value.slice(0, -1)];
  return { path, operation: 'string', value: random.pick([...stringValues, ...own]) };
}

function changeList(path: Path, value: readonly Json[], random: Random): Change {
  const repeated = value.length > 0 ? [...value, random.pick(value)] : [null];
  const lists: readonly Json[] = [
    [],
    repeated,
    repeated,
    [...value, null],
    [...value, ''],
    [...value, {}],
    value.slice(1),
  ];
  return { path, operation: 'list', value: random.pick(lists) };
}

function changeMapping({ path, grafts, random }: Omit<Place<JsonObject>, 'value'>): Change {
  const isMap = mapNames.has(String(path.at(-1)));
  if (isMap) {
    const key = random.next() < 0.5 ? random.pick(keyValues) : 'example.com/key';
    const entry = key === 'example.com/key' ? random.pick<Json>([...stringValues, 7, true, null, [], {}]) : 'value';
    return { path: [...path, key], operation: 'entry', value: entry };
  }
  if (random.next() < 0.15) return { path: [...path, 'unknownField'], operation: 'unknown field', value: 'x' };
  if (random.next() < 0.15) return { path, operation: 'empty', value: {} };
  const fields = grafts.fields.get(shapeOf(path));
  const [name, values] = random.pick([...(fields ?? [])]) ?? ['unknownField', new Map([['""', '']])];
  const graft = random.pick([...values.values()]);
  // A field beside those that are there, or in the place of all.
  return random.next() < 0.8
    ? { path: [...path, name], operation: 'graft', value: graft }
    : { path, operation: 'only', value: { [name]: graft } };
}

interface Grafts {
  /** Fields by the shape of the path to their holder, each with the values it has anywhere. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, Json>>>;
  /** Short strings by the name of their field. */
  readonly strings: ReadonlyMap<string, ReadonlySet<string>>;
}

function collectGrafts(kinds: readonly KindObjects[]): Grafts {
  const fields = new Map<string, Map<string, Map<string, Json>>>();
  const strings = new Map<string, Set<string>>();
  for (const { objects } of kinds) {
    for (const { path, value } of objects.flatMap(listPlaces)) {
      const name = path.at(-1)!;
      if (typeof name === 'string' && path.length > 1) {
        const shape = shapeOf(path.slice(0, -1));
        const ofShape = fields.get(shape) ?? new Map<string, Map<string, Json>>();
        fields.set(shape, ofShape);
        const values = ofShape.get(name) ?? new Map<string, Json>();
        ofShape.set(name, values.size < 8 ? values.set(JSON.stringify(value), value) : values);
      }
      if (typeof value !== 'string' || value.length > 30) continue;
      const known = strings.get(fieldOf(path)) ?? new Set<string>();
      strings.set(fieldOf(path), known.size < 30 ? known.add(value) : known);
    }
  }
  return { fields, strings };
}

/** `containers.*.livenessProbe`: the last steps, so that pods look alike in every kind. */
function shapeOf(path: Path): string {
  const steps = path.map((step) => (typeof step === 'number' ? '*' : step));
  return steps.slice(steps.at(-1) === '*' ? -3 : -2).join('.');
}

function fieldOf(path: Path): string {
  return String(path.findLast((step) => typeof step === 'string'));
}

/** Everything in an object but its own type. */
function listPlaces(object: KubeObject): { readonly path: Path; readonly value: Json }[] {
  const places: { readonly path: Path; readonly value: Json }[] = [];
  const visit = (value: Json, path: Path): void => {
    if (path.length > 0) places.push({ path, value });
    if (isJsonArray(value)) for (const [index, item] of value.entries()) visit(item, [...path, index]);
    else if (isJsonObject(value)) for (const [key, item] of Object.entries(value)) visit(item, [...path, key]);
  };
  const { apiVersion: _, kind: __, ...rest } = object;
  visit(rest, []);
  return places;
}

function replaceAt(holder: Json, path: Path, value: Json | undefined): Json {
  const [step, ...rest] = path;
  if (step === undefined) return value!;
  if (isJsonArray(holder)) {
    if (rest.length === 0 && value === undefined) return holder.filter((_, index) => index !== step);
    return holder.map((item, index) => (index === step ? replaceAt(item, rest, value) : item));
  }
  const mapping: JsonObject = isJsonObject(holder) ? holder : {};
  if (rest.length > 0) return { ...mapping, [step]: replaceAt(mapping[step] ?? {}, rest, value) };
  const { [step]: _, ...others } = mapping;
  return value === undefined ? others : { ...others, [step]: value };
}
