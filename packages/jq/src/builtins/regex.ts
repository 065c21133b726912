import { type Code, codeOfValues, type Env } from '../code/code.ts';
import { collectOutputs } from '../code/expressions.ts';
import { isArray, type JqValue, typeOf, writeKey } from '../jq-value.ts';
import { compileRegex, type RegexProgram } from '../regex/compile-regex.ts';
import { parseRegex } from '../regex/parse-regex.ts';
import { createSearch, type RegexMatch, type SearchOptions } from '../regex/run-regex.ts';
import {
  checkPatternLength,
  checkStringLength,
  checkSubjectLength,
  countObject,
  countString,
  countValues,
  raise,
  spendSteps,
} from '../run-state.ts';
import { arithmetic } from '../values/arithmetic.ts';
import { describe, refuse } from '../values/json.ts';
import { codePointIndices, countCodePoints } from '../values/scalars.ts';
import { type NativeTable, value, values } from './native.ts';

interface Group {
  readonly name: string | null;
  /** Range in the text, in UTF-16 units; absent if the group did not take part in the match. */
  readonly range: readonly [number, number] | undefined;
}

interface Match {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly Group[];
}

interface CompiledPattern {
  readonly program: RegexProgram;
  readonly options: SearchOptions;
  readonly global: boolean;
}

/** Compiled patterns, so that a filter over many values compiles its pattern once. */
const compiled = new Map<string, CompiledPattern>();
const cacheSize = 256;
/** The minimum number of steps for compiling a pattern. */
const patternSteps = 200;

function compilePattern(pattern: string, flags: string): CompiledPattern {
  checkPatternLength(pattern.length);
  const key = `${flags}/${pattern}`;
  const cached = compiled.get(key);
  if (cached !== undefined) return cached;
  if (!/^[ginpslx]*$/.test(flags)) raise(`${flags} is not a valid modifier string`);
  spendSteps(patternSteps + 8 * pattern.length);
  const parsed = parseRegex(pattern, {
    ignoreCase: flags.includes('i'),
    extended: flags.includes('x'),
    dotMatchesNewline: flags.includes('p'),
    multiLine: false,
  });
  const program = compileRegex(parsed);
  spendSteps(program.code.length);
  const options = { longest: flags.includes('l'), notEmpty: flags.includes('n') };
  const result: CompiledPattern = { program, options, global: flags.includes('g') };
  if (compiled.size >= cacheSize) compiled.clear();
  compiled.set(key, result);
  return result;
}

type PatternAndFlags = readonly [pattern: JqValue, flags: JqValue];

/** The single argument of `test`, `match` and `capture`: a pattern, or an array with a pattern and flags. */
function patternAndFlags(either: JqValue): PatternAndFlags {
  if (isArray(either) && either.length > 0) return [either[0]!, either[1] ?? null];
  return typeof either === 'string' ? [either, null] : raise(`${typeOf(either)} not a string or array`);
}

function patternFrom([pattern, flags]: PatternAndFlags): CompiledPattern {
  if (typeof pattern !== 'string') return raise(`${describe(pattern)} is not a string`);
  if (flags !== null && typeof flags !== 'string') return raise(`${describe(flags)} is not a string`);
  return compilePattern(pattern, flags ?? '');
}

function subject(input: JqValue): string {
  return typeof input === 'string' ? input : refuse(input, 'cannot be matched, as it is not a string');
}

function findMatches(text: string, { program, options, global }: CompiledPattern): Match[] {
  checkSubjectLength(text.length);
  const next = createSearch(program, text, options);
  const matches: Match[] = [];
  let from = 0;
  while (from <= text.length) {
    const match = next(from);
    if (match === undefined) break;
    const [start, end] = match as readonly [number, number];
    countValues(2 + (match.length >> 1));
    matches.push({ start, end, groups: groupsOf(match, program.names) });
    if (!global) break;
    from = start === end ? end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1) : end;
  }
  return matches;
}

function groupsOf(match: RegexMatch, names: readonly (string | null)[]): readonly Group[] {
  return names.map((name, index) => {
    const start = match[2 * index + 2]!;
    const end = match[2 * index + 3]!;
    return { name, range: end < 0 ? undefined : [start, end] };
  });
}

function search(input: JqValue, pattern: PatternAndFlags): { text: string; matches: Match[] } {
  const text = subject(input);
  return { text, matches: findMatches(text, patternFrom(pattern)) };
}

function matchObject(text: string, match: Match, at: (unit: number) => number): JqValue {
  countObject(4 + 4 * match.groups.length);
  const part = (start: number, end: number): { offset: number; length: number; string: string } => {
    const string = text.slice(start, end);
    countString(string.length);
    spendSteps(string.length >> 3);
    return { offset: at(start), length: countCodePoints(string), string };
  };
  return {
    ...part(match.start, match.end),
    captures: match.groups.map(({ name, range }) => {
      if (range === undefined) return { offset: -1, string: null, length: 0, name };
      // keys in jq's order
      if (range[0] === range[1]) return { offset: at(range[0]), string: '', length: 0, name };
      return { ...part(range[0], range[1]), name };
    }),
  };
}

function namedGroups(text: string, match: Match): JqValue {
  const object: { [name: string]: JqValue } = {};
  countObject(2 * match.groups.length);
  for (const { name, range } of match.groups) {
    if (name !== null) writeKey(object, name, range === undefined ? null : text.slice(range[0], range[1]));
  }
  return object;
}

function emitMatches(emit: (match: JqValue) => void, input: JqValue, pattern: PatternAndFlags): void {
  const { text, matches } = search(input, pattern);
  const at = codePointIndices(text);
  for (const match of matches) emit(matchObject(text, match, at));
}

function testing(input: JqValue, pattern: PatternAndFlags): boolean {
  const text = subject(input);
  const { program, options } = patternFrom(pattern);
  checkSubjectLength(text.length);
  return createSearch(program, text, options)(0) !== undefined;
}

function splitting(input: JqValue, pattern: JqValue, flags: JqValue): JqValue {
  const { text, matches } = search(input, [pattern, arithmetic['+'](flags, 'g')]);
  const parts: string[] = [];
  let previous = 0;
  for (const { start, end } of matches) {
    countValues(1);
    parts.push(text.slice(previous, start));
    previous = end;
  }
  parts.push(text.slice(previous));
  return parts;
}

/** Replaces matches by the outputs of `replacement` for their captures; its n-th outputs form the n-th result. */
function substitute(text: string, matches: readonly Match[], replacement: Code, env: Env): readonly string[] {
  const results: string[] = [];
  let previous = 0;
  for (const match of matches) {
    const gap = text.slice(previous, match.start);
    const inserts = collectOutputs(replacement, namedGroups(text, match), env);
    for (const [index, insert] of inserts.entries()) {
      const added = arithmetic['+'](gap, insert) as string;
      results[index] = (results[index] ?? '') + added;
      checkStringLength(results[index].length);
      countString(added.length);
    }
    previous = match.end;
  }
  return results.length === 0 ? [text] : results.map((result) => result + text.slice(previous));
}

function substituting(pattern: Code, replacement: Code, flags: Code): Code {
  return codeOfValues((input, env, emit) => {
    pattern.each(input, env, (patternValue) => {
      flags.each(input, env, (flagsValue) => {
        const { text, matches } = search(input, [patternValue, flagsValue]);
        for (const result of substitute(text, matches, replacement, env)) emit(result);
      });
    });
  });
}

export const regexNatives: NativeTable = {
  'test/1': value((input, either) => testing(input, patternAndFlags(either))),
  'test/2': value((input, pattern, flags) => testing(input, [pattern, flags])),
  'match/1': values((emit, input, either) => emitMatches(emit, input, patternAndFlags(either))),
  'match/2': values((emit, input, pattern, flags) => emitMatches(emit, input, [pattern, flags])),
  'split/2': (pattern, flags) =>
    codeOfValues((input, env, emit) =>
      pattern.each(input, env, (patternValue) =>
        flags.each(input, env, (flagsValue) => emit(splitting(input, patternValue, flagsValue))),
      ),
    ),
  'sub/3': substituting,
};
