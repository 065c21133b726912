import { createBudget } from '../../../budget/index.ts';
import { quote } from '../../../diagnostics/index.ts';
import { isJsonArray, isJsonObject, putEntry } from '../../../model/index.ts';
import type { Diagnostic, Json, JsonObject, Location, Path } from '../../../model/index.ts';
import { check, createFinding } from '../../../schema/index.ts';
import type { CheckFinding, SchemaNode } from '../../../schema/index.ts';
import type { Field, Fields, ValueOf } from './field.ts';
import { nodeOfField } from './field-node.ts';
import { createFindings } from './findings.ts';
import type { Findings, ReadingOptions } from './findings.ts';
import { rewrite } from './rewrite.ts';

interface FieldOptions extends ReadingOptions {
  /** Where the field stands in the document. */
  readonly path?: Path;
}

/** The data of a field with its defaults; `undefined` when something is wrong, all of which is reported. */
export function readField<const F extends Field>(field: F, data: Json, options: FieldOptions): ValueOf<F> | undefined {
  const { path = [], ...rest } = options;
  const findings = createFindings(rest);
  const value = collectField(field, data, { path, findings });
  // Findings are put in order from the root of the document, of which only this part is at hand.
  const whole = (): Json => path.reduceRight<Json>((inner, step) => ({ [step]: inner }), data);
  return findings.reportFinding(whole) ? value : undefined;
}

interface Place {
  readonly path: Path;
  readonly findings: Findings;
}

/** As `readField`, for readers that find more in the same data before they report. */
export function collectField<const F extends Field>(
  field: F,
  data: Json,
  { path, findings }: Place,
): ValueOf<F> | undefined {
  const { options } = findings;
  check(data, nodeOfField(field, { emptyIsAbsent: options.emptyIsAbsent }), {
    path,
    source: {
      noun: 'field',
      whole: 'the document',
      refusesNullItems: true,
      adviseType: (inner, node, value) => adviseReference(value, { node, path: inner, findings }),
      writtenAt: writtenIn(findings),
    },
    // Tables have no patterns and no alternatives, which are what takes long.
    budget: createBudget(),
    report: (finding) => addFinding(finding, findings),
  });
  return readValue(data, field, { path: [...path], findings }) as ValueOf<F> | undefined;
}

/** What is missing is reported at the key of what it is missing from. */
function addFinding(finding: CheckFinding, findings: Findings): void {
  const { locate } = findings.options;
  const isMissing = finding.finding[0] === 'field-required';
  const place = isMissing ? { ...finding, path: finding.path.slice(0, -1), at: 'key' as const } : finding;
  findings.add(place.path, createFinding(place, locate));
}

/** The path is that of what is being read, and changes with it. */
interface Reading {
  readonly findings: Findings;
  readonly path: (string | number)[];
}

/** What is not of its type was reported; it is left as it is. */
function readValue(value: Json, field: Field, reading: Reading): Json {
  const { path, findings } = reading;
  if (field.kubernetes !== undefined) return readKubernetes(value, field, reading);
  if (field.type === 'quantity' && value !== null && typeof value !== 'object') return String(value);
  if (field.type === 'scalar' && isPlain(value)) return textOf(value, path, findings);
  if (typeof value === 'bigint' && field.type !== 'any') return Number(value);
  if (isJsonArray(value) && field.type === 'array') return readList(value, field, reading);
  return isJsonObject(value) && field.type === 'object' ? readMapping(value, field, reading) : value;
}

function readKubernetes(value: Json, field: Field, { path, findings }: Reading): Json {
  const isOfType = field.type === 'array' ? isJsonArray(value) : field.type !== 'object' || isJsonObject(value);
  if (!isOfType) return value;
  const { locate, checkKubernetes } = findings.options;
  const found = (inner: Path, createAt: (locate: (path: Path) => Location) => Diagnostic): void =>
    findings.add(inner, adviseFilled(createAt(locate), inner, findings));
  const writeText = (inner: Path, scalar: number | bigint | boolean): string =>
    textOf(scalar, [...path, ...inner], findings);
  const rewritten = field.rewrite === undefined ? value : rewrite(value, field.rewrite, writeText);
  const place = { path: [...path], found, writtenAt: writtenIn(findings) };
  if (!findings.has(path)) checkKubernetes?.(field.kubernetes!, rewritten, place);
  return rewritten;
}

function isPlain(value: Json): value is number | bigint | boolean {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
}

/** Paths lead from the root of the document. */
function writtenIn({ options }: Findings): (path: Path, value: number | bigint | boolean) => string | undefined {
  return (path, value) => options.writtenAt?.(options.locate(path), value);
}

/** What was filled in or repeated through an alias was not written as a string of its own. */
function textOf(value: number | bigint | boolean, path: Path, findings: Findings): string {
  return writtenIn(findings)(path, value) ?? String(value);
}

interface Typed extends Place {
  readonly node: SchemaNode;
}

const parameterTypes: Readonly<Record<string, string>> = { list: 'array', quantity: 'string', scalar: 'string' };

/** A value that came from a parameter is not mended where it is used. */
function adviseReference(value: Json, { node, findings, path }: Typed): string | undefined {
  const type = parameterTypes[node.type] ?? node.type;
  const advice = adviseFrom(path, findings, `which must be declared with type: ${type}`);
  if (advice === undefined || typeof value === 'object') return advice;
  if (type === 'array' && node.items?.type !== 'object') {
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
  // What is inside of a list or object is mended where that was given.
  const isInside = path.length > 0 && (options.referencesAt?.(path.slice(0, -1)) ?? []).length > 0;
  if (name === undefined || isInside) return undefined;
  if (options.isMixedAt?.(path) === true) return `a text with a reference in it is a text; write only \${${name}}`;
  return `it is filled in from the parameter ${quote(name)}, ${demand}`;
}

const anything: Field = { type: 'any' };

function readList(list: readonly Json[], { items = anything }: Field, reading: Reading): Json {
  return list.map((value, index) => {
    reading.path.push(index);
    const read = readValue(value, items, reading);
    reading.path.pop();
    return read;
  });
}

const noFields: Fields = {};

function readMapping(mapping: JsonObject, field: Field, reading: Reading): Json {
  const { properties = noFields, open } = field;
  const { emptyIsAbsent } = reading.findings.options;
  const isAbsent = (key: string): boolean => {
    const value = mapping[key];
    return value === null || (value === '' && nodeOfField(properties[key]!, { emptyIsAbsent }).emptyIsAbsent === true);
  };
  const read: Record<string, Json> = {};
  for (const key of Object.keys(mapping)) {
    const known = Object.hasOwn(properties, key) ? properties[key]! : undefined;
    const inner = known ?? open;
    if (inner === undefined || (known !== undefined && isAbsent(key))) continue;
    reading.path.push(key);
    // Nothing after the key of an object is an empty one.
    const value = mapping[key] === null && inner.type === 'object' ? {} : mapping[key]!;
    putEntry(read, key, readValue(value, inner, reading));
    reading.path.pop();
  }
  // What is handed on as it is stays the same object, so that nobody has to ask whether it is equal.
  if (field.properties === undefined && (open === undefined || open.type === 'any')) return mapping;
  for (const key of defaultKeysOf(properties)) {
    if (!Object.hasOwn(mapping, key) || isAbsent(key)) putEntry(read, key, defaultOf(properties[key]!));
  }
  return read;
}

/** Tables are constants, and each is read with very often. */
const defaultKeys = new WeakMap<Fields, readonly string[]>();

function defaultKeysOf(properties: Fields): readonly string[] {
  let keys = defaultKeys.get(properties);
  if (keys === undefined) {
    keys = Object.keys(properties).filter((key) => properties[key]!.default !== undefined);
    defaultKeys.set(properties, keys);
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
  if (!isJsonObject(value)) return value;
  const missing = defaultKeysOf(properties).filter((key) => (Object.hasOwn(value, key) ? value[key] : null) === null);
  if (missing.length === 0) return value;
  const inner = missing.map((key): [string, Json] => [key, defaultOf(properties[key]!)]);
  return Object.fromEntries([...Object.entries(value), ...inner]);
}
