import { parsePattern } from './parse-pattern.ts';
import { UnreadablePattern } from './pattern.ts';
import type { CharacterSet, PatternNode } from './pattern.ts';

type Instruction =
  | { readonly type: 'character'; readonly isIn: CharacterSet }
  | { readonly type: 'assertion'; readonly what: 'start' | 'end' | 'boundary' | 'inside' }
  /** Goes on at both places. */
  | { readonly type: 'split'; first: number; second: number }
  | { readonly type: 'jump'; to: number }
  | { readonly type: 'match' };

const mostInstructions = 10_000;
// Counts also what makes no instruction, such as a thousand times nothing.
const mostSteps = 100_000;
// What takes longer is taken for no match; with real patterns a text would have to be a hundred megabytes long.
const mostWork = 100_000_000;

/**
 * Whether texts match a pattern, as JSON Schema has it: anywhere in the text unless it says otherwise. The time is that of
 * the text times the pattern, never more: packages bring patterns of their own, and some that look harmless would keep the
 * language's own expressions busy for years. `undefined` for what is no pattern, or looks ahead, behind or back.
 */
export function compilePattern(pattern: string): ((text: string) => boolean) | undefined {
  try {
    const emission: Emission = { program: [], steps: 0 };
    emit(parsePattern(pattern), emission);
    emission.program.push({ type: 'match' });
    return (text) => run(emission.program, text);
  } catch (error) {
    if (error instanceof UnreadablePattern) return undefined;
    throw error;
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
      if (node.most === Infinity) emitLoop(node.node, emission);
      else for (let count = node.least; count < node.most; count += 1) emitOptional(node.node, emission);
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

function emitLoop(node: PatternNode, emission: Emission): void {
  const start = emission.program.length;
  const split = openSplit(emission.program);
  emit(node, emission);
  emission.program.push({ type: 'jump', to: start });
  split.second = emission.program.length;
}

function emitOptional(node: PatternNode, emission: Emission): void {
  const split = openSplit(emission.program);
  emit(node, emission);
  split.second = emission.program.length;
}

/** A fork whose first way is what follows; the other way is for the caller to say. */
function openSplit(program: Instruction[]): { second: number } {
  const split = { type: 'split' as const, first: program.length + 1, second: 0 };
  program.push(split);
  return split;
}

/** All places of the program that a text can have led to, one character after the other. */
function run(program: readonly Instruction[], text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0)!);
  const visited = new Int32Array(program.length).fill(-1);
  let places: number[] = [];
  let work = 0;
  for (let at = 0; at <= codes.length && work < mostWork; at += 1) {
    work += places.length + 1;
    // A match may begin at every character.
    if (follow([...places, 0], { program, codes, at, visited, reached: (places = []) })) return true;
    const code = codes[at];
    if (code === undefined) break;
    places = places.flatMap((place) => {
      const instruction = program[place]!;
      return instruction.type === 'character' && instruction.isIn(code) ? [place + 1] : [];
    });
  }
  return false;
}

interface Following {
  readonly program: readonly Instruction[];
  readonly codes: readonly number[];
  readonly at: number;
  /** By place, the last character at which it was reached. */
  readonly visited: Int32Array;
  /** Gets the places that wait for a character. */
  readonly reached: number[];
}

/** Takes every step that needs no character; whether the end of the program is among them. */
function follow(pending: number[], { program, codes, at, visited, reached }: Following): boolean {
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (visited[place] === at) continue;
    visited[place] = at;
    const instruction = program[place]!;
    switch (instruction.type) {
      case 'match':
        return true;
      case 'character':
        reached.push(place);
        break;
      case 'jump':
        pending.push(instruction.to);
        break;
      case 'split':
        pending.push(instruction.first, instruction.second);
        break;
      case 'assertion':
        if (holds(instruction.what, codes, at)) pending.push(place + 1);
    }
  }
  return false;
}

function holds(what: 'start' | 'end' | 'boundary' | 'inside', codes: readonly number[], at: number): boolean {
  if (what === 'start') return at === 0;
  if (what === 'end') return at === codes.length;
  const isBoundary = isWordAt(codes, at - 1) !== isWordAt(codes, at);
  return what === 'boundary' ? isBoundary : !isBoundary;
}

function isWordAt(codes: readonly number[], at: number): boolean {
  const code = codes[at];
  return code !== undefined && /\w/.test(String.fromCodePoint(code));
}
