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

/** What is known about one parameter. */
export interface ParameterSource {
  readonly name: string;
  readonly value: Json | undefined;
  /** How a number or boolean was written, where that is known. */
  readonly written?: string | undefined;
  readonly words: string;
  readonly location?: Location | undefined;
  readonly given?: Location | undefined;
  readonly refersTo: readonly Path[];
}

/** What a reference stands for; `undefined` when there is no such parameter. */
export type FindParameter = (path: Path) => ParameterSource | undefined;

export interface ParameterTable {
  /** Later ones win. */
  readonly layers: readonly ParameterLayer[];
  /** Merged, with the references still in them. */
  readonly merged: Values;
  /** With all references replaced. */
  readonly values: Values;
}

/** The parameters of layers of values. */
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
  if (layer.kind !== 'set') return { words: layerWords[layer.kind], location, given: location };
  // An assignment is not in a file: its own words are its place.
  const flag = layer.source.path.replace(/\[\d+\]$/, '');
  return { words: `${flag} ${layer.source.text}`, given: location };
}

/** The references in what stands at a path; a reference on the way there leads on to what is below it elsewhere. */
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

/** The parameters that a string refers to, each once. */
export function parametersIn(text: string): readonly Path[] {
  const paths = referencesIn(text).flatMap(({ path }) => (path === undefined ? [] : [path]));
  return [...new Map(paths.map((path) => [formatReferencePath(path), path])).values()];
}

/** A string with its references replaced; as it is when one of them has no value. */
export function fillText(text: string, find: FindParameter): string {
  const filled = fillWherePossible(text, ({ path }) => {
    const source = path && find(path);
    return source?.value === undefined ? undefined : { value: source.value, writtenAt: () => source.written };
  });
  return filled ?? text;
}

// References that go in circles are an error of the build; this only keeps the trace from following one.
const deepest = 100;

/** Parameters with where they come from, and those they refer to with theirs. */
export function traceParameters(paths: readonly Path[], find: FindParameter, depth = 0): readonly ParameterTrace[] {
  if (depth === deepest) return [];
  return paths.flatMap((path): ParameterTrace[] => {
    const source = find(path);
    if (source === undefined) return [];
    const { refersTo, written: _, ...rest } = source;
    return [{ ...rest, refersTo: traceParameters(refersTo, find, depth + 1) }];
  });
}
