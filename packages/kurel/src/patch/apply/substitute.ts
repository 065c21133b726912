import { DiagnosticError, nearest } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Location, Path, Report, Values } from '../../model/index.ts';
import {
  createGrowth,
  explainBooleanKey,
  formatReferencePath,
  longestText,
  mostGrowth,
  parameterProblems,
  parseTemplate,
  respelling,
  wholeReference,
} from '../../parameters/index.ts';
import type { Growth, Reference, Template } from '../../parameters/index.ts';
import type { Variables } from '../application.ts';
import { describeType } from './format-path.ts';

/** A template with its variables replaced: a typed value when one variable was the whole of it, a text otherwise. */
export type Filled =
  | { readonly type: 'value'; readonly value: Json; readonly isVariable: true }
  | { readonly type: 'text'; readonly text: string; readonly isVariable: boolean };

export interface Substitution {
  /** `undefined` when something was reported: at the variable that is wrong, when that can be found in the place. */
  fill(template: Template, location: Location, locate?: LocateVariable): Filled | undefined;
  /** For names and selectors, which are text whatever the variable's type. */
  fillText(template: Template, location: Location): string | undefined;
  /** How what stands at a path inside the value was written, when one variable is the whole of a template. */
  writtenIn(template: Template, path: Path): string | undefined;
}

export type LocateVariable = (variable: Reference) => Location;

/** Without variables every text stays as it is. */
export function createSubstitution(variables: Variables | undefined, report: Report): Substitution {
  if (variables === undefined) {
    const text = (template: Template): string => template.text;
    return {
      fill: (template) => ({ type: 'text', text: text(template), isVariable: false }),
      fillText: text,
      writtenIn: () => undefined,
    };
  }
  const context: Context = { variables, report: reportOnce(report), known: new Map(), growth: createGrowth() };
  return {
    fill(template, location, locate) {
      const plain = plainText(template);
      if (plain !== undefined) return { type: 'text', text: plain, isVariable: false };
      return fill(template, { ...context, location, locate, chain: [] });
    },
    fillText(template, location) {
      const plain = plainText(template);
      if (plain !== undefined) return plain;
      const place = { ...context, location, chain: [] };
      const text = isClosed(template, place) ? fillParts(template.parts, place) : undefined;
      if (text !== '__proto__') return text;
      place.report(parameterProblems.create('variable-unsafe', { text: template.text }, place));
      return undefined;
    },
    writtenIn(template, path) {
      const whole = wholeReference(template)?.path;
      return whole === undefined ? undefined : writtenAt([...whole, ...path], variables);
    },
  };
}

/** What stands there when there is nothing to put into it, which is nearly always so. */
export function plainText({ text, parts, unclosed }: Template): string | undefined {
  const isPlain = unclosed === undefined && (parts.length === 0 || (parts.length === 1 && parts[0] === text));
  return isPlain && text !== '__proto__' ? text : undefined;
}

/** A variable of a header is filled for every entry below it, and yet is wrong only once. */
function reportOnce(report: Report): Report {
  const said = new Set<string>();
  return (diagnostic) => {
    const { code, message, location } = diagnostic;
    const key = JSON.stringify([code, message, location?.file, location?.range, location?.path]);
    if (said.has(key)) return;
    said.add(key);
    report(diagnostic);
  };
}

interface Context {
  readonly variables: Variables;
  readonly report: Report;
  /** Values by the text of the reference, each put together once; `undefined` for those that cannot be, which was told. */
  readonly known: Map<string, Json | undefined>;
  readonly growth: Growth;
}

interface Place extends Context {
  readonly location: Location;
  readonly locate?: LocateVariable | undefined;
  /** The variables whose values are being put together. */
  readonly chain: readonly string[];
}

function fill(template: Template, place: Place): Filled | undefined {
  if (!isClosed(template, place)) return undefined;
  const reference = wholeReference(template);
  if (reference !== undefined) {
    const value = valueOf(reference, placeOf(reference, place));
    if (value === undefined) return undefined;
    count(value, reference, place);
    return { type: 'value', value, isVariable: true };
  }
  const text = fillParts(template.parts, place);
  const isVariable = template.parts.some((part) => typeof part !== 'string');
  return text === undefined ? undefined : { type: 'text', text, isVariable };
}

/** What a variable leads to stands elsewhere, so that all that is wrong with it is told where the variable is. */
function placeOf(reference: Reference, { locate, ...place }: Place): Place {
  return locate === undefined ? place : { ...place, location: locate(reference) };
}

/** A brace that was forgotten would leave the text of a variable in the output. */
function isClosed({ text, unclosed }: Template, place: Place): boolean {
  if (unclosed === undefined) return true;
  place.report(parameterProblems.create('variable-unclosed', { text: text.slice(unclosed) }, place));
  return false;
}

function fillParts(parts: Template['parts'], place: Place): string | undefined {
  let text: string | undefined = '';
  // All that is wrong with a text is said at once, so the first problem does not end it.
  for (const part of parts) {
    const piece = typeof part === 'string' ? part : textOf(part, placeOf(part, place));
    // A text that is too long is not made any longer: there is an end to what can be held.
    if (text === undefined || piece === undefined) text = undefined;
    else if (text.length <= longestText || typeof part === 'string') text += piece;
  }
  const first = parts.find((part) => typeof part !== 'string');
  // What was written out may be as long as it likes; only variables can make much of little.
  if (first !== undefined && text !== undefined && text.length > longestText) {
    const args = { variable: place.chain.at(-1) ?? first.text, limit: longestText };
    place.report(parameterProblems.create('variable-too-large', args, placeOf(first, place)));
    return undefined;
  }
  if (first !== undefined && text !== undefined) count(text, first, place);
  return text;
}

function count(value: Json, variable: Reference, place: Place): void {
  if (place.growth.add(value)) return;
  const args = { variable: variable.text, limit: mostGrowth };
  throw new DiagnosticError([parameterProblems.create('variables-too-large', args, placeOf(variable, place))]);
}

function textOf(reference: Reference, place: Place): string | undefined {
  const value = valueOf(reference, place);
  if (value === undefined) return undefined;
  if (typeof value !== 'object') {
    const args = respelling(reference, value, (path) => writtenAt(path, place.variables));
    if (args !== undefined) place.report(parameterProblems.create('parameter-respelled', args, place));
    return String(value);
  }
  reportNotScalar(reference, value, place);
  return undefined;
}

function valueOf(reference: Reference, place: Place): Json | undefined {
  const { known, report, chain } = place;
  const { text, path } = reference;
  if (known.has(text)) return known.get(text);
  if (path === undefined) {
    report(parameterProblems.create('variable-syntax', { variable: text }, place));
    return undefined;
  }
  const name = formatReferencePath(path);
  if (chain.includes(name)) {
    report(parameterProblems.create('variable-cycle', { chain: [...chain.slice(chain.indexOf(name)), name] }, place));
    return undefined;
  }
  const found = lookUp(reference, path, place);
  if (found === undefined) return undefined;
  // Parameters of a package are put together before they get here, and `$${` in them is text by now.
  const value = place.variables.scope === 'alone' && typeof found === 'string' ? follow(found, name, place) : found;
  known.set(text, value);
  return value;
}

function follow(text: string, name: string, place: Place): Json | undefined {
  if (!text.includes('${')) return text;
  const filled = fill(parseTemplate(text), { ...place, chain: [...place.chain, name] });
  return filled?.type === 'value' ? filled.value : filled?.text;
}

function lookUp(reference: Reference, path: Path, place: Place): Json | undefined {
  const { variables, report } = place;
  const { root, steps, prefix } = scopeOf(path, variables);
  let value: Json | undefined = root;
  for (const [index, step] of steps.entries()) {
    const next: Json | undefined = stepInto(value, step);
    if (next === undefined) {
      const before = [...prefix, ...steps.slice(0, index)];
      const near = nearest(String(step), isJsonObject(value) ? Object.keys(value) : []);
      const meant = near === undefined ? undefined : formatReferencePath([...before, near, ...steps.slice(index + 1)]);
      const scopes = explainBooleanKey(step, value) ?? explainScopes(path, variables);
      report(parameterProblems.create('variable-undefined', { variable: reference.text, near: meant, scopes }, place));
      return undefined;
    }
    value = next;
  }
  if (variables.scope === 'alone' && typeof value === 'object' && value !== null) {
    reportNotScalar(reference, value, place);
    return undefined;
  }
  return value;
}

function writtenAt(path: Path, variables: Variables): string | undefined {
  if (variables.scope === 'package') return variables.writtenAt?.(scopeOf(path, variables).steps);
  return path[0] === 'values' ? variables.writtenAt?.(path.slice(1)) : undefined;
}

/** Where to look for a path, and what of it only says where. */
function scopeOf(path: Path, { scope, values, features = {}, hasDottedNames = false }: Variables): Scope {
  const [first] = path;
  if (scope === 'alone') return { root: { values, features }, steps: path, prefix: [] };
  // `values.x` and `features.x` are other names of the parameter x, unless there are parameters of these names.
  const isAlias = (first === 'values' || first === 'features') && path.length > 1 && !Object.hasOwn(values, first);
  const steps = isAlias ? path.slice(1) : path;
  return {
    root: values,
    steps: hasDottedNames ? joinName(steps, values) : steps,
    prefix: isAlias ? [first] : [],
  };
}

/** `a.b.c` → `a.b` and `c` where there is a parameter `a.b`; the longest name wins. */
function joinName(path: Path, values: Values): Path {
  for (let length = path.length; length > 1; length -= 1) {
    const steps = path.slice(0, length);
    const name = steps.join('.');
    if (Object.hasOwn(values, name) && steps.every((step) => typeof step === 'string'))
      return [name, ...path.slice(length)];
  }
  return path;
}

function stepInto(value: Json | undefined, step: string | number): Json | undefined {
  if (typeof step === 'number') return isJsonArray(value) ? value[step] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

interface Scope {
  readonly root: JsonObject;
  readonly steps: Path;
  readonly prefix: Path;
}

function explainScopes([first]: Path, { scope, values, features = {} }: Variables): string | undefined {
  if (scope === 'package') return undefined;
  if (first !== 'values' && first !== 'features') return 'variables begin with values. or features.';
  if (first === 'features') return Object.keys(features).length === 0 ? 'give it with --feature' : undefined;
  return Object.keys(values).length === 0 ? 'give it with --set or --values' : undefined;
}

function reportNotScalar(reference: Reference, value: Json, place: Place): void {
  const args = { variable: reference.text, found: describeType(value) };
  place.report(parameterProblems.create('variable-not-scalar', args, place));
}
