import { createBudget, getOrAdd } from '../budget/index.ts';
import { quote } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject, isScalar, putEntry } from '../model/index.ts';
import type { Diagnostic, Json, JsonObject, Location, Path } from '../model/index.ts';
import { check, createFinding } from '../schema/index.ts';
import type { CheckFinding, SchemaNode } from '../schema/index.ts';
import { nodeOfField } from './field-node.ts';
import { anything, noFields } from './field.ts';
import type { Field, Fields, ValueOf } from './field.ts';
import { createDocumentFindings } from './document-findings.ts';
import type { DocumentFindings, ReadingOptions } from './document-findings.ts';
import { rewrite } from './rewrite.ts';

interface FieldOptions extends ReadingOptions {
  /** Path of the field in the document. */
  readonly path?: Path;
}

/**
 * The value of a field with its defaults; `undefined` after an error, except one about fields that are valid on their own.
 * Reports all problems.
 */
export function readField<const F extends Field>(field: F, data: Json, options: FieldOptions): ValueOf<F> | undefined {
  const { path = [] } = options;
  const findings = createDocumentFindings(options);
  const value = collectField(field, data, { path, findings });
  return findings.reportAll(() => nestAt(path, data)) ? value : undefined;
}

/** Findings are sorted by document order, which needs paths from the root. */
export function nestAt(path: Path, data: Json): Json {
  return path.reduceRight<Json>((inner, step) => ({ [step]: inner }), data);
}

interface Place {
  readonly path: Path;
  readonly findings: DocumentFindings;
}

/** Like `readField`, for readers that add their own findings before reporting. */
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
    // Tables have no patterns or alternatives, which are the expensive checks.
    budget: createBudget(),
    report: (finding) => addFinding(finding, findings),
  });
  return readValue(data, field, { path: [...path], findings }) as ValueOf<F> | undefined;
}

/** A missing field is reported at the key of its parent. */
export function addFinding(finding: CheckFinding, findings: DocumentFindings): void {
  const { locate } = findings.options;
  const isMissing = finding.finding[0] === 'field-required';
  const place = isMissing ? { ...finding, path: finding.path.slice(0, -1), at: 'key' as const } : finding;
  findings.add(place.path, createFinding(place, locate));
}

/** The path changes while reading. */
interface Reading {
  readonly findings: DocumentFindings;
  readonly path: (string | number)[];
}

/** A value of the wrong type was reported and is left unchanged. */
function readValue(value: Json, field: Field, reading: Reading): Json {
  const { path, findings } = reading;
  if (field.kubernetes !== undefined) return readKubernetes(value, field, reading);
  if (field.type === 'quantity' && value !== null && typeof value !== 'object') return String(value);
  if (field.type === 'scalar' && isScalar(value)) return textOf(value, path, findings);
  if (typeof value === 'bigint' && field.type !== 'any' && field.exact !== true) return Number(value);
  if (isJsonArray(value) && field.type === 'array') return readList(value, field, reading);
  return isJsonObject(value) && field.type === 'object' ? readMapping(value, field, reading) : value;
}

function readKubernetes(value: Json, field: Field, { path, findings }: Reading): Json {
  const isOfType = field.type === 'array' ? isJsonArray(value) : field.type !== 'object' || isJsonObject(value);
  if (!isOfType) return value;
  const { locate, checkKubernetes } = findings.options;
  const add = (inner: Path, createAt: (locate: (path: Path) => Location) => Diagnostic): void =>
    findings.add(inner, adviseFilled(createAt(locate), inner, findings));
  const rewritten =
    field.rewrite === undefined
      ? value
      : rewrite(value, field.rewrite, (inner, scalar) => textOf(scalar, [...path, ...inner], findings));
  const place = { path: [...path], found: add, writtenAt: writtenIn(findings) };
  if (!findings.has(path)) checkKubernetes?.(field.kubernetes!, rewritten, place);
  return rewritten;
}

/** Paths start at the root of the document. */
function writtenIn({
  options,
}: DocumentFindings): (path: Path, value: number | bigint | boolean) => string | undefined {
  return (path, value) => options.writtenAt?.(options.locate(path), value);
}

/** A value from a parameter or an alias has no source text at its path. */
function textOf(value: number | bigint | boolean, path: Path, findings: DocumentFindings): string {
  return writtenIn(findings)(path, value) ?? String(value);
}

interface Typed extends Place {
  readonly node: SchemaNode;
}

const parameterTypes: Readonly<Record<string, string>> = { list: 'array', quantity: 'string', scalar: 'string' };

/** A value from a parameter must be fixed at the parameter, not where it is used. */
function adviseReference(value: Json, { node, findings, path }: Typed): string | undefined {
  const type = parameterTypes[node.type] ?? node.type;
  const advice = adviseFrom(path, findings, `type: ${type}`);
  if (advice === undefined || typeof value === 'object') return advice;
  if (type === 'array' && node.items?.type !== 'object') {
    const [name] = findings.options.referencesAt?.(path) ?? [];
    return findings.options.isMixedAt?.(path) === true
      ? 'write it as a list: put "[" before the quotes and "]" after them'
      : `write it as a list: ["\${${name}}"], or declare the parameter with type: array`;
  }
  if (type !== 'boolean' || !/^(?:!|not\b)/.test(String(value))) return advice;
  return 'references cannot be negated: declare a parameter with the opposite meaning and reference it';
}

/** The same for Kubernetes fields, whose check does not know about parameters. */
function adviseFilled(diagnostic: Diagnostic, path: Path, findings: DocumentFindings): Diagnostic {
  if (diagnostic.code !== 'field-type') return diagnostic;
  const hint = adviseFrom(path, findings, 'another type');
  return hint === undefined ? diagnostic : { ...diagnostic, hint };
}

function adviseFrom(path: Path, { options }: DocumentFindings, type: string): string | undefined {
  const [name] = options.referencesAt?.(path) ?? [];
  // A value inside a list or object is fixed where that list or object was set.
  const isInside = path.length > 0 && (options.referencesAt?.(path.slice(0, -1)) ?? []).length > 0;
  if (name === undefined || isInside) return undefined;
  if (options.isMixedAt?.(path) === true)
    return `a string that contains a reference stays a string: use only \${${name}}`;
  return `the value comes from parameter ${quote(name)}: declare it with ${type}`;
}

function readList(list: readonly Json[], { items = anything }: Field, reading: Reading): Json {
  return list.map((value, index) => {
    reading.path.push(index);
    const read = readValue(value, items, reading);
    reading.path.pop();
    return read;
  });
}

function readMapping(mapping: JsonObject, field: Field, reading: Reading): Json {
  const { properties = noFields, open } = field;
  const { emptyIsAbsent } = reading.findings.options;
  const isAbsent = (key: string): boolean => {
    const value = mapping[key];
    return value === null || (value === '' && nodeOfField(properties[key]!, { emptyIsAbsent }).emptyIsAbsent === true);
  };
  const read: Record<string, Json> = {};
  for (const key of Object.keys(mapping)) {
    const named = Object.hasOwn(properties, key) ? properties[key]! : undefined;
    const inner = named ?? open;
    if (inner === undefined || (named !== undefined && isAbsent(key))) continue;
    reading.path.push(key);
    // A key of an object without a value means an empty object.
    const value = mapping[key] === null && inner.type === 'object' ? {} : mapping[key]!;
    putEntry(read, key, readValue(value, inner, reading));
    reading.path.pop();
  }
  // Returning the same object lets callers compare by identity.
  if (field.properties === undefined && (open === undefined || open.type === 'any')) return mapping;
  for (const key of defaultKeysOf(properties)) {
    if (!Object.hasOwn(mapping, key) || isAbsent(key)) putEntry(read, key, defaultOf(properties[key]!));
  }
  return read;
}

// Cached because tables are constants that are read often.
const defaultKeys = new WeakMap<Fields, readonly string[]>();
const defaultsOfFields = new WeakMap<Field, Json>();

function defaultKeysOf(properties: Fields): readonly string[] {
  return getOrAdd(defaultKeys, properties, () =>
    Object.keys(properties).filter((key) => properties[key]!.default !== undefined),
  );
}

/** A default needs no check, but fields inside it can have their own defaults. */
function defaultOf(field: Field): Json {
  return getOrAdd(defaultsOfFields, field, () => completeDefault(field.default!, field));
}

function completeDefault(value: Json, { properties = noFields }: Field): Json {
  if (!isJsonObject(value)) return value;
  const missing = defaultKeysOf(properties).filter((key) => (Object.hasOwn(value, key) ? value[key] : null) === null);
  if (missing.length === 0) return value;
  const inner = missing.map((key): [string, Json] => [key, defaultOf(properties[key]!)]);
  return Object.fromEntries([...Object.entries(value), ...inner]);
}
