import type { Coverage } from './coverage.ts';
import { mutate } from './mutate.ts';
import { createRandom } from './random.ts';
import type { Target } from './target.ts';

export interface Exploration extends Target {
  readonly seed: number;
  readonly seconds: number;
  readonly coverage: Coverage;
}

export interface ExplorationState {
  readonly executions: number;
  /** Texts that reached something new. */
  readonly kept: number;
  readonly covered: number;
}

export interface ExplorationOutcome extends ExplorationState {
  readonly finding?: Finding | undefined;
  readonly corpus: readonly string[];
}

export interface Finding {
  readonly text: string;
  /** What was thrown; `undefined` for what took too long. */
  readonly error?: unknown;
  readonly milliseconds?: number;
}

/** On less than 10 KB, what takes longer is a finding. */
const slowest = 1000;
const defaultLength = 4096;

/** Tries texts until the time is over or one breaks the promise. Texts that reach new code are changed further. */
export async function explore(
  exploration: Exploration,
  seeds: readonly string[],
  onState: (state: ExplorationState) => void,
): Promise<ExplorationOutcome> {
  const { seconds, coverage, tokens, batch = 256, maxLength = defaultLength, isData } = exploration;
  const random = createRandom(exploration.seed);
  const corpus: string[] = [];
  let executions = 0;
  let loaded = 0;
  const started = performance.now();
  const state = (): ExplorationState => ({ executions, kept: corpus.length, covered: coverage.size() - loaded });
  const isOver = (): boolean => performance.now() - started > seconds * 1000;

  async function attempt(text: string): Promise<Finding | undefined> {
    executions++;
    const before = performance.now();
    try {
      await exploration.run(text);
    } catch (error) {
      return { text, error };
    }
    return performance.now() - before > slowest ? findSlow(text) : undefined;
  }

  /** Others may have had the processor: only what computes for long, three times, is slow. */
  async function findSlow(text: string): Promise<Finding | undefined> {
    let fastest = Infinity;
    for (let round = 0; round < 3; round++) {
      const before = process.cpuUsage();
      await exploration.run(text);
      fastest = Math.min(fastest, process.cpuUsage(before).user / 1000);
    }
    return fastest > slowest ? { text, milliseconds: fastest } : undefined;
  }

  /** Which of the texts brought the news: halves are run again until it is one. */
  async function keepNew(texts: readonly string[]): Promise<void> {
    for (const text of texts) await exploration.run(text);
    if (texts.length === 1) {
      if (coverage.learn()) corpus.push(texts[0]!);
      return;
    }
    if (!coverage.hasNews()) return;
    const middle = Math.ceil(texts.length / 2);
    await keepNew(texts.slice(0, middle));
    await keepNew(texts.slice(middle));
  }

  // What ran while the code was loaded says nothing about the texts.
  coverage.learn();
  loaded = coverage.size();
  for (const text of shortestFirst(seeds)) {
    if (text.length > maxLength || isOver()) continue;
    const finding = await attempt(text);
    if (finding !== undefined) return { ...state(), finding, corpus };
    if (coverage.learn()) corpus.push(text);
  }
  if (corpus.length === 0) corpus.push('');
  while (!isOver()) {
    const texts: string[] = [];
    for (let count = 0; count < batch && !isOver(); count++) {
      const text = mutate(choose(), random, { tokens, others: corpus, maxLength, isData });
      texts.push(text);
      const finding = await attempt(text);
      if (finding !== undefined) return { ...state(), finding, corpus };
    }
    if (coverage.hasNews()) await keepNew(texts);
    onState(state());
  }
  return { ...state(), corpus };

  /** What was found last is often where there is more to find, and what is short takes little time. */
  function choose(): string {
    const [one, other] = [random.below(corpus.length), random.below(corpus.length)];
    if (random.below(2) === 0) return corpus[Math.max(one, other)]!;
    return corpus[one]!.length < corpus[other]!.length ? corpus[one]! : corpus[other]!;
  }
}

function shortestFirst(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}
