import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { besideEarlier } from './earlier.mjs';

/** For kurel as it is where nothing can be kept from one run for the next. */
export const withoutCode = { KUREL_NO_COMPILE_CACHE: '1' };

/** A peer that takes longer than this many seconds is measured once. */
const patience = 15;

/**
 * Measures the runs of one case (subject, role, command, args, variables) in turns, so that a noisy moment hits all of them; `prepare`
 * runs before each, and with `allProcesses` the memory is that of all processes that a run starts. Before
 * that each is run once with its output kept, to see that they do the same work; that run counts only for those that are slow.
 * Gives a row for each: median wall time, mean user time, peak memory, and the size of what it prints. Beside an earlier program,
 * only the runs of kurel are measured, all equally often.
 */
export async function measureInTurns(context, { id, what, runs, rounds, objects }) {
  console.error(`  ${what}`);
  const beside = context.earlier !== undefined;
  const states = [];
  for (const run of beside ? besideEarlier(context, runs) : runs)
    states.push({ run, ...(await tryRun(context, run, objects)) });
  for (let round = 0; round < (beside ? context.rounds : Math.min(rounds, context.rounds)); round += 1) {
    for (const { run, samples, done } of states) if (!done) samples.push(await measureRun(run));
  }
  return states.map((state) => {
    const { subject, role } = state.run;
    return Object.assign({ case: id, what, subject, role }, summarize(state), objects !== undefined && { objects });
  });
}

/** What the run prints is looked at once; what is wrong with another program is said in its row, what is wrong with kurel ends everything. */
async function tryRun({ out, limit }, run, objects) {
  const output = join(out, 'printed');
  const isOther = ['peer', 'earlier'].includes(run.role);
  try {
    const sample = await measureRun(run, { output, ...(isOther && { limit }) });
    const { length: bytes, objects: printed } = readPrinted(output);
    if (!sample.stopped) checkPrinted(run, { output, printed, objects });
    const done = sample.stopped || (run.role === 'peer' && sample.seconds > patience);
    return { bytes: sample.stopped ? 0 : bytes, done, samples: done ? [sample] : [], stopped: sample.stopped };
  } catch (error) {
    if (!isOther) throw error;
    console.error(`${run.subject}: ${error.message}`);
    return { bytes: 0, done: true, samples: [], failed: true };
  } finally {
    rmSync(output, { force: true });
  }
}

function checkPrinted(run, { output, printed, objects }) {
  if (run.printsObjects && printed !== objects) {
    throw new Error(`${run.subject} printed ${printed} objects instead of ${objects}`);
  }
  run.check?.(readFileSync(output, 'utf8'));
}

function readPrinted(file) {
  const bytes = readFileSync(file);
  let objects = bytes.subarray(0, 5).equals(Buffer.from('kind:')) ? 1 : 0;
  for (let at = bytes.indexOf('\nkind:'); at !== -1; at = bytes.indexOf('\nkind:', at + 1)) objects += 1;
  return { length: bytes.length, objects };
}

async function measureRun(run, { output, limit } = {}) {
  const { command, args, variables, reports, prepare, allProcesses, status: expected = 0 } = run;
  prepare?.();
  const sink = output === undefined ? 'ignore' : openSync(output, 'w');
  const before = userTimeOfChildren();
  const started = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', sink, 'pipe'], env: { ...cleanEnvironment(), ...variables } });
  let errors = '';
  child.stderr.on('data', (data) => (errors += data));
  let peak = 0;
  const memoryOf = allProcesses ? memoryOfAll : peakMemory;
  const watch = setInterval(() => (peak = Math.max(peak, memoryOf(child.pid))), 5);
  let stopped = false;
  const stop = () => {
    stopped = child.kill('SIGKILL');
    // Or what the program has started itself would keep it open.
    child.stderr.destroy();
  };
  const timer = limit && setTimeout(stop, limit * 1000);
  const status = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve)).finally(() => {
    clearInterval(watch);
    clearTimeout(timer);
    if (output !== undefined) closeSync(sink);
  });
  const seconds = (performance.now() - started) / 1000;
  if (status !== expected && !stopped) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${errors}`);
  const user = before === undefined ? undefined : userTimeOfChildren() - before;
  return { seconds, user, megabytes: peak, stopped, ...(reports && JSON.parse(errors)) };
}

function summarize({ samples, bytes, failed, stopped }) {
  if (failed) return { failed };
  const user = samples.map((sample) => sample.user);
  const peaks = samples.map((sample) => sample.megabytes);
  const megabytes = Math.max(...peaks);
  return {
    rounds: samples.length,
    seconds: median(samples.map(({ seconds }) => seconds)),
    ...(!user.includes(undefined) && { user: user.reduce((sum, one) => sum + one, 0) / user.length }),
    ...(megabytes > 0 && { megabytes, medianMegabytes: median(peaks) }),
    ...(bytes > 0 && { bytes }),
    ...(stopped && { stopped }),
  };
}

export function measureCall(work, rounds) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    work();
    times.push((performance.now() - started) / 1000);
  }
  return { rounds, seconds: median(times) };
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

// Extra certificates cost Node tens of milliseconds a start, which says nothing about kurel.
function cleanEnvironment() {
  const { NODE_EXTRA_CA_CERTS: _, ...rest } = process.env;
  return rest;
}

/** In MB, of a process that still runs. */
function peakMemory(pid) {
  return readMemory(pid, /VmHWM:\s+(\d+)/);
}

/** In MB at this moment, of a process and those that it started; memory that they share is counted for each. */
function memoryOfAll(pid) {
  let children = '';
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  } catch {
    // The process has ended, or the system does not tell.
  }
  const own = readMemory(pid, /VmRSS:\s+(\d+)/);
  return (children.match(/\d+/g) ?? []).reduce((sum, child) => sum + memoryOfAll(child), own);
}

function readMemory(pid, pattern) {
  try {
    const kilobytes = pattern.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Math.round(Number(kilobytes ?? 0) / 1024);
  } catch {
    return 0;
  }
}

/** In seconds, of all processes that have ended, with those that they started themselves; Linux counts it in hundredths. */
function userTimeOfChildren() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[13]) / 100;
  } catch {
    return undefined;
  }
}
