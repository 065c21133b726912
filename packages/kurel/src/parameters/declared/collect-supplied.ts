import { isJsonObject } from '../../model/index.ts';
import type { Diagnostic, Json, JsonObject, Location, Path, Report, SourceFile } from '../../model/index.ts';
import { findParameterOrigin } from '../layers.ts';
import type { ParameterLayer, ParameterOrigin } from '../layers.ts';
import { explainBooleanKey } from '../look-up.ts';
import { isStructure } from './declaration.ts';
import type { ParameterDeclaration } from './declaration.ts';
import { valueProblems } from '../../schema/index.ts';
import { declaredProblems } from './problems.ts';

/** What the user gave for one parameter. */
export interface Supplied {
  readonly value: Json;
  readonly originAt: (path: Path) => ParameterOrigin;
  /** Whether a part of the value was given, and does not come from the default. */
  readonly isGivenAt: (path: Path) => boolean;
  /** The value that all layers together make of a default. */
  readonly over: (base: Json) => Json;
}

export interface Supplies {
  readonly given: ReadonlyMap<string, Supplied>;
  /** Where a parameter was set to null, which is as if it had not been given. */
  readonly nulls: ReadonlyMap<string, Location>;
  /** Parameters that were given in a way that cannot be; nothing more need be said of them. */
  readonly refused: ReadonlySet<string>;
  readonly findings: readonly Diagnostic[];
}

/** Values files merge as the layers of every package do; an assignment is a text for one parameter, whatever its name has in it. */
export function collectSupplied(
  declarations: readonly ParameterDeclaration[],
  layers: readonly ParameterLayer[],
): Supplies {
  const byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
  const findings: Diagnostic[] = [];
  const given = new Map<string, Supplied>();
  const nulls = new Map<string, Location>();
  const refused = new Set<string>();
  const report: Report = (diagnostic) => void findings.push(diagnostic);

  const files = layers.filter((layer) => !isAssignment(layer));
  for (const { source, data } of files) {
    for (const key of Object.keys(data)) {
      const location: Location = { file: source.path, document: 0, path: [key], at: 'key' };
      if (!byName.has(key)) reportUndeclared(key, { location, byName, report, data });
      else if (data[key] === null) nulls.set(key, { ...location, at: 'value' });
    }
  }
  const merged = files.reduce<JsonObject>((below, { data }) => merge(below, data), {});
  for (const [key, value] of Object.entries(merged)) {
    if (value === null || !byName.has(key)) continue;
    given.set(key, {
      value,
      originAt: (path) => originOf(files, [key, ...path]),
      isGivenAt: (path) => findParameterOrigin(files, [key, ...path]) !== undefined,
      over: (base) => mergeOver(base, files, key),
    });
  }

  for (const layer of layers.filter(isAssignment)) {
    const { name, text, location } = readAssignment(layer.source);
    const target = byName.get(name) ?? structureAround(name, byName);
    if (target === undefined) reportUndeclared(name, { location, byName, report });
    else if (isStructure(target.type)) {
      refused.add(target.name);
      report(declaredProblems.create('value-set-structure', { name: target.name, type: target.type }, { location }));
    } else {
      const whole = { file: layer.source.path, range: { start: 0, end: layer.source.text.length } };
      const originAt = (): ParameterOrigin => ({ layer, location: whole });
      given.set(name, { value: text, originAt, isGivenAt: () => true, over: () => text });
      reportSwallowed(target.name, { layer, byName, report });
    }
  }
  return { given, nulls, refused, findings };
}

/**
 * Mappings merge, lists and scalars replace, and `null` takes away what is below. Declared types decide what a value becomes, so
 * it is not made to look like the one it replaces.
 */
function merge(below: JsonObject, above: JsonObject): JsonObject {
  const merged = new Map<string, Json>(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    const before = merged.get(key);
    if (value === null && before !== undefined) merged.delete(key);
    else merged.set(key, isJsonObject(before) && isJsonObject(value) ? merge(before, value) : value);
  }
  return Object.fromEntries(merged);
}

/** Layer by layer, so that `null` in a later one also takes away what only the default has. */
function mergeOver(base: Json, files: readonly ParameterLayer[], key: string): Json {
  let value = base;
  for (const { data } of files) {
    if (!Object.hasOwn(data, key)) continue;
    const above = data[key]!;
    // Nothing at all is as good as not given.
    if (above === null) value = base;
    else value = isJsonObject(value) && isJsonObject(above) ? merge(value, above) : above;
  }
  return value;
}

/** What is missing from a value is missing where the nearest thing around it was given. */
function originOf(layers: readonly ParameterLayer[], path: Path): ParameterOrigin {
  const found = findParameterOrigin(layers, path);
  if (found !== undefined) return found;
  const around = originOf(layers, path.slice(0, -1));
  return { ...around, location: { ...around.location, path } };
}

/** A layer of assignments that has no text was made by a program, and its data say all. */
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

interface Swallowing {
  readonly layer: ParameterLayer;
  readonly byName: ReadonlyMap<string, ParameterDeclaration>;
  readonly report: Report;
}

/** `a=1,b=2` is two assignments elsewhere, and here the text `1,b=2`, which may well be meant. */
function reportSwallowed(name: string, { layer: { source }, byName, report }: Swallowing): void {
  for (const match of source.text.matchAll(/,([^,=]+)=/g)) {
    const other = match[1]!.trim();
    if (other === name || !byName.has(other)) continue;
    const location = { file: source.path, range: { start: match.index, end: match.index + match[0].length } };
    report(declaredProblems.create('value-set-several', { name, other }, { location }));
    return;
  }
}

/** `env[0]` and `limits.cpu` are parts of a parameter, and no assignment can give parts. */
function structureAround(
  name: string,
  byName: ReadonlyMap<string, ParameterDeclaration>,
): ParameterDeclaration | undefined {
  const declaration = byName.get(/^[^.[]*/.exec(name)![0]);
  return isStructure(declaration?.type) ? declaration : undefined;
}

const ofPackage = '${name} is the name of the package; declare a parameter of this name to set it';

interface Undeclared {
  readonly location: Location;
  readonly byName: ReadonlyMap<string, ParameterDeclaration>;
  readonly report: Report;
  readonly data?: JsonObject;
}

function reportUndeclared(name: string, { location, byName, report, data }: Undeclared): void {
  const known = [...byName.keys()];
  const isWord = name === 'true' || name === 'false';
  const word = isWord ? known.map((one) => explainBooleanKey(one, data)).find((one) => one !== undefined) : undefined;
  const advice = name === 'name' ? ofPackage : word;
  const args = { noun: 'parameter', name, holder: undefined, known, advice } as const;
  report(valueProblems.create('field-unknown', args, { location }));
}
