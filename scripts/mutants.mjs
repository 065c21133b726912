// Makes small random mistakes in a copy of the sources and prints those that no test notices.
//
//   npm run mutants -- --seed 1 --count 100 [--module packages/kurel/src/yaml] [--seconds 20] [--again] [--scratch DIRECTORY]
//
// First all mutants are in one copy of the sources, each guarded by a switch, and every test is repeated with the mutants that it reaches,
// those of its own module first; then each survivor is tried alone in a fresh process. `--seconds` limits the tests for one mutant. Everything is logged in `.mutants`,
// and a run that was stopped goes on where it was. `--again` tries the survivors again with all tests.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { chooseMutants, listThoseThatDoNotCompile } from './mutants/choose-mutants.mjs';
import { keepNoticed, readLog } from './mutants/mutant-log.mjs';
import { printTable } from './mutants/print-table.mjs';
import { copyCheckout, listFiles } from './mutants/scratch.mjs';
import { listBatches } from './mutants/list-batches.mjs';
import { readEquivalent } from './mutants/read-equivalent.mjs';
import { tryAlone, tryTogether } from './mutants/try-mutants.mjs';

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    module: { type: 'string', default: 'packages' },
    seconds: { type: 'string', default: '20' },
    again: { type: 'boolean', default: false },
    scratch: { type: 'string', default: join(tmpdir(), 'kurel-mutants') },
  },
});
const root = resolve(import.meta.dirname, '..');
const scratch = resolve(flags.scratch);
const seconds = Number(flags.seconds);
const state = join(root, '.mutants');
const log = join(state, `seed-${flags.seed}.jsonl`);

mkdirSync(state, { recursive: true });
copyCheckout(root, scratch);
if (flags.again) keepNoticed(log);
const mutants = chooseAll().filter(isStillThere);
const isEquivalent = readEquivalent(root);
const wanted = mutants.filter((mutant) => !isEquivalent(mutant));
await tryTogether({ scratch, mutants: wanted, log, batches: listBatches(root), seconds });
await tryAlone({ scratch, mutants: wanted, log, seconds });
printTable({ mutants, noticed: readLog(log).noticed, isEquivalent, seed: flags.seed });

/** Those of the seed that compile, kept with the first run. */
function chooseAll() {
  const chosenFile = join(state, `seed-${flags.seed}-mutants.json`);
  if (existsSync(chosenFile)) return JSON.parse(readFileSync(chosenFile, 'utf8'));
  const count = Number(flags.count);
  // Messages are prose, and the index of a module only exports.
  const paths = listFiles(root, `${flags.module}/*.ts`).filter(
    (path) => /^packages\/\w+\/src\//.test(path) && !/\.test\.ts$|\/(?:index|problems)\.ts$/.test(path),
  );
  const candidates = chooseMutants(scratch, paths, { seed: Number(flags.seed), count: Math.ceil(count * 1.5) });
  const refused = listThoseThatDoNotCompile(scratch, candidates);
  console.log(`${candidates.length} mutants, ${refused.size} of them refused by the compiler`);
  const compiling = candidates.filter(({ id }) => !refused.has(id)).slice(0, count);
  const chosen = compiling.map((mutant, number) => Object.assign(mutant, { number }));
  writeFileSync(chosenFile, JSON.stringify(chosen, null, 1));
  return chosen;
}

function isStillThere({ path, start, end, before, id }) {
  const isThere = existsSync(join(root, path)) && readFileSync(join(root, path), 'utf8').slice(start, end) === before;
  if (!isThere) console.log(`the source has changed: ${id}`);
  return isThere;
}
