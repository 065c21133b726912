import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** For kurel as it is where nothing can be kept from one run for the next. */
export const withoutCode = { KUREL_NO_COMPILE_CACHE: '1' };

/** Runs a command with its output thrown away; gives wall seconds and, on Linux, peak memory in MB. */
async function measureCommand(command, args, variables = {}) {
  const started = performance.now();
  const env = { ...cleanEnvironment(), ...variables };
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  let errors = '';
  child.stderr.on('data', (data) => (errors += data));
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, peakMemory(child.pid))), 5);
  const status = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  clearInterval(watch);
  const seconds = (performance.now() - started) / 1000;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${errors}`);
  return { seconds, megabytes: peak };
}

/** Measures several commands (program, arguments, variables) in turns, so that a noisy moment hits all of them, and gives the median of each. */
export async function measureInTurns(commands, rounds) {
  const samples = commands.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, command] of commands.entries()) samples[index].push(await measureCommand(...command));
  }
  return samples.map((runs) => ({
    seconds: median(runs.map(({ seconds }) => seconds)),
    megabytes: Math.max(...runs.map(({ megabytes }) => megabytes)),
  }));
}

export function measureCall(work, rounds) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    work();
    times.push((performance.now() - started) / 1000);
  }
  return median(times);
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

function peakMemory(pid) {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Math.round(Number(kilobytes ?? 0) / 1024);
  } catch {
    return 0;
  }
}
