import { isJsonObject, isPathBelow, stepInto, valueAt } from '../model/index.ts';
import type { Json, KubeObject, Location, Path, SourceFile } from '../model/index.ts';
import { locateInYaml } from '../yaml/index.ts';
import type { Cause, CausesOf } from './field-trace.ts';
import { traceParameters } from './parameter-sources.ts';
import type { FindParameter } from './parameter-sources.ts';

/** An object as it was read from a text or rendered. */
export interface TextStart {
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
  // Items of a typed list get their type from the list if they have none.
  const isType = path.length === 1 && (field === 'apiVersion' || field === 'kind') && above.length > 1;
  if (!isType || source === undefined) return place;
  const range = locateInYaml(source, { ...place, at: 'key' });
  const isThere = range !== undefined && source.text.slice(range.start, range.end).replaceAll(/["']/g, '') === field;
  return isThere ? place : { ...location, path: [...above.slice(0, -2), field] };
}

/** Keys may contain references too; the keys of a filled object keep the order of the text. */
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
  // A string became an object or a list, so the rest of the path is inside the parameter.
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
