import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';
import { runInput } from './run-input.ts';
import type { Cost, Input } from './run-input.ts';
import { platformShapes } from './platform-shapes.mjs';
import { shapes } from './shapes.mjs';
import type { Shape } from './shapes.mjs';

interface SlowTarget {
  readonly name: string;
  readonly promise: string;
  readonly shapes: readonly Shape[];
}

export const slowTargets: readonly SlowTarget[] = [
  {
    name: 'slow-inputs',
    promise: 'no command takes more than ten seconds or a gigabyte for an input of up to a megabyte',
    shapes,
  },
  {
    name: 'slow-platform',
    promise: 'the same, for fleet files, profiles, policies and values files',
    shapes: platformShapes,
  },
];

// The goal of docs/limits.md.
const mostBytes = 1_000_000;
const mostSeconds = 10;
const mostMegabytes = 1024;

export interface SlowSearch {
  readonly target: SlowTarget;
  readonly seconds: number;
  readonly seed: number;
  readonly onState: (state: { readonly executions: number; readonly slowest: string }) => void;
}

export interface SlowFinding {
  readonly shape: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly words: readonly string[];
  readonly cost: Cost;
}

export interface SlowOutcome {
  readonly executions: number;
  /** The costliest of each shape, in words, costliest first. */
  readonly slowest: readonly string[];
  readonly finding?: SlowFinding | undefined;
}

/** What an input is made of: mutations turn its numbers up and down, and try other commands on its files. */
interface Genes {
  readonly shape: Shape;
  readonly numbers: Readonly<Record<string, number>>;
  readonly variant: number;
}

interface Tried extends Genes {
  readonly cost: Cost;
}

/** Turns the numbers of all shapes towards what costs most, until the time is over or an input is beyond the bound. */
export async function searchSlow({ target, seconds, seed, onState }: SlowSearch): Promise<SlowOutcome> {
  const random = createRandom(seed);
  const started = performance.now();
  const best = new Map<string, Tried>();
  let executions = 0;
  const isOver = (): boolean => performance.now() - started > seconds * 1000;
  const outcome = (finding?: SlowFinding): SlowOutcome => ({ executions, slowest: rank(best).map(describe), finding });

  async function attempt(genes: Genes): Promise<SlowFinding | undefined> {
    const input = makeInput(genes);
    if (input === undefined) return undefined;
    executions += 1;
    const cost = await runInput(input);
    const known = best.get(genes.shape.name);
    if (known === undefined || score(cost) > score(known.cost)) best.set(genes.shape.name, { ...genes, cost });
    onState({ executions, slowest: describe(rank(best)[0]!) });
    return isBeyond(cost) ? await confirm(genes, input) : undefined;
  }

  for (const shape of shuffle(target.shapes, random)) {
    if (isOver()) break;
    const numbers = Object.fromEntries(Object.entries(shape.numbers).map(([name, [, , start]]) => [name, start]));
    const finding = await attempt(fit({ shape, numbers, variant: 0 }));
    if (finding !== undefined) return outcome(finding);
  }
  while (!isOver()) {
    const finding = await attempt(fit(mutate(choose(best, random), random)));
    if (finding !== undefined) return outcome(finding);
  }
  return outcome();
}

/** Others may have had the processor: only what is beyond the bound three times is. */
async function confirm({ shape, numbers }: Genes, input: Input): Promise<SlowFinding | undefined> {
  let least: Cost = { seconds: Infinity, megabytes: Infinity };
  for (let round = 0; round < 2; round++) {
    const cost = await runInput(input);
    if (score(cost) < score(least) || round === 0) least = cost;
    if (!isBeyond(least)) return undefined;
  }
  return { shape: shape.name, numbers, words: input.words, cost: least };
}

function isBeyond({ seconds, megabytes, defect }: Cost): boolean {
  return seconds > mostSeconds || megabytes > mostMegabytes || defect !== undefined;
}

/** 1 is the bound. */
function score({ seconds, megabytes, defect }: Cost): number {
  return defect === undefined ? Math.max(seconds / mostSeconds, megabytes / mostMegabytes) : Infinity;
}

function rank(best: ReadonlyMap<string, Tried>): readonly Tried[] {
  return [...best.values()].sort((a, b) => score(b.cost) - score(a.cost));
}

function describe({ shape, numbers, variant, cost }: Tried): string {
  const words = Object.entries(numbers).map(([name, value]) => `${name} ${value}`);
  const how = variants[variant]!.join(' ');
  const { seconds, megabytes } = cost;
  return `${seconds.toFixed(1)} s, ${Math.round(megabytes)} MB: ${shape.name} (${words.join(', ')}${how === '' ? '' : `, ${how}`})`;
}

/** One of the costliest, mostly, and now and then any. */
function choose(best: ReadonlyMap<string, Tried>, random: Random): Genes {
  const ranked = rank(best);
  const among = random.below(3) === 0 ? ranked.length : Math.ceil(ranked.length / 4);
  return ranked[random.below(among)]!;
}

/** Added to the words of `build`, or taking their place: what is done with the same files. */
const variants: readonly (readonly string[])[] = [
  [],
  ['validate'],
  ['validate', '--format', 'sarif'],
  ['validate', '--format', 'junit'],
  ['images'],
  ['build'],
  ['build', '--label', 'a=b'],
  ['build', '--format', 'json'],
  ['build', '--order', 'apply'],
  ['build', '--name-prefix', 'x-', '--namespace', 'n'],
  ['build', '-o', 'out'],
  ['build', '-o', 'out', '--layout', 'by-kind'],
];

function mutate({ shape, numbers, variant }: Genes, random: Random): Genes {
  const names = Object.keys(shape.numbers);
  const changed = { ...numbers };
  for (let count = 0; count <= random.below(2); count++) {
    const name = random.pick(names);
    const [least, most] = shape.numbers[name]!;
    // From a quarter to four times as much.
    const factor = 2 ** ((random.below(4001) - 2000) / 1000);
    changed[name] = Math.min(most, Math.max(least, Math.round(changed[name]! * factor) + random.below(2)));
  }
  return { shape, numbers: changed, variant: random.below(4) === 0 ? random.below(variants.length) : variant };
}

/** Reduced until it fits the goal. */
function fit(genes: Genes): Genes {
  let { numbers } = genes;
  for (let round = 0; round < 40 && sizeOf({ ...genes, numbers }) > mostBytes; round++) {
    numbers = Object.fromEntries(
      Object.entries(numbers).map(([name, value]) => [
        name,
        Math.max(genes.shape.numbers[name]![0], Math.floor(value * 0.85)),
      ]),
    );
  }
  return { ...genes, numbers };
}

function sizeOf({ shape, numbers }: Genes): number {
  const [, files] = shape.make(numbers);
  return Object.values(files).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function makeInput(genes: Genes): Input | undefined {
  if (sizeOf(genes) > mostBytes) return undefined;
  const [words, files] = genes.shape.make(genes.numbers);
  const [command, ...more] = variants[genes.variant]!;
  const isPlain = ['build', 'validate', 'images'].includes(words[0]!);
  if (command === undefined || !isPlain) return { words, files };
  // Flags of one command may be unknown to the other; those that name files and what they are, both have.
  const kept = words
    .slice(1)
    .filter((word, index, all) => isShared(word) || isShared(all[index - 1] ?? '') || index === 0);
  return { words: [command, ...kept, ...more], files };
}

function isShared(word: string): boolean {
  return ['--patch', '--values', '--set', '--no-profile'].includes(word);
}

function shuffle<T>(items: readonly T[], random: Random): readonly T[] {
  return items
    .map((item) => ({ item, place: random.below(2 ** 31) }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
