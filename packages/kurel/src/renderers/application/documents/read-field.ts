import { isJsonArray, isJsonObject, putEntry } from '../../../model/index.ts';
import type { Diagnostic, Json, JsonObject, Location, Path } from '../../../model/index.ts';
import { describeValue, nearest, quote } from '../../../diagnostics/index.ts';
import { adviseType, describeType, nameField, nameHolder, nameOf } from './describe-value.ts';
import type { Field, Fields, ValueOf } from './field.ts';
import { createFindings } from './findings.ts';
import type { Findings, ReadingOptions } from './findings.ts';
import { checkFormat } from './formats.ts';
import type { Format } from './formats.ts';
import { documentProblems } from './problems.ts';
import { rewrite } from './rewrite.ts';

const quantity: Field = { type: 'quantity', format: 'quantity' };

/** A field and where it stands. */
interface Place {
  readonly field: Field;
  readonly path: Path;
  readonly findings: Findings;
  /** The keys of the mapping around this one, for a key that was written one level too deep. */
  readonly around?: Fields | undefined;
}

/** Nearly all that is read is right, so a place is put together only for what is wrong. */
interface Reading {
  readonly findings: Findings;
  /** Of what is being read; it changes with that. */
  readonly path: (string | number)[];
}

interface FieldOptions extends ReadingOptions {
  /** Where the field stands in the document. */
  readonly path?: Path;
}

/** The data of a field with its defaults; `undefined` when something is wrong, all of which is told. */
export function readField<const F extends Field>(field: F, data: Json, options: FieldOptions): ValueOf<F> | undefined {
  const { path = [], ...rest } = options;
  const findings = createFindings(rest);
  const value = collectField(field, data, { path, findings });
  // Findings are put in order from the root of the document, of which only this part is at hand.
  const whole = (): Json => path.reduceRight<Json>((inner, step) => ({ [step]: inner }), data);
  return findings.tell(whole) ? value : undefined;
}

/** As `readField`, for readers that find more in the same data before they tell. */
export function collectField<const F extends Field>(
  field: F,
  data: Json,
  { path, findings }: Pick<Place, 'path' | 'findings'>,
): ValueOf<F> | undefined {
  return readValue(data, field, { path: [...path], findings }) as ValueOf<F> | undefined;
}

function placeOf(field: Field, { path, findings }: Reading, around?: Fields): Place {
  return { field, path: [...path], findings, around };
}

function readValue(value: Json, field: Field, reading: Reading, around?: Fields): Json | undefined {
  if (!isOfType(value, field)) return reportType(value, placeOf(field, reading, around));
  if (field.kubernetes !== undefined) {
    const { findings } = reading;
    const { locate, checkKubernetes } = findings.options;
    const found = (inner: Path, createAt: (locate: (path: Path) => Location) => Diagnostic): void =>
      findings.add(inner, adviseFilled(createAt(locate), inner, findings));
    const writeText = (inner: Path, scalar: number | bigint | boolean): string =>
      textOf(scalar, { ...placeOf(field, reading), path: [...reading.path, ...inner] });
    const rewritten = field.rewrite === undefined ? value : rewrite(value, field.rewrite, writeText);
    checkKubernetes?.(field.kubernetes, rewritten, { path: [...reading.path], found });
    return rewritten;
  }
  if (field.type === 'any') return value;
  if (field.type === 'quantity') return checkText(`${value as string | number}`, quantity, reading);
  if (typeof value === 'string') return checkText(value, field, reading);
  if (field.type === 'scalar') {
    const place = placeOf(field, reading, around);
    return checkText(textOf(value as number | bigint | boolean, place), field, reading);
  }
  if (typeof value === 'number' || typeof value === 'bigint') return checkNumber(value, field, reading);
  if (isJsonArray(value)) return readList(value, field, reading);
  return isJsonObject(value) ? readMapping(value, field, { reading, around }) : value;
}

function reportType(value: Json, place: Place): undefined {
  const { field, findings, path } = place;
  const args = {
    field: nameField(path),
    expected: describeType(field.type),
    found: describeValue(value),
    advice: adviseReference(value, place) ?? adviseType(field, value, writtenOf(value, place)),
  };
  findings.add(path, documentProblems.create('document-type', args, { location: findings.options.locate(path) }));
  return undefined;
}

/** What was filled in or repeated through an alias was not written as a text of its own. */
function textOf(value: number | bigint | boolean, { findings, path }: Place): string {
  const { locate, writtenAt } = findings.options;
  return writtenAt?.(locate(path), value) ?? String(value);
}

function writtenOf(value: Json, place: Place): string {
  return typeof value === 'string' || typeof value === 'object' ? '' : textOf(value, place);
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
function adviseReference(value: Json, { field, findings, path }: Place): string | undefined {
  const type = field.type === 'quantity' || field.type === 'scalar' ? 'string' : field.type;
  const advice = adviseFrom(path, findings, `which must be declared with type: ${type}`);
  if (advice === undefined || typeof value === 'object') return advice;
  if (type === 'array' && field.items?.type !== 'object') {
    const [name] = findings.options.referencesAt?.(path) ?? [];
    return findings.options.isMixedAt?.(path) === true
      ? 'write it as a list, with "[" in front of the quotes and "]" behind them'
      : `write it as a list: ["\${${name}}"], or declare the parameter with type: array`;
  }
  if (type !== 'boolean' || !/^(?:!|not\b)/.test(String(value))) return advice;
  return 'there is no negation: declare another parameter that says the opposite, and refer to that one';
}

/** The same for a field of Kubernetes, whose check knows of no parameters. */
function adviseFilled(diagnostic: Diagnostic, path: Path, findings: Findings): Diagnostic {
  if (diagnostic.code !== 'field-type') return diagnostic;
  const hint = adviseFrom(path, findings, 'which must be declared with another type');
  return hint === undefined ? diagnostic : { ...diagnostic, hint };
}

function adviseFrom(path: Path, { options }: Findings, demand: string): string | undefined {
  const [name] = options.referencesAt?.(path) ?? [];
  // What is inside of a list or mapping is mended where that was given.
  const isInside = path.length > 0 && (options.referencesAt?.(path.slice(0, -1)) ?? []).length > 0;
  if (name === undefined || isInside) return undefined;
  if (options.isMixedAt?.(path) === true) return `a text with a reference in it is a text; write only \${${name}}`;
  return `it is filled in from the parameter ${quote(name)}, ${demand}`;
}

function checkText(text: string, field: Field, reading: Reading): string | undefined {
  const known = field.enum;
  const isKnown = known === undefined || known.includes(text);
  const reason = isKnown && field.format !== undefined ? checkFormat(text, field.format) : undefined;
  if (isKnown && reason === undefined) return text;
  const { path, findings } = placeOf(field, reading);
  const location = findings.options.locate(path);
  if (reason === undefined) {
    const args = { field: nameField(path), word: text, known: known!, noun: field.noun ?? 'word' };
    findings.add(path, documentProblems.create('document-word', args, { location }));
  } else {
    const args = { field: nameOf(path), text, reason };
    findings.add(path, documentProblems.create('document-format', args, { location }));
  }
  return undefined;
}

function checkNumber(value: number | bigint, field: Field, reading: Reading): number | undefined {
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
  const { path, findings } = placeOf(field, reading);
  const args = { field: nameField(path), bound, found: String(value) };
  findings.add(path, documentProblems.create('document-range', args, { location: findings.options.locate(path) }));
  return undefined;
}

const anything: Field = { type: 'any' };

function readList(list: readonly Json[], field: Field, reading: Reading): Json | undefined {
  const { findings, path } = reading;
  const item = field.items ?? anything;
  if (list.length < (field.minItems ?? 0)) {
    const args = { field: nameField(path), isRequired: field.required === true };
    const location = findings.locateKey([...path]);
    findings.add([...path], documentProblems.create('document-list-short', args, { location }));
  }
  if (field.uniqueBy !== undefined) checkUnique(list, field.uniqueBy, placeOf(field, reading));
  return list.map((value, index) => {
    path.push(index);
    const isNull = value === null && item.type !== 'any';
    const read = isNull ? reportNull(placeOf(item, reading)) : readValue(value, item, reading);
    path.pop();
    return read ?? null;
  });
}

function reportNull({ findings, path }: Place): undefined {
  const place = { location: findings.options.locate(path) };
  findings.add(path, documentProblems.create('document-item-null', { field: nameField(path) }, place));
  return undefined;
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

interface Surroundings {
  readonly reading: Reading;
  readonly around: Fields | undefined;
}

function readMapping(mapping: JsonObject, field: Field, { reading, around }: Surroundings): Json {
  const { properties = noFields, open } = field;
  const { required, defaults } = keysOf(properties);
  for (const key of required) {
    if (isGiven(mapping, key)) continue;
    const place = placeOf(field, reading, around);
    if (!isMisspelt(key, mapping, place)) reportMissing(key, place);
  }
  const read: Record<string, Json> = {};
  for (const key of Object.keys(mapping)) {
    const value = mapping[key]!;
    const known = Object.hasOwn(properties, key) ? properties[key]! : undefined;
    if (known === undefined && open === undefined) reportUnknown(key, placeOf(field, reading, around));
    else if (known === undefined && field.keys !== undefined)
      checkKey(key, field.keys, placeOf(field, reading, around));
    const inner = known ?? open;
    const isAbsent = value === null && inner?.nullable !== false && (known !== undefined || inner?.type === 'object');
    if (inner === undefined || (isAbsent && known !== undefined) || isUnsaid(value, known, reading)) continue;
    reading.path.push(key);
    const result = readValue(isAbsent ? {} : value, inner, reading, field.properties);
    reading.path.pop();
    if (result !== undefined) putEntry(read, key, result);
  }
  // What is handed on as it is stays the same mapping, so that nobody has to ask whether it is equal.
  if (field.properties === undefined && (open === undefined || open.type === 'any')) return mapping;
  for (const key of defaults) {
    const isSaid = isGiven(mapping, key) && !isUnsaid(mapping[key]!, properties[key], reading);
    if (!isSaid) putEntry(read, key, defaultOf(properties[key]!));
  }
  return read;
}

function isUnsaid(value: Json, field: Field | undefined, { findings }: Reading): boolean {
  return value === '' && findings.options.emptyIsAbsent === true && field !== undefined && mayBeEmpty(field);
}

// What restricts something is never taken for nothing said.
const restricting: ReadonlySet<Format> = new Set(['host', 'sha256']);

/** Whether an empty text, which could only be refused, says nothing, so that a parameter can leave the property out. */
export function mayBeEmpty({ type, required, enum: words, format }: Field): boolean {
  if (type !== 'string' || required === true) return false;
  if (words !== undefined && !words.includes('')) return true;
  return format !== undefined && !restricting.has(format) && checkFormat('', format) !== undefined;
}

const noFields: Fields = {};

function isGiven(mapping: JsonObject, key: string): boolean {
  return Object.hasOwn(mapping, key) && mapping[key] !== null;
}

interface Keys {
  readonly required: readonly string[];
  readonly defaults: readonly string[];
}

/** Tables are constants, and each is read with very often. */
const keysOfTables = new WeakMap<Fields, Keys>();

function keysOf(properties: Fields): Keys {
  let keys = keysOfTables.get(properties);
  if (keys === undefined) {
    const all = Object.keys(properties);
    keys = {
      required: all.filter((key) => properties[key]!.required === true),
      defaults: all.filter((key) => properties[key]!.default !== undefined),
    };
    keysOfTables.set(properties, keys);
  }
  return keys;
}

const defaultsOfFields = new WeakMap<Field, Json>();

/** A default is our own and needs no check; only what is below it may have defaults in turn. */
function defaultOf(field: Field): Json {
  let value = defaultsOfFields.get(field);
  if (value === undefined) {
    value = completeDefault(field.default!, field);
    defaultsOfFields.set(field, value);
  }
  return value;
}

function completeDefault(value: Json, { properties = noFields }: Field): Json {
  const missing = isJsonObject(value) ? keysOf(properties).defaults.filter((key) => !isGiven(value, key)) : [];
  if (missing.length === 0) return value;
  const inner = missing.map((key): [string, Json] => [key, defaultOf(properties[key]!)]);
  return Object.fromEntries([...Object.entries(value as JsonObject), ...inner]);
}

function reportMissing(key: string, { field, path, findings }: Place): void {
  const { type, description, enum: known } = field.properties![key]!;
  const words = known !== undefined && known.length <= 2 ? known.join(' or ') : undefined;
  const args = { key, holder: nameHolder(path, 'the document'), expected: words ?? description ?? describeType(type) };
  const location = findings.locateKey(path);
  findings.add(path, documentProblems.create('document-key-missing', args, { location }));
}

/** Whether a key that is missing is there with a slip in it, which is told as what it is. */
function isMisspelt(key: string, mapping: JsonObject, place: Place): boolean {
  const { properties = {}, open } = place.field;
  if (open !== undefined) return false;
  const known = Object.keys(properties);
  return Object.keys(mapping).some(
    (other) =>
      !Object.hasOwn(properties, other) && findElsewhere(other, place) === undefined && nearest(other, known) === key,
  );
}

/** The mapping close by that has such a key. */
function findElsewhere(key: string, { field: { properties = {} }, path, around = {} }: Place): string | undefined {
  const below = Object.keys(properties).find((name) => Object.hasOwn(properties[name]!.properties ?? {}, key));
  if (below !== undefined) return nameHolder([...path, below], '');
  return Object.hasOwn(around, key) ? nameHolder(path.slice(0, -1), 'the document itself') : undefined;
}

function reportUnknown(key: string, place: Place): void {
  const { field, path, findings } = place;
  const properties = field.properties ?? {};
  const elsewhere = findElsewhere(key, place);
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
