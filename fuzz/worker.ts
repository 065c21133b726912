// Runs in its own thread: an input that hangs or uses up the memory ends the thread, and the parent knows the input.
import { parentPort, workerData } from 'node:worker_threads';
import { startCoverage } from './coverage.ts';
import { explore, type Exploration } from './explore.ts';
import { readCorpus } from './read-repository.ts';
import type { Target } from './target.ts';

interface Job {
  readonly target: string;
  readonly seed: number;
  readonly seconds: number;
  /** How many texts were tried; then the length of the one at hand. */
  readonly progress: SharedArrayBuffer;
  /** The text at hand. */
  readonly text: SharedArrayBuffer;
}

type Request = { readonly type: 'explore' } | { readonly type: 'try'; readonly text: string };

const job = workerData as Job;
const progress = new Int32Array(job.progress);
const shown = new Uint16Array(job.text);

function show(text: string): void {
  for (let at = 0; at < text.length; at++) shown[at] = text.charCodeAt(at);
  progress[1] = text.length;
  Atomics.add(progress, 0, 1);
}

function send(message: object): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- ports between threads have no origins
  parentPort!.postMessage(message);
}

const coverage = startCoverage('/targets.mjs');
// Loaded now, because only what is loaded while the engine counts is counted block by block. The bundle lies beside this one.
const { targets } = (await import(new URL('./targets.mjs', import.meta.url).href)) as {
  readonly targets: readonly Target[];
};
const target = targets.find(({ name }) => name === job.target)!;

async function run(text: string): Promise<void> {
  show(text);
  await target.run(text);
}

parentPort!.on('message', (request: Request) => {
  void (request.type === 'try' ? tryText(request.text) : exploreTarget());
});

async function tryText(text: string): Promise<void> {
  const started = performance.now();
  try {
    await run(text);
    send({ type: 'tried', milliseconds: performance.now() - started });
  } catch (error) {
    send({ type: 'tried', error: describe(error), milliseconds: 0 });
  }
}

async function exploreTarget(): Promise<void> {
  const exploration: Exploration = { ...target, run, seed: job.seed, seconds: job.seconds, coverage };
  const seeds = [...readCorpus(target.name), ...target.seeds()];
  const outcome = await explore(exploration, seeds, (state) => send({ type: 'state', ...state }));
  const finding = outcome.finding === undefined ? {} : { finding: { ...outcome.finding, ...errorOf(outcome.finding) } };
  send({ type: 'explored', ...outcome, ...finding });
}

function errorOf({ error }: { readonly error?: unknown }): { readonly error: string | undefined } {
  return { error: error === undefined ? undefined : describe(error) };
}

/** The first lines of the stack say where; the rest is how the fuzzer got there. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${String(error)}`;
  const lines = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [`${error.name}: ${error.message}`, ...lines.slice(0, 8)].join('\n');
}

send({ type: 'ready' });
