import { nearest } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonObject, Location, Path, Report, Values } from '../model/index.ts';
import { explainBooleanKey } from './explain-boolean-key.ts';
import { stepInto } from './look-up-parameter.ts';
import { parameterProblems } from './problems.ts';
import { respelling } from './respelling.ts';
import { formatReferencePath } from './reference-path.ts';
import { parseTemplate, wholeReference } from './template.ts';
import type { Reference, Template } from './template.ts';
import { deepest, mostValues, weigh } from './weigh.ts';
import type { WrittenAt } from './written-parameters.ts';

export interface ResolveOptions {
  readonly report: Report;
  /** Where the value at a path was given. */
  readonly locate: (path: Path) => Location | undefined;
  /** How many references one may lead through; 10 unless said. */
  readonly maxDepth?: number | undefined;
  /** Without it nobody knows, and nothing is told, when a number is spelled otherwise in a text. */
  readonly writtenAt?: WrittenAt | undefined;
}

const longestText = 1 << 20;

/**
 * Values with all references in them replaced: a value that is one reference takes the type of what it refers to. Everything
 * that is wrong is reported; values that cannot be resolved are `null` in the result.
 */
export function resolveParameters(values: Values, options: ResolveOptions): Values {
  const context: Context = {
    values,
    options,
    maxDepth: options.maxDepth ?? 10,
    known: new Map(),
    active: new Map(),
    told: new Set(),
  };
  const findings: Findings = { longest: undefined, failed: false };
  return runWalk(resolveValue(values, { ...context, path: [], depth: 0, chain: undefined, findings })) as JsonObject;
}

/**
 * A walk through values that yields another walk for each reference that must be followed first. How far references lead is
 * decided by the input, so they wait for one another in a list, and not on the stack.
 */
type Walk<Result> = Generator<Walk<unknown>, Result, unknown>;

function runWalk<Result>(walk: Walk<Result>): Result {
  const waiting: Walk<unknown>[] = [walk];
  let answer: unknown;
  for (let current = waiting.at(-1); current !== undefined; current = waiting.at(-1)) {
    const step = current.next(answer);
    if (step.done === true) waiting.pop();
    else waiting.push(step.value);
    answer = step.done === true ? step.value : undefined;
  }
  return answer as Result;
}

interface Context {
  readonly values: Values;
  readonly options: ResolveOptions;
  readonly maxDepth: number;
  /** By path. */
  readonly known: Map<string, Resolved>;
  /** References that are being followed, with the chain that each is the end of. */
  readonly active: Map<string, Chain>;
  /** What was reported: a value is seen where it stands and again by each reference to it. */
  readonly told: Set<string>;
}

interface Resolved {
  /** `undefined` for what cannot be resolved, which was told. */
  readonly value: Json | undefined;
  /** Of the mappings and lists in it. */
  readonly depth: number;
  /** The longest way from here through further references. */
  readonly longest: Chain | undefined;
}

/** Names one after the other. They share their ends, because a list for each of many names would be too much to keep. */
interface Chain {
  readonly name: string;
  readonly rest: Chain | undefined;
  readonly length: number;
}

function extend(name: string, rest: Chain | undefined): Chain {
  return { name, rest, length: lengthOf(rest) + 1 };
}

function lengthOf(chain: Chain | undefined): number {
  return chain?.length ?? 0;
}

/** From the start of a chain to its end, or to `last`. */
function namesOf(chain: Chain | undefined, last?: Chain): readonly string[] {
  const names: string[] = [];
  for (let at = chain; at !== undefined; at = at.rest) {
    names.push(at.name);
    if (at === last) break;
  }
  return names;
}

/** About what is below a value; whoever asks for the value looks at it. */
interface Findings {
  /** The longest way through references. */
  longest: Chain | undefined;
  /** Whether something cannot be resolved. */
  failed: boolean;
}

interface Place extends Context {
  /** Of the value at hand, where findings point. */
  readonly path: Path;
  /** The mappings and lists around it, also those around the references that led here. */
  readonly depth: number;
  /** The references that led here, the latest first. */
  readonly chain: Chain | undefined;
  readonly findings: Findings;
}

function* resolveValue(value: Json, place: Place): Walk<Json> {
  if (typeof value === 'string') {
    const resolved = value.includes('${') ? yield* resolveText(value, place) : value;
    if (resolved === undefined) place.findings.failed = true;
    return resolved ?? null;
  }
  const depth = place.depth + 1;
  // Far beyond what is told with the reference that goes too deep, and far from where the stack ends.
  if (depth > 2 * deepest) {
    place.findings.failed = true;
    report('parameter-too-deep', { parameter: formatReferencePath(place.path.slice(0, 1)), limit: deepest }, place);
    return null;
  }
  if (isJsonArray(value)) {
    const items: Json[] = [];
    for (const [index, item] of value.entries()) {
      items.push(isSettled(item) ? item : yield* resolveValue(item, { ...place, depth, path: [...place.path, index] }));
    }
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  const entries: [string, Json][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const resolved = isSettled(inner)
      ? inner
      : yield* resolveValue(inner, { ...place, depth, path: [...place.path, key] });
    entries.push([key, resolved]);
  }
  return entries.every(([key, inner]) => inner === value[key]) ? value : Object.fromEntries(entries);
}

/** Most values are neither structures nor references. */
function isSettled(value: Json): boolean {
  return typeof value === 'string' ? !value.includes('${') : typeof value !== 'object';
}

function* resolveText(text: string, place: Place): Walk<Json | undefined> {
  const template = parseTemplate(text);
  if (template.unclosed !== undefined) {
    report('variable-unclosed', { text: text.slice(template.unclosed) }, place);
    return undefined;
  }
  const reference = wholeReference(template);
  return yield* reference === undefined ? interpolate(template, place) : resolveReference(reference, place);
}

function* interpolate({ parts }: Template, place: Place): Walk<string | undefined> {
  let text: string | undefined = '';
  for (const part of parts) {
    const piece = typeof part === 'string' ? part : yield* textOf(part, place);
    text = text === undefined || piece === undefined ? undefined : text + piece;
  }
  if (text === undefined || text.length <= longestText) return text;
  report('variable-too-large', { variable: formatReferencePath(place.path), limit: longestText }, place);
  return undefined;
}

function* textOf(reference: Reference, place: Place): Walk<string | undefined> {
  const value = yield* resolveReference(reference, place);
  if (value === undefined) return undefined;
  if (typeof value !== 'object') {
    const args = respelling(reference, value, place.options.writtenAt);
    if (args !== undefined) report('parameter-respelled', args, place);
    return String(value);
  }
  report('variable-not-scalar', { variable: reference.text, found: describe(value) }, place);
  return undefined;
}

function describe(value: Json): string {
  if (value === null) return 'null';
  return isJsonArray(value) ? 'a list' : 'a mapping';
}

function* resolveReference(reference: Reference, place: Place): Walk<Json | undefined> {
  const { path } = reference;
  if (path === undefined) {
    report('variable-syntax', { variable: reference.text }, place);
    return undefined;
  }
  const name = formatReferencePath(path);
  const resolved =
    place.known.get(name) ?? ((yield follow(reference, { ...place, name, target: path })) as ReturnOf<typeof follow>);
  if (resolved === undefined) return undefined;
  const way = extend(name, resolved.longest);
  if (way.length > lengthOf(place.findings.longest)) place.findings.longest = way;
  if (place.depth + resolved.depth <= deepest) return resolved.value;
  report('parameter-too-deep', { parameter: formatReferencePath(place.path.slice(0, 1)), limit: deepest }, place);
  return undefined;
}

/** Looks a reference up and resolves what it finds; the outcome is kept, so that nothing is told twice. */
function* follow(
  reference: Reference,
  { name, target, ...place }: Place & { readonly name: string; readonly target: Path },
): Walk<Resolved | undefined> {
  // The value at hand is where the cycle begins, when it comes back to it.
  const before = place.chain ?? extend(formatReferencePath(place.path), undefined);
  const chain = extend(name, before);
  if (place.chain === undefined) place.active.set(before.name, before);
  const start = place.active.get(name);
  if (start !== undefined) {
    report('variable-cycle', { chain: namesOf(chain, start).toReversed() }, place);
    if (place.chain === undefined) place.active.delete(before.name);
    return undefined;
  }
  const findings: Findings = { longest: undefined, failed: false };
  place.active.set(name, chain);
  const found = yield* lookUp(reference, target, { ...place, chain, findings });
  let settled =
    found === undefined
      ? unresolved
      : yield* settle(found.value, name, { ...place, path: found.path, chain, findings });
  place.active.delete(name);
  if (place.chain === undefined) place.active.delete(before.name);
  if (lengthOf(findings.longest) >= place.maxDepth) {
    report('variable-too-deep', { chain: [name, ...namesOf(findings.longest)], limit: place.maxDepth }, place);
    settled = unresolved;
    findings.longest = undefined;
  }
  const resolved = { ...settled, longest: findings.longest };
  place.known.set(name, resolved);
  return resolved;
}

const unresolved = { value: undefined, depth: 0 };

/** What a reference leads to, with the references in that replaced as well. */
function* settle(value: Json, name: string, place: Place): Walk<Omit<Resolved, 'longest'>> {
  const resolved = yield* resolveValue(value, place);
  if (place.findings.failed) return unresolved;
  const { count, depth } = weigh(resolved);
  if (count <= mostValues) return { value: resolved, depth };
  report('parameter-too-large', { parameter: name, limit: mostValues }, place);
  return unresolved;
}

/** A step into a value that is a reference itself goes on in what that leads to. */
function* lookUp(
  reference: Reference,
  path: Path,
  place: Place,
): Walk<{ readonly value: Json; readonly path: Path } | undefined> {
  let value: Json | undefined = place.values;
  for (const [index, step] of path.entries()) {
    const here = path.slice(0, index);
    if (typeof value === 'string' && value.includes('${')) value = yield* resolveText(value, { ...place, path: here });
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
  const diagnostic = parameterProblems.create(code, args, { location });
  const key = JSON.stringify([code, diagnostic.message, place.path]);
  if (place.told.has(key)) return;
  place.told.add(key);
  place.options.report(diagnostic);
}

type ReturnOf<One extends (...args: never[]) => Walk<unknown>> =
  ReturnType<One> extends Walk<infer Result> ? Result : never;

type Definitions = typeof parameterProblems.definitions;
type Code = keyof Definitions;
type ArgumentsOf<One extends Code> = Parameters<Definitions[One]['message']>[0] &
  (Definitions[One] extends { readonly hint: (args: infer Hint) => unknown } ? Hint : unknown);
type ReportArguments = { [One in Code]: [code: One, args: ArgumentsOf<One>, place: Place] }[Code];
