import { isJsonObject, isPathBelow, stepInto, valueAt } from '../model/index.ts';
import type { Json, KubeObject, Location, Path, SourceFile } from '../model/index.ts';
import { locateInYaml } from '../yaml/index.ts';
import type { Cause, CausesOf } from './field-trace.ts';
import { traceParameters } from './parameter-sources.ts';
import type { FindParameter } from './parameter-sources.ts';

/** An object as it was read from a text, or rendered. */
export interface TextStart {
  /** Where the object stands: its fields are below. Only a file, or nothing, when the text is not the user's own. */
  readonly location: Location | undefined;
  /** The text itself, when the location is in it. */
  readonly source?: SourceFile | undefined;
  /** What rendered it, when that is no plain file. */
  readonly words: string;
  /** What the text says, references and all. */
  readonly parsed: KubeObject;
  /** The object that it became when parameters were put in. */
  readonly filled: KubeObject;
  readonly fills: readonly Fill[];
  readonly findParameter: FindParameter;
}

/** A reference in the text that a parameter was put in for. */
export interface Fill {
  /** Of the value, or of the value whose key it is in, as the text has it. */
  readonly path: Path;
  readonly parameter: Path;
}

/** A field of a text is there because the text says so, and has its value from the parameters in it. */
export function causesOfText(start: TextStart): CausesOf {
  const { words, parsed, filled, fills, findParameter } = start;
  return (path) => {
    const inText = pathInText(parsed, filled, path);
    const used = fills.flatMap((fill) => parameterFor(fill, inText, parsed));
    const parameters = traceParameters(used, findParameter);
    const written = valueAt(parsed, inText);
    const base: Cause = { kind: 'base', words, location: locate(start, inText), isExplicit: true };
    if (parameters.length === 0) return [base];
    return [
      { ...base, after: written ?? nearestText(parsed, inText) },
      { kind: 'parameter', words: '', parameters, isExplicit: true },
    ];
  };
}

function locate({ location, source }: TextStart, path: Path): Location | undefined {
  if (location?.document === undefined) return location;
  const { path: above = [] } = location;
  const place = { ...location, path: [...above, ...path] };
  const [field] = path;
  // Items of a typed list have their type from the list, when they do not say it.
  const isType = path.length === 1 && (field === 'apiVersion' || field === 'kind') && above.length > 1;
  if (!isType || source === undefined) return place;
  const range = locateInYaml(source, { ...place, at: 'key' });
  const isThere = range !== undefined && source.text.slice(range.start, range.end).replaceAll(/["']/g, '') === field;
  return isThere ? place : { ...location, path: [...above.slice(0, -2), field] };
}

/** Keys may hold references too; a filled mapping has its keys in the order of the text. */
function pathInText(parsed: Json, filled: Json, path: Path): Path {
  const found: (string | number)[] = [];
  let [text, value]: [Json | undefined, Json | undefined] = [parsed, filled];
  for (const step of path) {
    const own: string | number = typeof step === 'string' ? keyInText(text, value, step) : step;
    found.push(own);
    [text, value] = [stepInto(text, own), stepInto(value, step)];
  }
  return found;
}

function keyInText(text: Json | undefined, value: Json | undefined, key: string): string {
  if (!isJsonObject(text) || !isJsonObject(value) || Object.hasOwn(text, key)) return key;
  return Object.keys(text)[Object.keys(value).indexOf(key)] ?? key;
}

function parameterFor({ path, parameter }: Fill, inText: Path, parsed: Json): readonly Path[] {
  if (!isPathBelow(inText, path)) return [];
  // A text became a mapping or a list: what is below is below in the parameter as well.
  const isText = typeof valueAt(parsed, path) === 'string';
  return [isText ? [...parameter, ...inText.slice(path.length)] : parameter];
}

function nearestText(parsed: Json, path: Path): Json | undefined {
  let value: Json | undefined = parsed;
  for (const step of path) {
    if (typeof value === 'string') return value;
    value = stepInto(value, step);
  }
  return value;
}
