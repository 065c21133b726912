import { nearest } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonObject, Location, Path, Report, Values } from '../model/index.ts';
import { explainBooleanKey } from './explain-boolean-key.ts';
import { stepInto } from './look-up-parameter.ts';
import { parameterProblems } from './problems.ts';
import { formatReferencePath } from './reference-path.ts';
import { parseTemplate, wholeReference } from './template.ts';
import type { Reference, Template } from './template.ts';
import { isTooLarge, mostValues } from './weigh.ts';

export interface ResolveOptions {
  readonly report: Report;
  /** Where the value at a path was given. */
  readonly locate: (path: Path) => Location | undefined;
  /** How many references one may lead through; 10 unless said. */
  readonly maxDepth?: number | undefined;
}

const longestText = 1 << 20;

/**
 * Values with all references in them replaced: a value that is one reference takes the type of what it refers to. Everything
 * that is wrong is reported; values that cannot be resolved are `null` in the result.
 */
export function resolveParameters(values: Values, options: ResolveOptions): Values {
  const context: Context = { values, options, maxDepth: options.maxDepth ?? 10, known: new Map() };
  return resolveValue(values, { ...context, path: [], chain: [], ways: { longest: [] } }) as JsonObject;
}

interface Context {
  readonly values: Values;
  readonly options: ResolveOptions;
  readonly maxDepth: number;
  /** By path. */
  readonly known: Map<string, Resolved>;
}

interface Resolved {
  /** `undefined` for what cannot be resolved, which was told. */
  readonly value: Json | undefined;
  /** The longest way from here through further references. */
  readonly longest: readonly string[];
}

interface Place extends Context {
  /** Of the value at hand, where findings point. */
  readonly path: Path;
  /** The references that led here. */
  readonly chain: readonly string[];
  /** The longest way through references that was found below; whoever asks for a value looks at it. */
  readonly ways: { longest: readonly string[] };
}

function resolveValue(value: Json, place: Place): Json {
  if (typeof value === 'string') return value.includes('${') ? (resolveText(value, place) ?? null) : value;
  if (isJsonArray(value)) {
    const items = value.map((item, index) => resolveValue(item, { ...place, path: [...place.path, index] }));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(
    ([key, inner]) => [key, resolveValue(inner, { ...place, path: [...place.path, key] })] as const,
  );
  return entries.every(([key, inner]) => inner === value[key]) ? value : Object.fromEntries(entries);
}

function resolveText(text: string, place: Place): Json | undefined {
  const template = parseTemplate(text);
  if (template.unclosed !== undefined) {
    report('variable-unclosed', { text: text.slice(template.unclosed) }, place);
    return undefined;
  }
  const reference = wholeReference(template);
  return reference === undefined ? interpolate(template, place) : resolveReference(reference, place);
}

function interpolate({ parts }: Template, place: Place): string | undefined {
  let text: string | undefined = '';
  for (const part of parts) {
    const piece = typeof part === 'string' ? part : textOf(part, place);
    text = text === undefined || piece === undefined ? undefined : text + piece;
  }
  if (text === undefined || text.length <= longestText) return text;
  report('variable-too-large', { variable: formatReferencePath(place.path), limit: longestText }, place);
  return undefined;
}

function textOf(reference: Reference, place: Place): string | undefined {
  const value = resolveReference(reference, place);
  if (value === undefined) return undefined;
  if (typeof value !== 'object') return String(value);
  report('variable-not-scalar', { variable: reference.text, found: describe(value) }, place);
  return undefined;
}

function describe(value: Json): string {
  if (value === null) return 'null';
  return isJsonArray(value) ? 'a list' : 'a mapping';
}

function resolveReference(reference: Reference, place: Place): Json | undefined {
  const { path } = reference;
  if (path === undefined) {
    report('variable-syntax', { variable: reference.text }, place);
    return undefined;
  }
  const name = formatReferencePath(path);
  const resolved = place.known.get(name) ?? follow(reference, { ...place, name, target: path });
  if (resolved === undefined) return undefined;
  const way = [name, ...resolved.longest];
  if (way.length > place.ways.longest.length) place.ways.longest = way;
  return resolved.value;
}

/** Looks a reference up and resolves what it finds; the outcome is kept, so that nothing is told twice. */
function follow(
  reference: Reference,
  { name, target, ...place }: Place & { readonly name: string; readonly target: Path },
): Resolved | undefined {
  // The value at hand is where the circle begins, when it comes back to it.
  const before = place.chain.length === 0 ? [formatReferencePath(place.path)] : place.chain;
  const chain = [...before, name];
  if (before.includes(name)) {
    report('variable-cycle', { chain: chain.slice(before.indexOf(name)) }, place);
    return undefined;
  }
  const ways = { longest: [] as readonly string[] };
  const found = lookUp(reference, target, { ...place, chain, ways });
  let value = found === undefined ? undefined : settle(found.value, name, { ...place, path: found.path, chain, ways });
  if (ways.longest.length >= place.maxDepth) {
    report('variable-too-deep', { chain: [name, ...ways.longest], limit: place.maxDepth }, place);
    value = undefined;
    ways.longest = [];
  }
  const resolved = { value, longest: ways.longest };
  place.known.set(name, resolved);
  return resolved;
}

/** What a reference leads to, with the references in that replaced as well. */
function settle(value: Json, name: string, place: Place): Json | undefined {
  const failed = { count: 0 };
  const counting: ResolveOptions = {
    ...place.options,
    report(diagnostic) {
      if (diagnostic.severity === 'error') failed.count += 1;
      place.options.report(diagnostic);
    },
  };
  const resolved = resolveValue(value, { ...place, options: counting });
  if (failed.count > 0) return undefined;
  if (!isTooLarge(resolved)) return resolved;
  report('parameter-too-large', { parameter: name, limit: mostValues }, place);
  return undefined;
}

/** A step into a value that is a reference itself goes on in what that leads to. */
function lookUp(
  reference: Reference,
  path: Path,
  place: Place,
): { readonly value: Json; readonly path: Path } | undefined {
  let value: Json | undefined = place.values;
  for (const [index, step] of path.entries()) {
    const here = path.slice(0, index);
    if (typeof value === 'string' && value.includes('${')) value = resolveText(value, { ...place, path: here });
    if (value === undefined) return undefined;
    const next: Json | undefined = stepInto(value, step);
    if (next === undefined) {
      const near = nearest(String(step), isJsonObject(value) ? Object.keys(value) : []);
      const meant = near === undefined ? undefined : formatReferencePath([...here, near, ...path.slice(index + 1)]);
      report(
        'variable-undefined',
        { variable: reference.text, near: meant, scopes: explainBooleanKey(step, value) },
        place,
      );
      return undefined;
    }
    value = next;
  }
  return { value, path };
}

function report(...[code, args, place]: ReportArguments): void {
  const location = place.options.locate(place.path);
  place.options.report(parameterProblems.create(code, args, { location }));
}

type Definitions = typeof parameterProblems.definitions;
type Code = keyof Definitions;
type ArgumentsOf<One extends Code> = Parameters<Definitions[One]['message']>[0] &
  (Definitions[One] extends { readonly hint: (args: infer Hint) => unknown } ? Hint : unknown);
type ReportArguments = { [One in Code]: [code: One, args: ArgumentsOf<One>, place: Place] }[Code];
