import { getOrAdd } from '../../budget/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject, TreeEdits, valueAt } from '../../model/index.ts';
import type { Diagnostic, Json, JsonObject, Location, Path, Report, SourceFile } from '../../model/index.ts';
import { createFinding, valueProblems } from '../../schema/index.ts';
import { findParameterOrigin, locateInLayer, readLexeme } from '../layers.ts';
import type { ParameterLayer, ParameterOrigin } from '../layers.ts';
import { parseAssignment, placeAssignment, splitAssignments } from '../parse-assignment.ts';
import type { Assignment } from '../parse-assignment.ts';
import { applicationSyntax, formatReferencePath, referencesIn } from '../references.ts';
import { explainBooleanKey } from '../resolve-parameters.ts';
import { checkValue, isStructure } from './declaration.ts';
import type { DeclaredValue, ParameterDeclaration, ParameterSchema } from './declaration.ts';
import { declaredProblems } from './problems.ts';

/** The values that the user set for one parameter. */
export interface Supplied {
  readonly value: Json;
  readonly originAt: (path: Path) => ParameterOrigin;
  /** Whether the user set a part of the value, as opposed to the default. */
  readonly isGivenAt: (path: Path) => boolean;
  /** A default with all layers applied to it. */
  readonly over: (base: Json) => Json;
}

export interface Supplies {
  readonly values: ReadonlyMap<string, Supplied>;
  /** Where a parameter was set to null, which counts as not set. */
  readonly nulls: ReadonlyMap<string, Location>;
  /** Parameters that were set in an invalid way; further findings about them would be redundant. */
  readonly refused: ReadonlySet<string>;
  readonly findings: readonly Diagnostic[];
}

/** Values files merge like the layers of every package; an assignment sets one parameter to a string, whatever characters its name has. */
export function collectSupplied(
  declarations: readonly ParameterDeclaration[],
  layers: readonly ParameterLayer[],
): Supplies {
  const byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
  const findings: Diagnostic[] = [];
  const values = new Map<string, Supplied>();
  const nulls = new Map<string, Location>();
  const refused = new Set<string>();
  const report: Report = (diagnostic) => void findings.push(diagnostic);

  const files = layers.filter((layer) => !isAssignment(layer));
  for (const layer of files) {
    const { data } = layer;
    for (const key of Object.keys(data)) {
      const location: Location = { ...locateInLayer(layer, [key]), at: 'key' };
      if (!byName.has(key)) reportUndeclared(key, location, data);
      else if (data[key] === null) nulls.set(key, { ...location, at: 'value' });
    }
  }
  const edits = new TreeEdits();
  const merged = files.reduce<JsonObject>((below, { data }) => merge(below, data, edits), {});
  for (const [key, value] of Object.entries(merged)) {
    if (value === null || !byName.has(key)) continue;
    values.set(key, {
      value,
      originAt: (path) => originOf(files, [key, ...path]),
      isGivenAt: (path) => findParameterOrigin(files, [key, ...path]) !== undefined,
      over: (base) => mergeOver(base, files, key),
    });
  }

  const partsOf = new Map<string, SuppliedPart[]>();
  const templates = new Map<ParameterDeclaration, boolean>();
  const hasTemplate = (target: ParameterDeclaration): boolean =>
    getOrAdd(templates, target, () => isTemplate(target.default));
  for (const layer of layers.filter(isAssignment)) {
    const { name, text, location } = readAssignment(layer.source);
    const target = byName.get(name) ?? structureAround(name, byName);
    const whole = { file: layer.source.path, range: { start: 0, end: layer.source.text.length } };
    if (target?.name === name && text === 'null' && layer.isText !== true) {
      values.delete(name);
      partsOf.delete(name);
      nulls.set(name, whole);
    } else if (target === undefined) reportUndeclared(name, location);
    else if (isStructure(target.type) && target.name !== name && !hasTemplate(target)) {
      try {
        const parts = getOrAdd(partsOf, target.name, () => []);
        values.set(target.name, supplyPart(target, { layer, earlier: values.get(target.name), parts, edits }));
        reportSwallowed({ name, type: 'string' }, layer);
      } catch (error) {
        if (!(error instanceof DiagnosticError)) throw error;
        refused.add(target.name);
        error.diagnostics.forEach(report);
      }
    } else if (isStructure(target.type)) {
      refused.add(target.name);
      report(declaredProblems.create('value-set-structure', { name: target.name, type: target.type }, { location }));
    } else {
      const originAt = (): ParameterOrigin => ({ layer, location: whole });
      values.set(name, { value: text, originAt, isGivenAt: () => true, over: () => text });
      reportSwallowed(target, layer);
    }
  }
  return { values, nulls, refused, findings };

  function reportUndeclared(name: string, location: Location, data?: JsonObject): void {
    const names = [...byName.keys()];
    const isWord = name === 'true' || name === 'false';
    const word = isWord
      ? names.map((key) => explainBooleanKey(key, data)).find((text) => text !== undefined)
      : undefined;
    const args = {
      noun: 'parameter',
      name,
      holder: undefined,
      known: names,
      advice: name === 'name' ? ofPackage : word,
    } as const;
    report(valueProblems.create('field-unknown', args, { location }));
  }

  /** Elsewhere, `a=1,b=2` is two assignments; here it is the value `1,b=2`, which may be intended. */
  function reportSwallowed(
    { name, type }: Pick<ParameterDeclaration, 'name' | 'type'>,
    { source, isText: isMeant }: ParameterLayer,
  ): void {
    if (isMeant === true) return;
    const isText = type === 'string';
    const isParameter = (key: string): boolean => byName.has(key) || structureAround(key, byName) !== undefined;
    const parts = splitAssignments(source.text, (key) => key !== name && (!isText || isParameter(key)));
    const [first, second] = parts;
    if (first === undefined || second === undefined) return;
    const equals = second.indexOf('=');
    const other = second.slice(0, equals).trim();
    const location = { file: source.path, range: { start: first.length, end: first.length + 2 + equals } };
    report(
      declaredProblems.create('value-set-several', { name, other, parts, isKnown: isParameter(other) }, { location }),
    );
  }
}

/**
 * Objects merge, lists and scalars replace, and `null` removes earlier values. The declared type decides how a value is converted,
 * so it is not adapted to the value it replaces.
 */
function merge(below: JsonObject, above: JsonObject, edits: TreeEdits): JsonObject {
  let merged = below;
  for (const [key, value] of Object.entries(above)) {
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
    const isRemoved = value === null && before !== undefined;
    const areObjects = isJsonObject(before) && isJsonObject(value);
    const after = isRemoved ? undefined : areObjects ? merge(before, value, edits) : value;
    merged = edits.putField(merged, key, after);
  }
  return merged;
}

/** Layer by layer, so that `null` in a later layer also removes values that only the default has. */
function mergeOver(base: Json, files: readonly ParameterLayer[], key: string): Json {
  const edits = new TreeEdits();
  let value = base;
  for (const { data } of files) {
    if (!Object.hasOwn(data, key)) continue;
    const above = data[key]!;
    // Null as a whole counts as not set.
    if (above === null) value = base;
    else value = isJsonObject(value) && isJsonObject(above) ? merge(value, above, edits) : above;
  }
  return value;
}

/** A missing part of a value is located where its nearest parent was set. */
function originOf(layers: readonly ParameterLayer[], path: Path): ParameterOrigin {
  const origin = findParameterOrigin(layers, path);
  if (origin !== undefined) return origin;
  const around = originOf(layers, path.slice(0, -1));
  return { ...around, location: { ...around.location, path: locateInLayer(around.layer, path).path! } };
}

/** An assignment layer without text was created by a program, and its data is complete. */
function isAssignment({ kind, source }: ParameterLayer): boolean {
  return kind === 'set' && source.text.includes('=');
}

function readAssignment({ path, text }: SourceFile): {
  readonly name: string;
  readonly text: string;
  readonly location: Location;
} {
  const end = text.indexOf('=');
  const name = text.slice(0, end).replaceAll(/\\(.)/gs, '$1');
  return { name, text: text.slice(end + 1), location: { file: path, range: { start: 0, end } } };
}

/** A default with references is resolved later, so nothing can be set in it here. */
function isTemplate(value: Json | undefined): boolean {
  return value !== undefined && referencesIn(value, applicationSyntax).length > 0;
}

/** One of the assignments to parts of a parameter. */
interface SuppliedPart {
  readonly own: Path;
  readonly origin: ParameterOrigin;
  /** What was supplied before the first of them. */
  readonly before: Supplied | undefined;
}

interface PartSupply {
  readonly layer: ParameterLayer;
  readonly earlier: Supplied | undefined;
  /** Of the same parameter so far. A thousand of them are kept in a list, not in each other. */
  readonly parts: SuppliedPart[];
  readonly edits: TreeEdits;
}

/**
 * `--set env[0].value=x` and `--set limits.cpu=1`: the value of the parameter so far, or its default, with one part changed. An index
 * may be one past the end of the list. Throws `DiagnosticError`.
 */
function supplyPart(
  { name, default: base }: ParameterDeclaration,
  { layer, earlier, parts, edits }: PartSupply,
): Supplied {
  const { source } = layer;
  const before = earlier === undefined ? base : earlier.over(base ?? null);
  const assignment = readPart(layer, before);
  const { path, value } = assignment;
  const own = path.slice(1);
  const isRemoval = value === null && typeof own.at(-1) === 'string';
  const around: JsonObject = before === undefined || before === null ? {} : { [name]: before };
  const all = placeAssignment(around, assignment, edits)[name]!;
  const after = isRemoval ? withoutNulls(all) : all;
  const origin = { layer, location: { file: source.path, range: { start: 0, end: source.text.length } } };
  parts.push({ own, origin, before: parts.length === 0 ? earlier : undefined });
  const [first] = parts as [SuppliedPart];
  const partAt = (inside: Path): SuppliedPart | undefined =>
    parts.findLast((part) => part.own.every((step, index) => index >= inside.length || step === inside[index]));
  return {
    value: after,
    originAt: (inside) => partAt(inside)?.origin ?? first.before?.originAt(inside) ?? first.origin,
    isGivenAt: (inside) => partAt(inside) !== undefined || first.before?.isGivenAt(inside) === true,
    over: () => after,
  };
}

/** A declared type converts the value. Otherwise a string stays a string, and a new value has the type that it looks like. */
function readPart({ source, isText }: ParameterLayer, before: Json | undefined): Assignment {
  const text = parseAssignment(source, 'text');
  if (isText === true) return text;
  const typed = parseAssignment(source, 'typed', { keepsSeveral: true });
  const isScalar = typed.value !== null && typeof typed.value !== 'object';
  return isScalar && typeof replacedAt(before, typed.path.slice(1)) === 'string' ? text : typed;
}

/** The value at a path; for a new item of a list, the last one. */
function replacedAt(before: Json | undefined, path: Path): Json | undefined {
  const value = before === undefined ? undefined : valueAt(before, path);
  const list = before === undefined ? undefined : valueAt(before, path.slice(0, -1));
  return value === undefined && isJsonArray(list) ? list.at(-1) : value;
}

/** `env[0]` and `limits.cpu` are parts of a parameter. */
function structureAround(
  name: string,
  byName: ReadonlyMap<string, ParameterDeclaration>,
): ParameterDeclaration | undefined {
  const declaration = byName.get(/^[^.[]*/.exec(name)![0]);
  return isStructure(declaration?.type) ? declaration : undefined;
}

const ofPackage = 'declare a parameter "name" to set it; otherwise ${name} is the name of the package';

/** Whether values for a parameter are merged over its default instead of replacing it. */
export function mergesOverDefault({ type, default: otherwise }: ParameterDeclaration): boolean {
  return type === 'object' && otherwise !== undefined;
}

/** Checks only the part that was set: missing keys may be in the default, and `null` removes keys of the default. */
export function checkPart(declaration: ParameterDeclaration, supplied: Supplied, report: Report): void {
  const value = withoutNulls(supplied.value);
  checkValue(value, { ...checkingOf(declaration, supplied, report), schema: partOf(declaration) });
}

/** The value that was set, merged over the default. */
export function mergeOverDefault(
  declaration: ParameterDeclaration,
  { supplied, base, report }: { readonly supplied: Supplied; readonly base: DeclaredValue; readonly report: Report },
): DeclaredValue {
  const data = supplied.over(base.value);
  const { isGivenAt, originAt } = supplied;
  const writtenAt = (path: Path): string | undefined => {
    if (!isGivenAt(path)) return base.writtenAt(path);
    return lexemeAt(originAt(path), valueAt(data, path));
  };
  const checking = checkingOf(declaration, supplied, report);
  const textAt: typeof checking.textAt = (path, scalar) =>
    writtenAt(path) ?? (isGivenAt(path) ? undefined : String(scalar));
  return {
    ...base,
    value: checkValue(data, { ...checking, textAt, schema: declaration }),
    originAt: (path) => (isGivenAt(path) ? { from: 'layer', ...originAt(path) } : base.originAt(path)),
    scalars: () => base.scalars().filter((path) => !isGivenAt(path)),
    writtenAt,
  };
}

/** A scalar as written. An assignment gives a part a number or boolean only if that prints as written. */
function lexemeAt({ layer, location }: ParameterOrigin, value: Json | undefined): string | undefined {
  const isTyped = typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
  return isAssignment(layer) && isTyped ? String(value) : readLexeme(layer.source, location, value);
}

/** The options for checking a value that was set. */
export function checkingOf({ name }: ParameterDeclaration, supplied: Supplied, report: Report) {
  return {
    path: [],
    textAt(path: Path, scalar: number | bigint | boolean): string | undefined {
      return lexemeAt(supplied.originAt(path), scalar);
    },
    namePath: (path: Path) => formatReferencePath([name, ...path]),
    refuse: (finding: Parameters<typeof createFinding>[0]) =>
      report(createFinding(finding, (path) => supplied.originAt(path).location)),
  };
}

/** The rules for a part of an object that apply regardless of its other keys. */
export function partOf(schema: ParameterSchema): ParameterSchema {
  if (schema.type !== 'object') return schema;
  const { requiredKeys: _, enum: __, properties, ...rest } = schema;
  return properties === undefined
    ? rest
    : { ...rest, properties: new Map(Array.from(properties, ([key, inside]) => [key, partOf(inside)])) };
}

function withoutNulls(value: Json): Json {
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, inside]) => inside !== null);
  return Object.fromEntries(entries.map(([key, inside]) => [key, withoutNulls(inside)]));
}
