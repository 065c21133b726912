import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Diagnostic, Json, JsonObject, Location, Path } from '../../../model/index.ts';
import { quote } from '../../../diagnostics/index.ts';
import { adviseType, describeType, describeValue, nameField, nameHolder, nameOf } from './describe-value.ts';
import type { Field, Fields, ValueOf } from './field.ts';
import { createFindings } from './findings.ts';
import type { Findings, ReadingOptions } from './findings.ts';
import { checkFormat } from './formats.ts';
import type { Format } from './formats.ts';
import { documentProblems } from './problems.ts';

const quantity: Field = { type: 'quantity', format: 'quantity' };

/** A field and where it stands. */
interface Place {
  readonly field: Field;
  readonly path: Path;
  readonly findings: Findings;
  /** The keys of the mapping around this one, for a key that was written one level too deep. */
  readonly around?: Fields | undefined;
}

interface FieldOptions extends ReadingOptions {
  /** Where the field stands in the document. */
  readonly path?: Path;
}

/** The data of a field with its defaults; `undefined` when something is wrong, all of which is told. */
export function readField<const F extends Field>(field: F, data: Json, options: FieldOptions): ValueOf<F> | undefined {
  const { path = [], ...rest } = options;
  // Findings are put in order from the root of the document, of which only this part is at hand.
  const findings = createFindings(rest);
  const value = collectField(field, data, { path, findings });
  return findings.tell(path.reduceRight<Json>((inner, step) => ({ [step]: inner }), data)) ? value : undefined;
}

/** As `readField`, for readers that find more in the same data before they tell. */
export function collectField<const F extends Field>(
  field: F,
  data: Json,
  place: Pick<Place, 'path' | 'findings'>,
): ValueOf<F> | undefined {
  return readValue(data, { ...place, field }) as ValueOf<F> | undefined;
}

function readValue(value: Json, place: Place): Json | undefined {
  const { field, findings, path } = place;
  if (!isOfType(value, field)) {
    const args = {
      field: nameField(path),
      expected: describeType(field.type),
      found: describeValue(value),
      advice: adviseReference(place) ?? adviseType(field.type, value),
    };
    findings.add(path, documentProblems.create('document-type', args, { location: findings.options.locate(path) }));
    return undefined;
  }
  if (field.kubernetes !== undefined) {
    const { locate, checkKubernetes } = findings.options;
    const found = (inner: Path, createAt: (locate: (path: Path) => Location) => Diagnostic): void =>
      findings.add(inner, createAt(locate));
    checkKubernetes?.(field.kubernetes, value, { path, found });
    return value;
  }
  if (field.type === 'any') return value;
  if (field.type === 'quantity') return checkText(`${value as string | number}`, { ...place, field: quantity });
  if (typeof value === 'string') return checkText(value, place);
  if (field.type === 'scalar') return checkText(textOf(value as number | bigint | boolean, place), place);
  if (typeof value === 'number' || typeof value === 'bigint') return checkNumber(value, place);
  if (isJsonArray(value)) return readList(value, place);
  return isJsonObject(value) ? readMapping(value, place) : value;
}

/** What was filled in or repeated through an alias was not written as a text of its own. */
function textOf(value: number | bigint | boolean, { findings, path }: Place): string {
  const { locate, writtenAt } = findings.options;
  return writtenAt?.(locate(path), value) ?? String(value);
}

function isOfType(value: Json, { type }: Field): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value) || typeof value === 'bigint';
    case 'number':
      return Number.isFinite(value) || typeof value === 'bigint';
    case 'quantity':
      return typeof value === 'string' || Number.isFinite(value) || typeof value === 'bigint';
    case 'scalar':
      return typeof value !== 'object';
    case 'array':
      return isJsonArray(value);
    case 'object':
      return isJsonObject(value);
    case 'any':
      return true;
    default:
      return typeof value === type;
  }
}

/** A value that came from a parameter is not mended where it is used. */
function adviseReference({ field, findings, path }: Place): string | undefined {
  const [name] = findings.options.referencesAt?.(path) ?? [];
  if (name === undefined) return undefined;
  if (findings.options.isMixedAt?.(path) === true)
    return `a text with a reference in it is a text; write only \${${name}}`;
  const type = field.type === 'quantity' || field.type === 'scalar' ? 'string' : field.type;
  return `it is filled in from the parameter ${quote(name)}, which must be declared with type: ${type}`;
}

function checkText(text: string, { field, findings, path }: Place): string | undefined {
  const location = findings.options.locate(path);
  const known = field.enum;
  if (known !== undefined && !known.includes(text)) {
    const args = { field: nameField(path), word: text, known, noun: field.noun ?? 'word' };
    findings.add(path, documentProblems.create('document-word', args, { location }));
    return undefined;
  }
  const reason = field.format === undefined ? undefined : checkFormat(text, field.format);
  if (reason === undefined) return text;
  const args = { field: nameOf(path), text, reason };
  findings.add(path, documentProblems.create('document-format', args, { location }));
  return undefined;
}

function checkNumber(value: number | bigint, { field, findings, path }: Place): number | undefined {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = field;
  // Only whole numbers have bounds of their own: a fraction that is read is as exact as it can be.
  const isBounded = field.type === 'integer' || field.minimum !== undefined || field.maximum !== undefined;
  const bound =
    (isBounded || typeof value === 'bigint') && value < minimum
      ? `at least ${minimum}`
      : (isBounded || typeof value === 'bigint') && value > maximum
        ? `at most ${maximum}`
        : undefined;
  if (bound === undefined) return Number(value);
  const args = { field: nameField(path), bound, found: String(value) };
  findings.add(path, documentProblems.create('document-range', args, { location: findings.options.locate(path) }));
  return undefined;
}

function readList(list: readonly Json[], place: Place): Json | undefined {
  const { field, findings, path } = place;
  const item: Field = field.items ?? { type: 'any' };
  if (list.length < (field.minItems ?? 0)) {
    const args = { field: nameField(path), isRequired: field.required === true };
    const location = findings.locateKey(path);
    findings.add(path, documentProblems.create('document-list-short', args, { location }));
  }
  if (field.uniqueBy !== undefined) checkUnique(list, field.uniqueBy, place);
  return list.map((value, index) => {
    const inner = [...path, index];
    if (value !== null || item.type === 'any') return readValue(value, { field: item, path: inner, findings }) ?? null;
    const place = { location: findings.options.locate(inner) };
    findings.add(inner, documentProblems.create('document-item-null', { field: nameField(inner) }, place));
    return null;
  });
}

function checkUnique(list: readonly Json[], key: string, { findings, path }: Place): void {
  const first = new Map<string, Path>();
  for (const [index, item] of list.entries()) {
    const text = isJsonObject(item) && Object.hasOwn(item, key) ? item[key] : undefined;
    if (typeof text !== 'string') continue;
    const inner = [...path, index, key];
    const earlier = first.get(text);
    if (earlier === undefined) {
      first.set(text, inner);
      continue;
    }
    const args = { field: key, text, list: nameField(path) };
    const { locate } = findings.options;
    const related = [{ message: 'the first is here', location: locate(earlier) }];
    findings.add(inner, documentProblems.create('document-duplicate', args, { location: locate(inner), related }));
  }
}

function readMapping(mapping: JsonObject, place: Place): Json {
  const { field, path, findings } = place;
  const properties = field.properties ?? {};
  const isWhole = field.properties === undefined && (field.open === undefined || field.open.type === 'any');
  for (const key of Object.keys(properties)) if (isMissing(mapping, key, properties)) reportMissing(key, place);
  const entries = Object.entries(mapping).flatMap(([key, value]): [string, Json][] => {
    const known = Object.hasOwn(properties, key) ? properties[key]! : undefined;
    if (known === undefined && field.open === undefined) reportUnknown(key, place);
    else if (known === undefined && field.keys !== undefined) checkKey(key, field.keys, place);
    const inner = known ?? field.open;
    const isAbsent = value === null && inner?.nullable !== false && (known !== undefined || inner?.type === 'object');
    if (inner === undefined || (isAbsent && known !== undefined)) return [];
    const around = field.properties;
    const read = readValue(isAbsent ? {} : value, { field: inner, path: [...path, key], findings, around });
    return read === undefined ? [] : [[key, read]];
  });
  // What is handed on as it is stays the same mapping, so that nobody has to ask whether it is equal.
  return isWhole ? mapping : Object.fromEntries([...entries, ...readDefaults(mapping, properties)]);
}

function isMissing(mapping: JsonObject, key: string, properties: Fields): boolean {
  const isThere = Object.hasOwn(mapping, key) && mapping[key] !== null;
  return properties[key]!.required === true && !isThere;
}

function readDefaults(mapping: JsonObject, properties: Fields): readonly [string, Json][] {
  return Object.entries(properties).flatMap(([key, field]): [string, Json][] => {
    const isThere = Object.hasOwn(mapping, key) && mapping[key] !== null;
    return isThere || field.default === undefined ? [] : [[key, completeDefault(field.default, field)]];
  });
}

/** A default is our own and needs no check; only what is below it may have defaults in turn. */
function completeDefault(value: Json, { properties = {} }: Field): Json {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries([...Object.entries(value), ...readDefaults(value, properties)]);
}

function reportMissing(key: string, { field, path, findings }: Place): void {
  const { type, description, enum: known } = field.properties![key]!;
  const words = known !== undefined && known.length <= 2 ? known.join(' or ') : undefined;
  const args = { key, holder: nameHolder(path, 'the document'), expected: words ?? description ?? describeType(type) };
  const location = findings.locateKey(path);
  findings.add(path, documentProblems.create('document-key-missing', args, { location }));
}

function reportUnknown(key: string, { field, path, findings, around = {} }: Place): void {
  const properties = field.properties ?? {};
  const below = Object.keys(properties).find((name) => Object.hasOwn(properties[name]!.properties ?? {}, key));
  const parent = Object.hasOwn(around, key) ? nameHolder(path.slice(0, -1), 'the document itself') : undefined;
  const elsewhere = below === undefined ? parent : nameHolder([...path, below], '');
  const open = Object.keys(properties).find((name) => properties[name]!.open?.type === 'any');
  const free = open === undefined ? undefined : nameHolder([...path, open], '');
  const args = { key, holder: nameHolder(path, 'the document'), known: Object.keys(properties), elsewhere, free };
  const inner = [...path, key];
  const location = findings.locateKey(inner);
  findings.add(inner, documentProblems.create('document-key-unknown', args, { location }));
}

function checkKey(key: string, format: Format, { path, findings }: Place): void {
  const reason = checkFormat(key, format);
  if (reason === undefined) return;
  const inner = [...path, key];
  const args = { key, holder: nameHolder(path, 'the document'), reason };
  const location = findings.locateKey(inner);
  findings.add(inner, documentProblems.create('document-key-invalid', args, { location }));
}
