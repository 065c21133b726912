import { createBudget, getOrAdd } from '../budget/index.ts';
import { nearest } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject, stepInto } from '../model/index.ts';
import type { Budget, Diagnostic, Json, Location, Message, Path, Report, Values } from '../model/index.ts';
import { parameterProblems } from './problems.ts';
import { formatReferencePath, parseTemplate, referencesIn } from './references.ts';
import type { Reference, Template } from './references.ts';
import { createNotScalar, createSubstitution, deepest, sizeOf } from './substitute.ts';
import type { LookUp, Substitution, WrittenAt } from './substitute.ts';

/** Looks up references in values without references; `read` turns the path of a reference into one of the values. */
export function lookUpIn(
  values: Values,
  writtenAt?: WrittenAt,
  read: (path: Path) => Pick<MissingStep, 'path' | 'format'> = (path) => ({ path }),
): LookUp {
  return (reference, report) => {
    if (reference.path === undefined) {
      report(createNotPath(reference));
      return undefined;
    }
    const { path, format } = read(reference.path);
    const walked = walkValues(values, path);
    if ('value' in walked) return { value: walked.value, writtenAt: (inside) => writtenAt?.([...path, ...inside]) };
    report(createUndefinedReference(reference.text, { ...walked, path, format }));
    return undefined;
  };
}

interface ResourceParameters {
  readonly values: Values;
  readonly writtenAt?: WrittenAt | undefined;
  /** Names of all parameters, also of those without a value; defaults to the names of the values. */
  readonly names?: ReadonlySet<string> | undefined;
}

/** Fills the objects of a package. There, only text that starts with the name of a parameter is a reference: `${HOME}` in a script is not. */
export function createResourceSubstitution(
  { values, writtenAt, names }: ResourceParameters,
  { report, budget = createBudget() }: { readonly report: Report; readonly budget?: Budget | undefined },
): Substitution {
  const syntax = { isParameter: (name: string) => names?.has(name) ?? Object.hasOwn(values, name) };
  return createSubstitution({ lookUp: lookUpIn(values, writtenAt), report, budget, syntax });
}

/** The value at a path, or how far the path exists. */
type Walked =
  | { readonly value: Json }
  | { readonly depth: number; /** The value without the next step. */ readonly holder: Json };

export function walkValues(root: Json, path: Path): Walked {
  let value = root;
  for (const [depth, step] of path.entries()) {
    const next = stepInto(value, step);
    if (next === undefined) return { depth, holder: value };
    value = next;
  }
  return { value };
}

/** The finding, without a location, about text between braces that is not a path. */
function createNotPath({ text }: Reference): Diagnostic {
  return parameterProblems.create('reference-syntax', { reference: text });
}

interface MissingStep {
  readonly path: Path;
  readonly depth: number;
  readonly holder: Json;
  /** Formats a path in the notation between the braces. */
  readonly format?: ((path: Path) => string) | undefined;
  /** The hint if no name is near. */
  readonly advice?: Message | undefined;
}

// Very many references may miss in the same values.
const keysOf = new WeakMap<object, readonly string[]>();

/** The finding, without a location, about a path that does not exist. */
export function createUndefinedReference(reference: string, missing: MissingStep): Diagnostic {
  const { path, depth, holder, format = formatReferencePath, advice } = missing;
  const step = path[depth]!;
  const mapping = isJsonObject(holder) ? holder : {};
  const joined = joinName(path.slice(depth).map(String), mapping);
  const meantPath =
    joined === undefined
      ? findWithoutScope(path.slice(depth), holder)
      : [joined[0]!, ...path.slice(path.length - joined.length + 1)];
  const near =
    meantPath === undefined
      ? nearest(
          String(step),
          getOrAdd(keysOf, mapping, () => Object.keys(mapping)),
        )
      : undefined;
  const rest = meantPath ?? (near === undefined ? undefined : [near, ...path.slice(depth + 1)]);
  const meant = rest === undefined ? undefined : format([...path.slice(0, depth), ...rest]);
  return parameterProblems.create('reference-undefined', {
    reference,
    near: meant,
    advice: explainBooleanKey(step, holder) ?? advice,
  });
}

/** `x.y.z` → `x.y` and `z` if there is a name `x.y`; the longest name wins. */
export function joinName(path: Path, values: Values): Path | undefined {
  for (let length = Math.min(path.length, deepest); length > 1; length -= 1) {
    const steps = path.slice(0, length);
    const name = steps.join('.');
    const isName = Object.hasOwn(values, name) && steps.every((step) => typeof step === 'string');
    if (isName) return [name, ...path.slice(length)];
  }
  return undefined;
}

/** Only in patches, `values.x` and `features.x` are other names for x. */
function findWithoutScope([scope, ...rest]: Path, values: Json): Path | undefined {
  const isFound =
    rest.length > 0 && (scope === 'values' || scope === 'features') && 'value' in walkValues(values, rest);
  return isFound ? rest : undefined;
}

/** Why a key in the file does not exist: YAML 1.1, which Kubernetes uses, reads `n` as `false`, even as a key. */
export function explainBooleanKey(step: string | number, value: Json | undefined): string | undefined {
  const word = String(step).toLowerCase();
  const key = /^(?:y|yes|on)$/.test(word) ? 'true' : /^(?:n|no|off)$/.test(word) ? 'false' : undefined;
  if (key === undefined || !isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
  return `quote the key: "${step}"; YAML reads ${step} as ${key}`;
}

interface ResolveOptions {
  readonly report: Report;
  /** Where the value at a path was set. */
  readonly locate: (path: Path) => Location | undefined;
  /** How many references a chain may have; defaults to 10. */
  readonly maxDepth?: number | undefined;
  readonly writtenAt?: WrittenAt | undefined;
  readonly budget?: Budget | undefined;
  /** Rejects references to objects and lists. */
  readonly isScalarOnly?: boolean | undefined;
  /** The hint for a path that does not exist if no name is near. */
  readonly adviceFor?: ((path: Path) => Message | undefined) | undefined;
}

/**
 * Values with all references replaced: a value that is a single reference gets the type of its target. All
 * mistakes are reported; values that cannot be resolved are `null` in the result.
 */
export function resolveParameters(values: Values, options: ResolveOptions): Values {
  const { settle } = createResolver(values, options);
  return compose(values, [], (path) => settle(path).value ?? null) as Values;
}

/** Looks up references in values that contain references themselves, which are resolved on demand. */
export function createResolver(
  values: Values,
  options: ResolveOptions,
): { readonly lookUp: LookUp; readonly settle: (path: Path) => Resolved } {
  const { report, locate, writtenAt, maxDepth = 10, budget = createBudget() } = options;
  /** By path. */
  const settled = new Map<string, Resolved>();
  const substitution = createSubstitution({ lookUp: lookUpKnown, report, budget });

  function lookUpKnown(...[reference, refuse]: Parameters<LookUp>): ReturnType<LookUp> {
    const { path } = reference;
    if (path === undefined) {
      refuse(createNotPath(reference));
      return undefined;
    }
    const name = formatReferencePath(path);
    // A missing one is part of a cycle, which was reported.
    const { value, problem, hops } = settled.get(name) ?? unresolved;
    if (problem !== undefined) refuse(problem);
    if (hops >= maxDepth) {
      refuse(parameterProblems.create('reference-too-deep', { chain: namesFrom(name), limit: maxDepth }));
      settled.set(name, unresolved);
      return undefined;
    }
    if (value === undefined) return undefined;
    if (options.isScalarOnly === true && typeof value === 'object' && value !== null) {
      refuse(createNotScalar(reference, value));
      return undefined;
    }
    return { value, writtenAt: (inside) => writtenAt?.([...path, ...inside]) };
  }

  function namesFrom(first: string): readonly string[] {
    const names: string[] = [];
    for (let name: string | undefined = first; name !== undefined; name = settled.get(name)?.next) names.push(name);
    return names;
  }

  /** The input decides how long chains are, so jobs wait in a list instead of on the stack. */
  function settle(path: Path): Resolved {
    const first = formatReferencePath(path);
    const waiting: Job[] = settled.has(first) ? [] : [openJob(path, values)];
    const active = new Map(waiting.map(({ name }, position) => [name, position]));
    for (let job = waiting.at(-1); job !== undefined; job = waiting.at(-1)) {
      const needed = job.needs[job.settled];
      if (needed === undefined) {
        waiting.pop();
        active.delete(job.name);
        settled.set(job.name, finish(job));
        continue;
      }
      job.settled += 1;
      const name = formatReferencePath(needed);
      const start = active.get(name);
      if (start !== undefined) {
        const chain = [...waiting.slice(start).map((waitingJob) => waitingJob.name), name];
        const text = waiting.findLast(({ template }) => template !== undefined)!;
        report(parameterProblems.create('reference-cycle', { chain }, { location: locate(text.path) }));
      } else if (!settled.has(name)) {
        active.set(name, waiting.length);
        waiting.push(openJob(needed, values));
      }
    }
    return settled.get(first)!;
  }

  function finish({ name, path, value, template, needs }: Job): Resolved {
    if (template !== undefined) {
      const filled = substitution.fillValue(template, () => locate(path));
      const ways = needs.flatMap((needed) => {
        const next = formatReferencePath(needed);
        const after = settled.get(next);
        return after === undefined ? [] : [{ hops: after.hops + 1, next }];
      });
      if (filled === undefined) return { ...longest(ways), value: undefined };
      if (path.length + sizeOf(filled.value).depth > deepest) {
        const args = { reference: formatReferencePath(path.slice(0, 1)), limit: deepest };
        report(parameterProblems.create('parameter-too-deep', args, { location: locate(path) }));
        return unresolved;
      }
      return { ...longest(ways), value: filled.value };
    }
    const parts = needs.map((needed) => settled.get(formatReferencePath(needed)) ?? unresolved);
    if (parts.some((part) => part.value === undefined)) return { ...longest(parts), value: undefined };
    if (value !== undefined) {
      return {
        ...longest(parts),
        value: compose(value, path, (text) => settled.get(formatReferencePath(text))!.value!),
      };
    }
    // The path goes through a reference, or does not exist.
    const [around] = parts;
    const before = needs[0]?.length ?? 0;
    const walked = walkValues(around?.value ?? values, path.slice(before));
    if ('value' in walked) return { ...longest(parts), value: walked.value };
    const advice = options.adviceFor?.(path);
    const problem = createUndefinedReference(name, { ...walked, depth: before + walked.depth, path, advice });
    return { ...unresolved, problem };
  }

  return {
    settle,
    lookUp(reference, refuse) {
      if (reference.path !== undefined) settle(reference.path);
      return lookUpKnown(reference, refuse);
    },
  };
}

interface Resolved {
  /** `undefined` if it cannot be resolved. */
  readonly value: Json | undefined;
  /** The finding for every reference to it; if absent, the mistake was reported at its own location. */
  readonly problem?: Diagnostic;
  /** The longest chain of further references from here, and the first of them. */
  readonly hops: number;
  readonly next?: string | undefined;
}

const unresolved: Resolved = { value: undefined, hops: 0 };

function longest(ways: readonly Pick<Resolved, 'hops' | 'next'>[]): Pick<Resolved, 'hops' | 'next'> {
  let most: Pick<Resolved, 'hops' | 'next'> = { hops: 0, next: undefined };
  for (const { hops, next } of ways) if (hops > most.hops) most = { hops, next };
  return most;
}

/** The target of a reference, and what must be resolved before it. */
interface Job {
  readonly name: string;
  readonly path: Path;
  /** `undefined` if the path goes through a reference or does not exist. */
  readonly value: Json | undefined;
  /** Set for a string with references. */
  readonly template: Template | undefined;
  readonly needs: readonly Path[];
  /** How many of those are done. */
  settled: number;
}

function openJob(path: Path, values: Values): Job {
  const job = { name: formatReferencePath(path), path, value: undefined, template: undefined, needs: [], settled: 0 };
  let value: Json | undefined = values;
  for (const [depth, step] of path.entries()) {
    if (hasReferences(value)) return { ...job, needs: [path.slice(0, depth)] };
    value = stepInto(value, step);
    if (value === undefined) return job;
  }
  if (hasReferences(value)) {
    const template = parseTemplate(value);
    const needs = referencesIn(value).flatMap((reference) => (reference.path === undefined ? [] : [reference.path]));
    return { ...job, value, template, needs };
  }
  const needs: Path[] = [];
  compose(value, path, (text) => {
    needs.push(text);
    return null;
  });
  return { ...job, value, needs };
}

function hasReferences(value: Json | undefined): value is string {
  return typeof value === 'string' && value.includes('${');
}

/** A value in which the strings with references are replaced. */
function compose(value: Json, path: Path, resolve: (path: Path) => Json): Json {
  if (hasReferences(value)) return resolve(path);
  if (isJsonArray(value)) {
    const items = value.map((item, index) => compose(item, [...path, index], resolve));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => [
    key,
    typeof inner === 'object' || hasReferences(inner) ? compose(inner, [...path, key], resolve) : inner,
  ]);
  return entries.every(([key, inner]) => inner === value[key]) ? value : Object.fromEntries(entries);
}
