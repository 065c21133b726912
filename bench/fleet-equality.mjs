// npm run fleet-equality -- [--count N] [--seed N]: builds a fleet, and random targets of it again with the single commands that
// kurel fleet list shows, and compares all files byte by byte. KUREL_BENCH_FLEET=10x10 makes the fleet smaller.
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { parseArgs, promisify } from 'node:util';

import { keepProgram } from './keep-program.mjs';
import { readFleetSize, writeFleet } from './write-fleet.mjs';

const { values } = parseArgs({ options: { count: { type: 'string' }, seed: { type: 'string' } } });
const count = readNumber('count', values.count ?? '500');
const seed = readNumber('seed', values.seed ?? String(Math.floor(Math.random() * 2 ** 31)));
const out = join(import.meta.dirname, 'out', 'fleet-equality');
const size = readFleetSize();

rmSync(out, { recursive: true, force: true });
const kurel = keepProgram(join(import.meta.dirname, '..'), join(out, 'program'));
// Two copies of the same inputs, so that single commands run as they are shown, and still write elsewhere.
const fleet = writeFleet(join(out, 'fleet'), size);
const singles = writeFleet(join(out, 'singles'), size);
const environment = {
  ...process.env,
  PATH: `${writeLauncher(join(out, 'bin'))}${delimiter}${process.env.PATH}`,
  XDG_CACHE_HOME: join(out, 'cache'),
};

const startedAt = performance.now();
const ofFleet = { cwd: fleet.file('.'), env: environment, maxBuffer: 2 ** 30 };
execFileSync(process.execPath, [kurel, 'fleet', 'build'], { ...ofFleet, stdio: ['ignore', 'inherit', 'inherit'] });
const builtAt = performance.now();
const { targets } = JSON.parse(execFileSync(process.execPath, [kurel, 'fleet', 'list', '--format', 'json'], ofFleet));
const chosen = choose(targets, Math.min(count, targets.length));
const differences = (await mapConcurrently(chosen, compareTarget)).flat();
for (const difference of differences) console.error(difference);
const seconds = (from, to) => `${((to - from) / 1000).toFixed(1)} s`;
console.log(
  `${chosen.length} of ${targets.length} targets, seed ${seed}: ${differences.length} differences ` +
    `(fleet ${seconds(startedAt, builtAt)}, single commands ${seconds(builtAt, performance.now())})`,
);
process.exit(differences.length === 0 ? 0 : 1);

function readNumber(name, text) {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} must be a number, got ${text}`);
  return Number(text);
}

/** The program under the name that the commands use. */
function writeLauncher(directory) {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'kurel');
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${kurel}" "$@"\n`);
  chmodSync(path, 0o755);
  return directory;
}

/** Random targets, the same ones for the same seed. */
function choose(list, length) {
  const rest = [...list];
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length }, () => rest.splice(Math.floor(random() * rest.length), 1)[0]);
}

async function mapConcurrently(list, work) {
  const results = [];
  const queue = list.entries();
  const serve = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, serve));
  return results;
}

async function compareTarget({ name, command, output }) {
  const cwd = singles.file('.');
  try {
    await promisify(execFile)('sh', ['-c', command], { cwd, env: environment });
  } catch (error) {
    return [`${name}: ${command}\n${error.stderr ?? error.message}`];
  }
  const [ofAll, ofOne] = [readFiles(fleet.file(output)), readFiles(singles.file(output))];
  const paths = new Set([...ofAll.keys(), ...ofOne.keys()]);
  if (!paths.has('.kurel-inventory') || paths.size < 2) return [`${name}: nothing was written`];
  return [...paths]
    .filter((path) => ofAll.get(path)?.equals(ofOne.get(path) ?? Buffer.alloc(0)) !== true)
    .map((path) => `${name}: ${path} differs`);
}

function readFiles(directory) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [relative(directory, path), readFileSync(path)]));
}
