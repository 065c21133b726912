import { BudgetExhausted, createBudget, spend } from '../../budget/index.ts';
import type { Allowance, Budget } from '../../model/index.ts';
import { parsePattern, jsonSchemaDialect, UnreadablePattern } from './parse-pattern.ts';
import type { CharacterSet, PatternAssertion, PatternDialect, PatternNode } from './parse-pattern.ts';

const mostInstructions = 10_000;
// Also counts parts that emit no instruction, such as an empty group repeated a thousand times.
const mostSteps = 100_000;

/**
 * Whether strings match a pattern with the rules of JSON Schema: anywhere in the string unless it is anchored. The time is at most
 * the length of the string times the pattern: packages bring their own patterns, and some that look harmless would keep
 * JavaScript's regular expressions busy for years. `undefined` for invalid patterns, and for lookaround and back references.
 */
export function compilePattern(pattern: string, budget?: Budget): PatternTest | undefined {
  const program = compile(pattern, jsonSchemaDialect, budget);
  return program === undefined ? undefined : remembering((text, own) => isMatch(program, text, own));
}

/** Whether a string matches. Without the budget of a run, each string has its own. */
export type PatternTest = (text: string, budget?: Budget) => boolean;

/** Why `compilePattern` rejects a pattern, in a few words; `undefined` if it is valid. */
export function explainPattern(pattern: string): string | undefined {
  try {
    compileOrThrow(pattern, { program: [], steps: 0 }, jsonSchemaDialect);
    return undefined;
  } catch (error) {
    if (error instanceof UnreadablePattern) return error.message;
    throw error;
  }
}

/** A Go regular expression (RE2), as used in CustomResourceDefinitions. */
export interface GoPattern {
  /** The maximum work per character of a string. */
  readonly size: number;
  readonly test: PatternTest;
  /** The matches from left to right, up to a limit. */
  findAll(text: string, most: number): readonly string[];
}

/** The same for Go patterns: `undefined` for invalid ones, and for flags inside the pattern. */
export function compileGoPattern(pattern: string, budget?: Budget): GoPattern | undefined {
  // Flags for the whole pattern; Go also accepts them after the first anchor.
  const leading = /^(\^?)\(\?([ims]+)\)/.exec(pattern);
  const flags = leading?.[2] ?? '';
  const dialect = {
    isGo: true,
    ignoresCase: flags.includes('i'),
    dotIsAll: flags.includes('s'),
    isByLine: flags.includes('m'),
  };
  const program = compile(`${leading?.[1] ?? ''}${pattern.slice(leading?.[0].length ?? 0)}`, dialect, budget);
  if (program === undefined) return undefined;
  return {
    size: program.length,
    test: remembering((text, own) => isMatch(program, text, own)),
    findAll: (text, most) => findAll(program, text, most),
  };
}

function isMatch(program: readonly Instruction[], text: string, { patternSteps: steps } = createBudget()): boolean {
  return findMatch(program, codesOf(text), { from: 0, quickly: true, steps }) !== undefined;
}

function findAll(program: readonly Instruction[], text: string, most: number): readonly string[] {
  const codes = codesOf(text);
  const texts: string[] = [];
  const { patternSteps: steps } = createBudget();
  let end = -1;
  for (let from = 0; from <= codes.length && texts.length < most;) {
    const match = findMatch(program, codes, { from, steps });
    if (match === undefined) break;
    // Go does not accept an empty match right after another match.
    const isEmptyRest = match.start === match.end && match.start === end;
    if (!isEmptyRest)
      texts.push(
        codes
          .slice(match.start, match.end)
          .map((code) => String.fromCodePoint(code))
          .join(''),
      );
    end = match.end;
    from = match.end > match.start ? match.end : match.end + 1;
  }
  return texts;
}

const mostRemembered = 1000;
const longestRemembered = 100;

/** Caches results, because thousands of objects have the same few strings. */
function remembering(test: PatternTest): PatternTest {
  const answers = new Map<string, boolean>();
  return (text, budget) => {
    const earlier = answers.get(text);
    if (earlier !== undefined) return earlier;
    const answer = test(text, budget);
    if (answers.size < mostRemembered && text.length <= longestRemembered) answers.set(text, answer);
    return answer;
  };
}

function compileOrThrow(pattern: string, emission: Emission, dialect: PatternDialect): readonly Instruction[] {
  emit(parsePattern(pattern, dialect), emission);
  emission.program.push({ type: 'match' });
  return emission.program;
}

/** An instruction takes memory as well as time, which a thousand short patterns could exhaust. */
const stepsOfInstruction = 32;

function compile(
  pattern: string,
  dialect: PatternDialect,
  budget: Budget | undefined,
): readonly Instruction[] | undefined {
  const emission: Emission = { program: [], steps: 0 };
  try {
    return compileOrThrow(pattern, emission, dialect);
  } catch (error) {
    if (error instanceof UnreadablePattern) return undefined;
    throw error;
  } finally {
    if (budget !== undefined) spend(budget, 'patternSteps', pattern.length + stepsOfInstruction * emission.steps);
  }
}

interface Emission {
  readonly program: Instruction[];
  steps: number;
}

function emit(node: PatternNode, emission: Emission): void {
  const { program } = emission;
  emission.steps += 1;
  if (program.length > mostInstructions || emission.steps > mostSteps) throw new UnreadablePattern('too large');
  switch (node.type) {
    case 'character':
    case 'assertion':
      program.push(node);
      return;
    case 'sequence':
      for (const inner of node.nodes) emit(inner, emission);
      return;
    case 'choice':
      return emitChoice(node.nodes, emission);
    case 'repeat': {
      for (let count = 0; count < node.least; count += 1) emit(node.node, emission);
      if (node.most === Infinity) emitOptional(node, emission, true);
      else for (let count = node.least; count < node.most; count += 1) emitOptional(node, emission, false);
    }
  }
}

function emitChoice(nodes: readonly PatternNode[], emission: Emission): void {
  const { program } = emission;
  const jumps: { to: number }[] = [];
  for (const [index, inner] of nodes.entries()) {
    if (index === nodes.length - 1) emit(inner, emission);
    else {
      const split = openSplit(program);
      emit(inner, emission);
      const jump = { type: 'jump' as const, to: 0 };
      program.push(jump);
      jumps.push(jump);
      split.second = program.length;
    }
  }
  for (const jump of jumps) jump.to = program.length;
}

type Repeat = Extract<PatternNode, { readonly type: 'repeat' }>;

function emitOptional({ node, isLazy }: Repeat, emission: Emission, isLoop: boolean): void {
  const start = emission.program.length;
  const split = openSplit(emission.program);
  emit(node, emission);
  if (isLoop) emission.program.push({ type: 'jump', to: start });
  split.second = emission.program.length;
  if (isLazy) [split.first, split.second] = [split.second, split.first];
}

type Split = Extract<Instruction, { readonly type: 'split' }>;

/** A fork whose first branch is what follows; the caller sets the other branch. */
function openSplit(program: Instruction[]): Split {
  const split: Split = { type: 'split', first: program.length + 1, second: 0 };
  program.push(split);
  return split;
}

type Instruction =
  | { readonly type: 'character'; readonly isIn: CharacterSet }
  | { readonly type: 'assertion'; readonly what: PatternAssertion }
  /** Continues at both places, and prefers the first. */
  | { readonly type: 'split'; first: number; second: number }
  | { readonly type: 'jump'; to: number }
  | { readonly type: 'match' };

interface Found {
  readonly start: number;
  readonly end: number;
}

/** A string as code points. */
function codesOf(text: string): readonly number[] {
  const codes: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at)!;
    if (code > 0xffff) at += 1;
    codes.push(code);
  }
  return codes;
}

/**
 * The first match from `from` on. All states of the program that the string can lead to are followed in
 * parallel, one character at a time, so that the time is at most the length of the string times the program. They are kept
 * in order of preference; `quickly` is for callers that only need to know whether there is a match.
 */
function findMatch(
  program: readonly Instruction[],
  codes: readonly number[],
  { from, quickly = false, steps }: { readonly from: number; readonly quickly?: boolean; readonly steps: Allowance },
): Found | undefined {
  const visited = new Int32Array(program.length).fill(-1);
  const isAnchored = program[0]?.type === 'assertion' && program[0].what === 'start';
  let match: Found | undefined;
  // States with the start of their match: two numbers each.
  let pending: number[] = [];
  let waiting: number[] = [];
  const stack: number[] = [];
  for (let at = from; at <= codes.length; at += 1) {
    if (steps.left < 0) throw new BudgetExhausted('patternSteps', steps.limit);
    // A match may start at every character until an earlier one was found.
    if (match === undefined && (!isAnchored || at === 0)) pending.push(0, at);
    if (pending.length === 0) return match;
    waiting = [];
    search: for (let index = 0; index < pending.length; index += 2) {
      const start = pending[index + 1]!;
      stack.push(pending[index]!);
      for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
        if (visited[place] === at) continue;
        visited[place] = at;
        steps.left -= 1;
        const instruction = program[place]!;
        if (instruction.type === 'character') waiting.push(place, start);
        else if (instruction.type === 'split') stack.push(instruction.second, instruction.first);
        else if (instruction.type === 'jump') stack.push(instruction.to);
        else if (instruction.type === 'assertion') {
          if (holds(instruction.what, codes, at)) stack.push(place + 1);
        } else {
          match = { start, end: at };
          if (quickly) return match;
          // Less preferred states no longer matter.
          stack.length = 0;
          break search;
        }
      }
    }
    const code = codes[at];
    if (code === undefined) break;
    pending = [];
    for (let index = 0; index < waiting.length; index += 2) {
      const instruction = program[waiting[index]!]!;
      if (instruction.type === 'character' && instruction.isIn(code)) {
        pending.push(waiting[index]! + 1, waiting[index + 1]!);
      }
    }
  }
  return match;
}

function holds(what: PatternAssertion, codes: readonly number[], at: number): boolean {
  switch (what) {
    case 'start':
      return at === 0;
    case 'end':
      return at === codes.length;
    case 'line-start':
      return at === 0 || codes[at - 1] === lineFeed;
    case 'line-end':
      return at === codes.length || codes[at] === lineFeed;
    default: {
      const isBoundary = isWordAt(codes, at - 1) !== isWordAt(codes, at);
      return what === 'boundary' ? isBoundary : !isBoundary;
    }
  }
}

const lineFeed = 0x0a;

function isWordAt(codes: readonly number[], at: number): boolean {
  const code = codes[at];
  return code !== undefined && /\w/.test(String.fromCodePoint(code));
}
