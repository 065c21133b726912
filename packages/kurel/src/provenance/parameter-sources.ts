import { stepInto, valueAt } from '../model/index.ts';
import type { Json, Location, Path, Values } from '../model/index.ts';
import {
  fillWherePossible,
  findParameterOrigin,
  formatReferencePath,
  parseTemplate,
  referencesIn,
  wholeReference,
  writtenParameters,
} from '../parameters/index.ts';
import type { ParameterLayer } from '../parameters/index.ts';
import type { ParameterTrace } from './field-trace.ts';

/** Value and source of one parameter. */
export interface ParameterSource {
  readonly name: string;
  readonly value: Json | undefined;
  /** How a number or boolean was written, if known. */
  readonly written?: string | undefined;
  readonly words: string;
  readonly location?: Location | undefined;
  readonly given?: Location | undefined;
  readonly refersTo: readonly Path[];
}

/** Resolves a reference; `undefined` if the parameter does not exist. */
export type FindParameter = (path: Path) => ParameterSource | undefined;

export interface ParameterTable {
  /** Later layers win. */
  readonly layers: readonly ParameterLayer[];
  /** Merged values with unresolved references. */
  readonly merged: Values;
  /** Merged values with resolved references. */
  readonly values: Values;
}

/** Finds parameters in layers of values. */
export function createFindParameter({ layers, merged, values }: ParameterTable): FindParameter {
  const writtenAt = writtenParameters(merged, layers);
  return (path) => {
    const value = valueAt(values, path);
    if (value === undefined) return undefined;
    const origin = findParameterOrigin(layers, path);
    return {
      name: formatReferencePath(path),
      value,
      written: writtenAt(path),
      refersTo: referencesAt(merged, path),
      ...describeOrigin(origin),
    };
  };
}

const layerWords: Readonly<Record<ParameterLayer['kind'], string>> = {
  package: 'package',
  local: 'local extension',
  values: '--values',
  set: '--set',
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

/** Distinct parameters that a string refers to. */
export function parametersIn(text: string): readonly Path[] {
  const paths = referencesIn(text).flatMap(({ path }) => (path === undefined ? [] : [path]));
  return [...new Map(paths.map((path) => [formatReferencePath(path), path])).values()];
}

/** Resolves the references in a string; returns it unchanged if one of them has no value. */
export function fillText(text: string, find: FindParameter): string {
  const filled = fillWherePossible(text, ({ path }) => {
    const source = path && find(path);
    return source?.value === undefined ? undefined : { value: source.value, writtenAt: () => source.written };
  });
  return filled ?? text;
}

// The build reports reference cycles; this limit only ends the trace.
const deepest = 100;

/** Traces parameters with their sources, and the parameters that they refer to. */
export function traceParameters(paths: readonly Path[], find: FindParameter, depth = 0): readonly ParameterTrace[] {
  if (depth === deepest) return [];
  return paths.flatMap((path): ParameterTrace[] => {
    const source = find(path);
    if (source === undefined) return [];
    const { refersTo, written: _, ...rest } = source;
    return [{ ...rest, refersTo: traceParameters(refersTo, find, depth + 1) }];
  });
}
