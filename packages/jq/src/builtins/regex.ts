import { type Code, codeOfEach, codeOfOne, type Env, lazily } from '../compile/code.ts';
import { collectOutputs } from '../compile/construction.ts';
import {
  checkPatternLength,
  checkStringLength,
  checkSubjectLength,
  limitReached,
  raise,
  runState,
  step,
} from '../run-state.ts';
import { codePointIndices, countCodePoints } from '../values/code-points.ts';
import { describe, refuse } from '../values/describe.ts';
import { isArray, type JqValue, typeOf, writeKey } from '../values/jq-value.ts';
import { code, type NativeTable, value } from './native.ts';
import { isExponential } from './regex-danger.ts';
import { internalGroup, translatePattern } from './regex-syntax.ts';

interface Group {
  readonly name: string | null;
  /** Where in the text, in UTF-16 units; absent if the group took no part in the match. */
  readonly range: readonly [number, number] | undefined;
}

interface Match {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly Group[];
}

interface CompiledPattern {
  /** As it was written. */
  readonly text: string;
  readonly expression: RegExp;
  /** The same without positions, which is faster when only the verdict counts. */
  readonly tester: RegExp;
  readonly names: readonly (string | null)[];
  readonly global: boolean;
  readonly skipEmpty: boolean;
  /** Whether the time may grow exponentially with the text; found out when a text is long enough to matter. */
  readonly isExponential: () => boolean;
}

/** Patterns in use, so that a filter run over many values translates its pattern once. */
const compiled = new Map<string, CompiledPattern>();
const cacheSize = 256;

function compilePattern(pattern: string, flags: string): CompiledPattern {
  checkPatternLength(pattern.length);
  const key = `${flags}/${pattern}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  if (!/^[gimnpslx]*$/.test(flags) || flags.includes('m')) raise(`${flags} is not a valid modifier string`);
  const { source, flags: hostFlags } = translatePattern(pattern, {
    ignoreCase: flags.includes('i'),
    extended: flags.includes('x'),
    dotMatchesNewline: flags.includes('p'),
  });
  const result: CompiledPattern = {
    text: pattern,
    expression: hostPattern(source, hostFlags),
    tester: hostPattern(source, hostFlags.replace(/[dg]/g, '')),
    names: groupNames(source),
    global: flags.includes('g'),
    skipEmpty: flags.includes('n'),
    isExponential: lazily(() => isExponential(source, hostFlags.includes('i'))),
  };
  if (compiled.size >= cacheSize) compiled.clear();
  compiled.set(key, result);
  return result;
}

function hostPattern(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message.split(': ').at(-1) : '';
    return raise(`Regex failure: ${reason}`);
  }
}

/** Accepts what `match` accepts: a pattern and flags, or both in one array. */
function patternFrom(pattern: JqValue, flags: JqValue): CompiledPattern {
  if (isArray(pattern) && pattern.length > 0) return patternFrom(pattern[0]!, pattern[1] ?? null);
  if (typeof pattern !== 'string') return raise(`${typeOf(pattern)} not a string or array`);
  if (flags !== null && typeof flags !== 'string') return raise(`${describe(flags)} is not a string`);
  return compilePattern(pattern, flags ?? '');
}

function subject(input: JqValue): string {
  return typeof input === 'string' ? input : refuse(input, 'cannot be matched, as it is not a string');
}

/** The host's matcher cannot be interrupted, so what would take too long is not started. */
function checkSubject(text: string, pattern: CompiledPattern): void {
  checkSubjectLength(text.length);
  const { maxExponentialLength } = runState.limits;
  if (text.length <= maxExponentialLength || !pattern.isExponential()) return;
  const most = `it may meet ${maxExponentialLength} characters and not ${text.length}`;
  limitReached(`the regular expression ${JSON.stringify(pattern.text)} can take exponential time: ${most}`);
}

function findMatches(text: string, pattern: CompiledPattern, global: boolean): Match[] {
  const { expression, names, skipEmpty } = pattern;
  const found: Match[] = [];
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    step();
    const [start, end] = match.indices![0]!;
    // the host does not move on after an empty match
    if (start === end) expression.lastIndex = end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
    if (start === end && skipEmpty) continue;
    found.push({ start, end, groups: groupsOf(match, names) });
    if (!global) break;
  }
  return found;
}

function groupsOf(match: RegExpExecArray, names: readonly (string | null)[]): readonly Group[] {
  const indices = match.indices!;
  const groups: Group[] = [];
  for (let index = 1; index < match.length; index++) {
    const name = names[index - 1] ?? null;
    if (name === null || !internalGroup.test(name)) groups.push({ name, range: indices[index] });
  }
  return groups;
}

/** The names of the capturing groups, in order. In classes, the translation has escaped every parenthesis. */
function groupNames(source: string): readonly (string | null)[] {
  const openings = source.matchAll(/\\.|\((?:\?<([A-Za-z_]\w*)>|(?!\?))/gs);
  return [...openings].filter(([text]) => text.startsWith('(')).map(([, name]) => name ?? null);
}

function search(
  input: JqValue,
  pattern: JqValue,
  flags: JqValue,
  global?: boolean,
): { text: string; matches: Match[] } {
  const text = subject(input);
  const found = patternFrom(pattern, flags);
  checkSubject(text, found);
  return { text, matches: findMatches(text, found, global ?? found.global) };
}

function matchObject(text: string, match: Match, at: (unit: number) => number): JqValue {
  const part = (start: number, end: number): { offset: number; length: number; string: string } => {
    const string = text.slice(start, end);
    return { offset: at(start), length: countCodePoints(string), string };
  };
  return {
    ...part(match.start, match.end),
    captures: match.groups.map(({ name, range }) =>
      range === undefined ? { offset: -1, length: 0, string: null, name } : { ...part(range[0], range[1]), name },
    ),
  };
}

function namedGroups(text: string, match: Match): JqValue {
  const object: { [name: string]: JqValue } = {};
  for (const { name, range } of match.groups) {
    if (name !== null) writeKey(object, name, range === undefined ? null : text.slice(range[0], range[1]));
  }
  return object;
}

function matching(pattern: Code, flags: Code): Code {
  return codeOfEach((input, env, emit) => {
    flags.each(input, env, (flagsValue) => {
      pattern.each(input, env, (patternValue) => {
        const { text, matches } = search(input, patternValue, flagsValue);
        const at = codePointIndices(text);
        for (const match of matches) emit(matchObject(text, match, at));
      });
    });
  });
}

function testing(input: JqValue, pattern: JqValue, flags: JqValue): boolean {
  const text = subject(input);
  const found = patternFrom(pattern, flags);
  checkSubject(text, found);
  return found.skipEmpty ? findMatches(text, found, false).length > 0 : found.tester.test(text);
}

function splitting(input: JqValue, pattern: JqValue, flags: JqValue): JqValue {
  const { text, matches } = search(input, pattern, flags, true);
  const parts: string[] = [];
  let previous = 0;
  for (const { start, end } of matches) {
    parts.push(text.slice(previous, start));
    previous = end;
  }
  parts.push(text.slice(previous));
  return parts;
}

/** Replaces matches by what `replacement` gives for their captures; its n-th outputs make the n-th result. */
function substitute(text: string, matches: readonly Match[], replacement: Code, env: Env): readonly string[] {
  const results: string[] = [];
  let previous = 0;
  for (const match of matches) {
    const gap = text.slice(previous, match.start);
    const inserts = collectOutputs(replacement, namedGroups(text, match), env);
    for (const [index, insert] of inserts.entries()) {
      if (typeof insert !== 'string') raise(`${describe(namedGroups(text, match))} cannot be added to a string`);
      results[index] = (results[index] ?? '') + gap + insert;
      checkStringLength(results[index].length);
    }
    previous = match.end;
  }
  return results.length === 0 ? [text] : results.map((result) => result + text.slice(previous));
}

function substituting(pattern: Code, replacement: Code, flags: Code): Code {
  return codeOfEach((input, env, emit) => {
    flags.each(input, env, (flagsValue) => {
      pattern.each(input, env, (patternValue) => {
        const { text, matches } = search(input, patternValue, flagsValue);
        for (const result of substitute(text, matches, replacement, env)) emit(result);
      });
    });
  });
}

const noFlags: Code = codeOfOne(() => null);

export const regexNatives: NativeTable = {
  'test/1': value((input, pattern) => testing(input, pattern, null)),
  'test/2': value((input, pattern, flags) => testing(input, pattern, flags)),
  'match/1': code((pattern) => matching(pattern, noFlags)),
  'match/2': code((pattern, flags) => matching(pattern, flags)),
  'split/2': value((input, pattern, flags) => splitting(input, pattern, flags)),
  'sub/3': code((pattern, replacement, flags) => substituting(pattern, replacement, flags)),
};
