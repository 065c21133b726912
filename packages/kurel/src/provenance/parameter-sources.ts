import { getOrAdd } from '../budget/index.ts';
import { isJsonObject, stepInto, valueAt } from '../model/index.ts';
import type { Json, KubeObject, Location, Message, Path, SourceFile, Values } from '../model/index.ts';
import {
  findParameterOrigin,
  formatReferencePath,
  parametersIn,
  parseTemplate,
  wholeReference,
} from '../parameters/index.ts';
import type { ParameterLayer } from '../parameters/index.ts';
import { locateInYaml } from '../yaml/index.ts';
import type { Cause, CausesOf, ParameterTrace } from './field-trace.ts';
import { sentence, setting } from '../diagnostics/index.ts';

/** Value and source of one parameter. */
interface ParameterSource extends Omit<ParameterTrace, 'refersTo'> {
  readonly refersTo: readonly Path[];
}

/** Resolves a reference; `undefined` if the parameter does not exist. */
export type FindParameter = (path: Path) => ParameterSource | undefined;

interface ParameterTable {
  /** Later layers win. */
  readonly layers: readonly ParameterLayer[];
  /** Merged values with unresolved references. */
  readonly merged: Values;
  /** Merged values with resolved references. */
  readonly values: Values;
}

/** Finds parameters in layers of values. */
export function createFindParameter({ layers, merged, values }: ParameterTable): FindParameter {
  return (path) => {
    const value = valueAt(values, path);
    if (value === undefined) return undefined;
    const origin = findParameterOrigin(layers, path);
    return {
      name: formatReferencePath(path),
      value,
      refersTo: referencesAt(merged, path),
      ...describeOrigin(origin),
    };
  };
}

const layerWords: Readonly<Record<ParameterLayer['kind'], Message>> = {
  package: 'package',
  local: 'local extension',
  values: sentence`${setting('values')}`,
  set: sentence`${setting('set')}`,
};

function describeOrigin(
  origin: ReturnType<typeof findParameterOrigin>,
): Pick<ParameterSource, 'words' | 'location' | 'given'> {
  if (origin === undefined) return { words: '' };
  const { layer, location } = origin;
  const words = layer.at === undefined ? layerWords[layer.kind] : 'fleet';
  if (layer.kind !== 'set') return { words, location, given: location };
  // An assignment is not in a file, so its text is its location.
  const flag = layer.source.path.replace(/\[\d+\]$/, '');
  return { words: `${flag} ${layer.source.text}`, given: location };
}

/** References in the value at a path; a reference along the path continues inside its target. */
function referencesAt(merged: Values, path: Path): readonly Path[] {
  let value: Json | undefined = merged;
  for (const [index, step] of path.entries()) {
    if (typeof value === 'string') {
      const target = wholeReference(parseTemplate(value))?.path;
      return target === undefined ? [] : [[...target, ...path.slice(index)]];
    }
    value = stepInto(value, step);
  }
  return typeof value === 'string' ? parametersIn(value) : [];
}

// The build reports reference cycles; this limit only ends the trace.
const deepest = 100;

/** Traces parameters with their sources, and the parameters that they refer to. */
export function traceParameters(paths: readonly Path[], find: FindParameter, depth = 0): readonly ParameterTrace[] {
  if (depth === deepest) return [];
  return paths.flatMap((path): ParameterTrace[] => {
    const source = find(path);
    if (source === undefined) return [];
    const { refersTo, ...rest } = source;
    return [{ ...rest, refersTo: traceParameters(refersTo, find, depth + 1) }];
  });
}

/** An object as it was read from a text or rendered. */
interface TextStart {
  /** Location of the object. Only a file, or nothing, if the text does not belong to the user. */
  readonly location: Location | undefined;
  /** The text, if the location is in it. */
  readonly source?: SourceFile | undefined;
  /** Description of the renderer, unless it is a plain file. */
  readonly words: string;
  /** Content of the text, with unresolved references. */
  readonly parsed: KubeObject;
  /** The object after parameters were substituted. */
  readonly filled: KubeObject;
  readonly fills: readonly Fill[];
  readonly findParameter: FindParameter;
}

/** A reference in the text that was replaced by a parameter. */
export interface Fill {
  /** Path of the value, or of the value whose key contains the reference, in the text. */
  readonly path: Path;
  readonly parameter: Path;
}

/** A field exists because the text has it, and gets its value from the parameters in it. */
export function causesOfText(start: TextStart): CausesOf {
  const { words, parsed, filled, findParameter } = start;
  const fillsAround = indexFills(start.fills);
  return (path) => {
    const inText = pathInText(parsed, filled, path);
    const used = fillsAround(inText).map((fill) => parameterFor(fill, inText, parsed));
    const parameters = traceParameters(used, findParameter);
    const base: Cause = { kind: 'base', words, location: locate(start, inText), isExplicit: true };
    if (parameters.length === 0) return [base];
    return [
      { ...base, after: textAround(parsed, inText) },
      { kind: 'parameter', words: '', parameters, isExplicit: true },
    ];
  };
}

function locate({ location, source }: TextStart, path: Path): Location | undefined {
  if (location?.document === undefined) return location;
  const { path: above = [] } = location;
  const place = { ...location, path: [...above, ...path] };
  const [field] = path;
  // Items of a typed list get their type from the list if they have none.
  const isType = path.length === 1 && (field === 'apiVersion' || field === 'kind') && above.length > 1;
  if (!isType || source === undefined) return place;
  const range = locateInYaml(source, { ...place, at: 'key' });
  const isThere = range !== undefined && source.text.slice(range.start, range.end).replaceAll(/["']/g, '') === field;
  return isThere ? place : { ...location, path: [...above.slice(0, -2), field] };
}

/** Keys may contain references too; the keys of a filled object keep the order of the text. */
function pathInText(parsed: Json, filled: Json, path: Path): Path {
  const steps: (string | number)[] = [];
  let [text, value]: [Json | undefined, Json | undefined] = [parsed, filled];
  for (const step of path) {
    const own: string | number = typeof step === 'string' ? keyInText(text, value, step) : step;
    steps.push(own);
    [text, value] = [stepInto(text, own), stepInto(value, step)];
  }
  return steps;
}

function keyInText(text: Json | undefined, value: Json | undefined, key: string): string {
  if (!isJsonObject(text) || !isJsonObject(value) || Object.hasOwn(text, key)) return key;
  return Object.keys(text)[Object.keys(value).indexOf(key)] ?? key;
}

/** Finds the references in the value at a path and in those around it, in order: an object may have thousands. */
function indexFills(fills: readonly Fill[]): (path: Path) => readonly Fill[] {
  const positions = new Map<string, number[]>();
  for (const [position, { path }] of fills.entries()) {
    getOrAdd(positions, JSON.stringify(path), () => []).push(position);
  }
  return (path) => {
    const around: number[] = [];
    for (let depth = 0; positions.size > 0 && depth <= path.length; depth += 1) {
      for (const position of positions.get(JSON.stringify(path.slice(0, depth))) ?? []) around.push(position);
    }
    return around.toSorted((a, b) => a - b).map((position) => fills[position]!);
  };
}

function parameterFor({ path, parameter }: Fill, inText: Path, parsed: Json): Path {
  // A string became an object or a list, so the rest of the path is inside the parameter.
  const isText = typeof valueAt(parsed, path) === 'string';
  return isText ? [...parameter, ...inText.slice(path.length)] : parameter;
}

/** The value at a path, or the string around it, whose reference became an object or a list. */
function textAround(parsed: Json, path: Path): Json | undefined {
  let value: Json | undefined = parsed;
  for (const step of path) {
    if (typeof value === 'string') return value;
    value = stepInto(value, step);
  }
  return value;
}
