import { Worker } from 'node:worker_threads';

const patience = 10_000;
const longestText = 1 << 16;
const progressEvery = 30_000;

/**
 * One target for some seconds. The texts are tried in a thread; when that makes no progress or dies, the text at hand is the
 * finding. What is found is made shorter for as long as the same thing happens.
 */
export async function runCampaign({ target, worker, seconds, seed }) {
  const started = performance.now();
  const outcome = await exploreInThread({ target, worker, seconds, seed });
  const elapsed = (performance.now() - started) / 1000;
  if (outcome.finding === undefined) return { ...outcome, elapsed };
  const finding = await shorten({ target, worker, finding: outcome.finding });
  return { ...outcome, finding, elapsed };
}

async function exploreInThread({ target, worker, seconds, seed }) {
  const thread = openThread({ target, worker, seconds, seed });
  let state = { executions: 0, kept: 0, covered: 0 };
  let reported = performance.now();
  const started = reported;
  thread.onState = (latest) => {
    state = latest;
    if (performance.now() - reported < progressEvery) return;
    reported = performance.now();
    const elapsed = Math.round((reported - started) / 1000);
    console.log(
      `  ${target}: ${elapsed} s, ${state.executions} executions, ${state.kept} texts kept, ${state.covered} reached`,
    );
  };
  const answer = await thread.ask({ type: 'explore' }, patience);
  await thread.close();
  if (answer.type === 'explored') {
    const { finding, ...rest } = answer;
    return { ...rest, finding: finding === undefined ? undefined : classify(finding) };
  }
  return { ...state, corpus: [], finding: { kind: answer.type, text: thread.textAtHand(), error: answer.error } };
}

function classify({ text, error, milliseconds }) {
  if (error !== undefined) return { kind: 'crash', text, error };
  return { kind: 'hang', text, error: `took ${Math.round(milliseconds)} ms` };
}

/** A thread that answers one question at a time, or is found hanging or dead. */
function openThread({ target, worker, seconds, seed }) {
  const progress = new SharedArrayBuffer(8);
  const text = new SharedArrayBuffer(2 * longestText);
  const counter = new Int32Array(progress);
  const workerData = { target, seed, seconds, progress, text };
  const thread = new Worker(worker, { workerData, resourceLimits: { maxOldGenerationSizeMb: 1024 } });
  const handle = {
    onState: () => {},
    textAtHand: () => String.fromCharCode(...new Uint16Array(text).subarray(0, counter[1])),
    close: () => thread.terminate(),
    ask,
  };
  const ready = new Promise((resolve) => {
    thread.once('message', resolve);
    thread.once('error', resolve);
  });

  async function ask(request, limit) {
    const first = await ready;
    if (first instanceof Error) throw first;
    return new Promise((resolve) => {
      let [last, since] = [-1, performance.now()];
      const timer = setInterval(() => {
        const now = Atomics.load(counter, 0);
        if (now !== last) [last, since] = [now, performance.now()];
        else if (performance.now() - since > limit) settle({ type: 'hang', error: `no answer within ${limit} ms` });
      }, 50);
      const onMessage = (message) => (message.type === 'state' ? handle.onState(message) : settle(message));
      const onError = (error) => settle({ type: 'death', error: `${error.name}: ${error.message}` });
      const settle = (answer) => {
        clearInterval(timer);
        thread.off('message', onMessage);
        thread.off('error', onError);
        resolve(answer);
      };
      thread.on('message', onMessage);
      thread.on('error', onError);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
      thread.postMessage(request);
    });
  }
  return handle;
}

/** Takes pieces away, large ones first, while the same thing happens without them. */
async function shorten({ target, worker, finding }) {
  let thread = openThread({ target, worker, seconds: 0, seed: 0 });
  const limit = finding.kind === 'hang' ? 2000 : patience;
  const wanted = signatureOf(finding);
  let { text, error } = finding;
  const deadline = performance.now() + 60_000;

  async function happens(candidate) {
    const answer = await thread.ask({ type: 'try', text: candidate }, limit);
    if (answer.type !== 'tried') {
      await thread.close();
      thread = openThread({ target, worker, seconds: 0, seed: 0 });
      return signatureOf({ kind: answer.type, error: answer.error }) === wanted;
    }
    const isSlow = finding.kind === 'hang' && answer.milliseconds > 1000;
    const isSame = answer.error !== undefined && signatureOf({ kind: 'crash', error: answer.error }) === wanted;
    if (isSame) error = answer.error;
    return isSlow || isSame;
  }

  const isReproducible = await happens(text);
  for (let size = isReproducible ? text.length >> 1 : 0; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < text.length && performance.now() < deadline;) {
      const candidate = text.slice(0, at) + text.slice(at + size);
      if (candidate.length < text.length && (await happens(candidate))) text = candidate;
      else at += size;
    }
  }
  await thread.close();
  return { ...finding, text, error, reproducible: isReproducible };
}

/** What happened, without the words of the text in it. */
function signatureOf({ kind, error }) {
  if (kind !== 'crash') return kind;
  return error.split('\n')[0].replaceAll(/"[^"]*"|`[^`]*`|'[^']*'|\d+/g, '…');
}
