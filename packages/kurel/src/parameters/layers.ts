import { describeType } from '../diagnostics/index.ts';
import { isSopsEncrypted } from '../kube/index.ts';
import { isJsonArray, isJsonObject, isNumber, isScalar, stepInto, TreeEdits, valueAt } from '../model/index.ts';
import type { Budget, Json, JsonObject, Location, Path, Report, SourceFile, Values } from '../model/index.ts';
import { locateWritten, readYaml } from '../yaml/index.ts';
import type { YamlWords } from '../yaml/index.ts';
import { exactInteger } from './exact-integer.ts';
import { findLastLayer } from './layer-index.ts';
import { parameterProblems } from './problems.ts';
import { formatReferencePath, parseTemplate, wholeReference } from './references.ts';
import type { WrittenAt } from './substitute.ts';

interface ReadValuesOptions {
  /** `core` for package parameters and patch variables; defaults to `kubernetes`, which is how helm reads its values. */
  readonly words?: YamlWords;
  /** The budget of the run. */
  readonly budget?: Budget | undefined;
  /** How findings call the file; defaults to `a values file`. */
  readonly file?: string;
}

/** The document with the values of each file that was read: empty ones may precede it. */
const documentsOfValues = new WeakMap<SourceFile, number>();

/** A place in the values of a file. */
export function locateInValues(source: SourceFile, path: Path): Location {
  return { file: source.path, document: documentsOfValues.get(source) ?? 0, path };
}

/** One values file → values; an empty file has none. `undefined` when something was reported. */
export function readValues(
  source: SourceFile,
  report: Report,
  { words = 'kubernetes', budget, file }: ReadValuesOptions = {},
): Values | undefined {
  const { documents, diagnostics } = readYaml(source, { words, budget });
  for (const diagnostic of diagnostics) report(diagnostic);
  if (diagnostics.some(({ severity }) => severity === 'error')) return undefined;
  const filled = documents.filter(({ data }) => data !== undefined && data !== null);
  const [first, second] = filled;
  if (first === undefined) return {};
  documentsOfValues.set(source, first.index);
  if (second === undefined && isJsonObject(first.data)) {
    if (!isSopsEncrypted(first.data)) return first.data;
    const location = { file: source.path, document: first.index, path: ['sops'], at: 'key' as const };
    report(parameterProblems.create('values-encrypted', { file }, { location }));
    return undefined;
  }
  const actual = second === undefined ? describeType(first.data) : `${filled.length} documents`;
  const location = { file: source.path, document: (second ?? first).index, path: [] };
  const text = second === undefined && typeof first.data === 'string' ? first.data : undefined;
  report(parameterProblems.create('values-not-a-mapping', { file, actual, text }, { location }));
  return undefined;
}

/** Values from one source. Later layers override earlier ones. */
export interface ParameterLayer {
  readonly kind: 'package' | 'local' | 'values' | 'set';
  readonly source: SourceFile;
  readonly data: Values;
  /** The path of a `--set`; the data may contain more, such as the other items of a list. */
  readonly path?: Path | undefined;
  /** Where the data is in its source, if the source contains more than the values. */
  readonly at?: Path | undefined;
  /** `--set-string`: the value stays a string regardless of what it replaces. */
  readonly isText?: boolean | undefined;
}

/** The value at a path and the layer that set it. */
export interface ParameterOrigin {
  readonly layer: ParameterLayer;
  readonly location: Location;
}

/** Values passed as data, as one layer. */
export function layersOfData(data: Values): readonly ParameterLayer[] {
  const source = { path: 'values', text: '' };
  return Object.keys(data).length === 0 ? [] : [{ kind: 'values', source, data }];
}

/** Objects merge, lists and scalars replace, and `null` removes a parameter. */
export function mergeLayers(layers: readonly ParameterLayer[], report: Report): Values {
  // A thousand layers with one value each must not copy all values a thousand times.
  const edits = new TreeEdits();
  let merged: JsonObject = {};
  for (const layer of layers) merged = mergeMappings(merged, layer.data, { layer, path: [], report, edits });
  return merged;
}

interface Merging {
  readonly edits: TreeEdits;
  readonly layer: ParameterLayer;
  readonly path: Path;
  readonly report: Report;
}

function mergeMappings(below: JsonObject, above: JsonObject, { path, ...merging }: Merging): JsonObject {
  const { layer, edits } = merging;
  let merged = below;
  for (const [key, value] of Object.entries(above)) {
    const inside = { ...merging, path: [...path, key] };
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
    // In the package's own parameters `null` is a value, because there is no earlier layer that it could remove from.
    const isRemoved = value === null && layer.kind !== 'package';
    merged = edits.putField(merged, key, isRemoved ? undefined : mergeValues(before, value, inside));
  }
  return merged;
}

function mergeValues(before: Json | undefined, value: Json, merging: Merging): Json {
  if (!isJsonObject(value)) {
    if (isJsonObject(before) && !isReference(value)) reportShape(before, value, merging);
    return castLike(before, value, merging);
  }
  if (isJsonObject(before)) return mergeMappings(before, value, merging);
  if (before !== undefined && before !== null) reportShape(before, value, merging);
  return mergeMappings({}, value, merging);
}

/**
 * A string that parses as the type it replaces is converted: `--set ratio=2.5` is a number if the package has 1.5. A number that
 * replaces a string becomes the string as written: `tag: 1.10` is not 1.1 if the package has "1.9".
 */
function castLike(before: Json | undefined, value: Json, { layer, path }: Merging): Json {
  if (isNumber(value)) {
    if (typeof before !== 'string' || isReference(before)) return value;
    const written = layer.kind === 'set' ? undefined : readLexeme(layer.source, locateInLayer(layer, path), value);
    return written ?? String(value);
  }
  if (typeof value !== 'string' || layer.isText === true) return value;
  if (typeof before === 'boolean' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  if (!isNumber(before)) return value;
  if (/^-?(?:0|[1-9][0-9]{0,400})$/.test(value)) return exactInteger(value) ?? value;
  return /^-?(?:0|[1-9][0-9]{0,15})\.[0-9]{1,15}$/.test(value) ? Number(value) : value;
}

/** A reference may resolve to an object. */
function isReference(value: Json): boolean {
  return typeof value === 'string' && value.includes('${');
}

function reportShape(before: Json, after: Json, { layer, path, report }: Merging): void {
  const args = { parameter: formatReferencePath(path), before: describeShape(before), after: describeShape(after) };
  report(parameterProblems.create('parameter-shape-changed', args, { location: locateInLayer(layer, path) }));
}

function describeShape(value: Json): string {
  if (isJsonObject(value)) return 'an object';
  if (isReference(value)) return 'a reference';
  return isJsonArray(value) ? 'a list' : 'a single value';
}

/** The layer that a value came from: the last one that sets it. */
export function findParameterOrigin(layers: readonly ParameterLayer[], path: Path): ParameterOrigin | undefined {
  const layer = findLastLayer(layers, path);
  return layer && { layer, location: locateInLayer(layer, path) };
}

/** A `--set` has no inner paths: the whole assignment set the value. */
export function locateInLayer({ kind, source, at = [] }: ParameterLayer, path: Path): Location {
  return kind === 'set'
    ? { file: source.path, range: { start: 0, end: source.text.length } }
    : locateInValues(source, [...at, ...path]);
}

/**
 * A number or boolean as written: `1.10`, `0755`, `yes`; a string that was parsed as one is returned unchanged. A value
 * from an alias or a merge key is written at its anchor. `undefined` when the value does not exist.
 */
export function readLexeme(source: SourceFile, location: Location, value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (value === undefined || typeof value === 'object') return undefined;
  // Values passed as data have no text.
  if (source.text === '') return String(value);
  const range = locateWritten(source, location);
  if (range === undefined) return undefined;
  const whole = source.text.slice(range.start, range.end);
  // Anchors, tags and comments may precede it.
  const text = whole.split(/[ \t\n\r]/).at(-1)!;
  return isWriting(text, value) ? text : undefined;
}

/** Whether a string is a notation of the value. */
export function isWriting(text: string, value: number | bigint | boolean): boolean {
  return readYaml({ path: '', text }).documents[0]?.data === value;
}

/** Cycles are reported elsewhere, and longer chains are rejected. */
const mostReferences = 100;

/** Looks up the notation of parameters: `merged` are all layers together, with the references still in them. */
export function writtenParameters(merged: Values, layers: readonly ParameterLayer[]): WrittenAt {
  return (path) => {
    const target = follow(path, merged);
    if (target === undefined || !isScalar(target.value)) return undefined;
    const origin = findParameterOrigin(layers, target.path);
    if (origin === undefined) return undefined;
    const { layer, location } = origin;
    const value = valueAt(layer.data, target.path);
    // An assignment has typed values only if its text is their usual notation.
    return layer.kind === 'set' && typeof value !== 'string' ? undefined : readLexeme(layer.source, location, value);
  };
}

/** The end of a path after following the references on it. */
function follow(path: Path, values: Values): { readonly value: Json; readonly path: Path } | undefined {
  let sought = path;
  for (let count = 0; count < mostReferences; count += 1) {
    let value: Json | undefined = values;
    let depth = 0;
    for (; depth < sought.length && typeof value === 'object' && value !== null; depth += 1) {
      value = stepInto(value, sought[depth]!);
    }
    const next = typeof value === 'string' ? wholeReference(parseTemplate(value))?.path : undefined;
    if (next === undefined) {
      return value === undefined || depth < sought.length ? undefined : { value, path: sought };
    }
    // In standalone patches, `values.x` means x.
    const isAlias = next[0] === 'values' && !Object.hasOwn(values, 'values');
    sought = [...next.slice(isAlias ? 1 : 0), ...sought.slice(depth)];
  }
  return undefined;
}
