// npm run flame -- [--against REV]: where the time goes, as flame graphs (docs/flame-*.svg) of a small build and of a large one.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { drawFlame } from './draw-flame.mjs';
import { buildEarlier } from './earlier.mjs';
import { keepProgram } from './keep-program.mjs';
import { writeApplication } from './write-application.mjs';

const { values: flags } = parseArgs({ options: { against: { type: 'string' } } });
const root = join(import.meta.dirname, '..');
const out = join(root, 'bench', 'out');
mkdirSync(out, { recursive: true });
process.env['XDG_CACHE_HOME'] = join(out, 'flame-cache');

/** A short run is repeated, because few samples are taken in it. */
const builds = [
  { name: 'small', title: 'one webservice', count: 1, runs: 20, microseconds: 50 },
  { name: 'large', title: '10,000 webservices', count: 10_000, runs: 1, microseconds: 1000 },
];
const programs = [
  ...(flags.against === undefined ? [] : [{ when: 'before', kurel: buildBefore() }]),
  { when: 'now', kurel: buildNow() },
];
for (const { when, kurel } of programs) {
  for (const { name, title, count, runs, microseconds } of builds) {
    const { application, profile } = writeApplication(join(out, `flame-${name}`), count);
    const words = [kurel, 'build', application, '--profile', profile];
    const profiles = profileRuns(words, { directory: join(out, 'profiles'), runs, microseconds });
    const file = join(root, 'docs', `flame-${name}-${when}.svg`);
    writeFileSync(file, drawFlame(profiles, `kurel build, ${title}, ${when}`));
    console.log(file);
  }
}

/** With names that can be read, also where the script that builds did not know how. */
function buildBefore() {
  const prepare = (checkout) => {
    copyFileSync(join(root, 'scripts', 'build.mjs'), join(checkout, 'scripts', 'build.mjs'));
    buildReadable(checkout);
  };
  return buildEarlier({ root, out, revision: flags.against, prepare }).program;
}

function buildNow() {
  try {
    buildReadable(root);
    return keepProgram(root, join(out, 'readable'));
  } finally {
    execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs'), '--without-man']);
  }
}

function buildReadable(directory) {
  execFileSync(process.execPath, [join(directory, 'scripts', 'build.mjs'), '--without-man', '--readable']);
}

function profileRuns(words, { directory, runs, microseconds }) {
  rmSync(directory, { recursive: true, force: true });
  // The first run leaves compiled code for the others.
  run(words);
  const flags = ['--cpu-prof', `--cpu-prof-dir=${directory}`, `--cpu-prof-interval=${microseconds}`];
  // The first of these leaves code that was compiled with these flags.
  for (let count = 0; count <= runs; count += 1) {
    if (count === 1) rmSync(directory, { recursive: true, force: true });
    run([...flags, ...words]);
  }
  return readdirSync(directory).map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')));
}

function run(words) {
  const { status, stderr } = spawnSync(process.execPath, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}\n${stderr}`);
}
